#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "data/split.hpp"
#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "methods/method.hpp"
#include "shrimp/complex.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

void check(const ComplexDataset& train, const FitOptions& options) {
  const std::size_t m = train.y.size();
  if (m < 2 || train.X.cols() == 0 || train.X.rows() != m || train.inputs.size() != train.X.cols()) {
    throw DataError("the training data need one value of the target and of every input in each of two rows or more.");
  }
  for (std::size_t i = 0; i < m; ++i) {
    bool finite = std::isfinite(std::norm(train.y[i]));
    for (std::size_t j = 0; j < train.X.cols(); ++j) finite = finite && std::isfinite(train.X(i, j));
    if (!finite) throw DataError(fmt::format("training data row {} holds a value that is not finite.", i + 1));
  }
  if (options.method != "shrimp" && options.method != "min-l2") {
    throw OptionError("complex data are fitted by method shrimp or min-l2.\nGive one of them.");
  }
  if (options.choice.folds > 0) throw OptionError("complex data are not fitted by folds.\nLeave folds at 0.");
  if (options.choice.blocks) throw OptionError("complex data are not held out by blocks.\nLeave blocks out.");
  for (const Parameter& parameter : fit_parameters()) {
    FitOptions scratch;
    parameter.set(scratch, parameter.get(options));
  }
}

// Mean 0 and E|·|² = 1, as real data get.
void standardize(const ComplexDataset& train, ComplexModel& model) {
  Dataset inputs;
  inputs.inputs = train.inputs;
  inputs.X = Matrix(train.X);
  inputs.y.assign(train.y.size(), 0.0);
  const Scaling scaling = standardizing(inputs);
  model.input_mean = scaling.input_mean;
  model.input_scale = scaling.input_scale;
  const auto m = static_cast<double>(train.y.size());
  model.target_mean = std::accumulate(train.y.begin(), train.y.end(), Complex()) / m;
  double power = 0.0;
  for (const Complex& y : train.y) power += std::norm(y - model.target_mean) / m;
  model.target_scale = power > 0.0 ? std::sqrt(power) : 1.0;
}

struct ComplexRows {
  Matrix real;
  Matrix imaginary;
  std::vector<Complex> y;

  [[nodiscard]] double mean_squared_error(const ComplexPathStep& step) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      Complex gap = -y[i];
      for (std::size_t k = 0; k < step.columns.size(); ++k) {
        gap += step.coefficients[k] * Complex(real(i, step.columns[k]), imaginary(i, step.columns[k]));
      }
      sum += std::norm(gap);
    }
    return sum / static_cast<double>(y.size());
  }
};

ComplexRows make_rows(const FeatureWeights& weights, const Matrix& X, std::span<const Complex> y,
                      std::span<const std::size_t> which) {
  ComplexRows rows;
  const Matrix part = gather_rows(X, which);
  rows.real = evaluate(make_dictionary(weights, Basis::cosine), part);
  rows.imaginary = evaluate(make_dictionary(weights, Basis::sine), part);
  for (const std::size_t i : which) rows.y.push_back(y[i]);
  return rows;
}

class ComplexFit {
 public:
  ComplexFit(const ComplexDataset& train, const FitOptions& options)
      : options_(complete_options(options, train.inputs.size())) {
    result_.validation_mse = std::numeric_limits<double>::infinity();
    ComplexModel& model = result_.model;
    model.inputs = train.inputs;
    model.target = train.target;
    model.input_mean.assign(train.inputs.size(), 0.0);
    model.input_scale.assign(train.inputs.size(), 1.0);
    if (options.standardize) standardize(train, model);
    Scaling scaling;
    scaling.input_mean = model.input_mean;
    scaling.input_scale = model.input_scale;
    X_ = scale_inputs(train.X, scaling);
    for (const Complex& y : train.y) y_.push_back((y - model.target_mean) / model.target_scale);
  }

