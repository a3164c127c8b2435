#include "experiments/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shrimp/parameters.hpp"

namespace shrimp::experiments {

double test_error(const Model& model, const Dataset& test) {
  const std::vector<double> predicted = model.predict(test.X);
  double sum = 0.0;
  for (std::size_t i = 0; i < predicted.size(); ++i) sum += (predicted[i] - test.y[i]) * (predicted[i] - test.y[i]);
  return sum / static_cast<double>(predicted.size());
}

namespace {

// Where there is nothing to choose, rows need not be held out to choose by: the test rows stand in for them, and all
// training rows are fitted once.
bool has_choice(const FitOptions& options) {
  if (options.orders.size() != 1) return true;
  if (options.method == "srfe-s") return options.sparse.sparsities.size() != 1;
  if (options.method == "salsa") return options.sparse.lambdas.size() != 1;
  return options.method != "min-l2";
}

}  // namespace

Json fit_and_test(const TrainAndTest& data, const FitOptions& shared) {
  const FitOptions options = options_for_method(shared, shared.method);
  const FitResult result = fit(data.train, options, has_choice(options) ? nullptr : &data.test);
  return {{"test_mse", test_error(result.model, data.test)},
          {"validation_mse", result.validation_mse},
          {"basis_functions", result.model.coefficients.size()},
          {"order", result.order.back()},
          {"rate", result.prune_rate},
          {"seconds", result.seconds},
          {"converged", result.converged}};
}

Json fit_path(const TrainAndTest& data, const FitOptions& shared) {
  const FitResult result = fit(data.train, options_for_method(shared, shared.method), nullptr, &data.test);
  Json json;
  for (const PathRecord& record : result.path) {
    json["basis_functions"].push_back(record.basis_functions);
    json["test_mse"].push_back(record.test_mse.value_or(0.0));
    json["lambda_max"].push_back(record.lambda_max);
    json["lambda_min"].push_back(record.lambda_min);
  }
  json["chosen"] = result.chosen;
  json["final_test_mse"] = test_error(result.model, data.test);
  return json;
}

void take_machine(FitOptions& options, const Settings& settings) {
  options.machine.threads = settings.threads;
  find_parameter("device")->set(options, settings.device);
}

FitOptions synthetic_options(const Settings& settings, std::string_view method, int order, std::uint64_t seed) {
  FitOptions options;
  options.method = method;
  options.orders = {{order}};
  options.draw.features = settings.quick ? 300 : 10000;
  options.standardize = false;
  const double columns = 2.0 * static_cast<double>(options.draw.features);
  options.prune.rank_tolerance = std::sqrt(columns) * std::numeric_limits<double>::epsilon();
  options.seed = seed;
  take_machine(options, settings);
  return options;
}

}  // namespace shrimp::experiments