  ComplexFitResult run() {
    for (const std::vector<int>& orders : options_.orders) choose(orders);
    refit();
    describe();
    return std::move(result_);
  }

 private:
  [[nodiscard]] PathOptions path_options(double rate) const {
    PathOptions path;
    path.prune_rate = rate;
    path.rank_tolerance = options_.prune.rank_tolerance;
    path.ridge = *options_.prune.ridge;
    path.ridge_by_gcv = options_.prune.ridge_by_gcv;
    path.threads = options_.machine.threads;
    return path;
  }

  void choose(const std::vector<int>& orders) {
    FeatureOptions drawn = feature_options(options_, orders);
    drawn.basis = Basis::fourier;
    const FeatureWeights weights = draw_weights(X_.cols(), drawn);
    const RowSplit split = hold_out(y_.size(), options_.choice.fraction, options_.seed);
    const ComplexRows fitted = make_rows(weights, X_, y_, split.train);
    const ComplexRows held = make_rows(weights, X_, y_, split.held_out);
    for (const double rate : rates_of(method_named(options_.method), options_)) {
      std::vector<PathRecord> records;
      bool improved = false;
      visit_complex_prune_path(fitted.real, fitted.imaginary, fitted.y, path_options(rate), [&](const auto& step) {
        PathRecord record;
        record.step = records.size();
        record.basis_functions = step.columns.size();
        record.rank = step.rank;
        record.ridge = step.ridge;
        record.train_mse = step.train_mse;
        record.validation_mse = held.mean_squared_error(step);
        records.push_back(record);
        if (record.validation_mse < result_.validation_mse) {
          keep(weights, step, record, orders, rate);
          improved = true;
        }
        return options_.method == "shrimp";
      });
      if (improved) result_.path = std::move(records);
    }
  }

  void keep(const FeatureWeights& weights, const ComplexPathStep& step, const PathRecord& record,
            const std::vector<int>& orders, double rate) {
    result_.validation_mse = record.validation_mse;
    result_.chosen = record.step;
    result_.order = orders;
    result_.prune_rate = options_.method == "shrimp" ? rate : 0.0;
    ridge_ = step.ridge;
    result_.model.weights = {};
    for (const std::size_t j : step.columns) result_.model.weights.append(weights.support(j), weights.weights(j));
  }

  void refit() {
    std::vector<std::size_t> all(y_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const ComplexRows rows = make_rows(result_.model.weights, X_, y_, all);
    PathOptions path = path_options(0.5);
    path.ridge = ridge_;
    path.ridge_by_gcv = false;
    visit_complex_prune_path(rows.real, rows.imaginary, rows.y, path, [&](const ComplexPathStep& step) {
      result_.model.coefficients = step.coefficients;
      result_.train_mse = step.train_mse;
      return false;
    });
  }

  void describe() {
    ComplexModel& model = result_.model;
    const double unit = model.target_scale * model.target_scale;
    result_.validation_mse *= unit;
    result_.train_mse *= unit;
    for (PathRecord& record : result_.path) {
      record.train_mse *= unit;
      record.validation_mse *= unit;
    }
    for (const Parameter& parameter : fit_parameters()) {
      const std::string value = parameter.get(options_);
      if (parameter.name == "method") model.method = value;
      if (parameter.shapes_model && parameter.name != "basis") model.options[std::string(parameter.name)] = value;
    }
    model.results["rows"] = static_cast<double>(y_.size());
    model.results["train_mse"] = result_.train_mse;
    model.results["validation_mse"] = result_.validation_mse;
  }

  FitOptions options_;
  Matrix X_;
  std::vector<Complex> y_;
  double ridge_ = 0.0;
  ComplexFitResult result_;
};

}  // namespace

ComplexFitResult fit_complex(const ComplexDataset& train, FitOptions options) {
  if (options.method == "auto") options.method = "shrimp";
  check(train, options);
  const ThreadScope scope(options.machine.threads);
  return ComplexFit(train, options).run();
}

}  // namespace shrimp
