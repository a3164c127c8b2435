#include "shrimp/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "data/memory.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "linalg/threads.hpp"
#include "model/terms.hpp"
#include "path/prune.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"
#include "shrimp/path.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// Rows in the model's own (scaled) units.
struct Rows {
  Matrix X;
  std::vector<double> y;
};

Rows gather(const Rows& rows, const std::vector<std::size_t>& which) {
  Rows part{gather_rows(rows.X, which), {}};
  for (const std::size_t i : which) part.y.push_back(rows.y[i]);
  return part;
}

double mean_squared_error(std::span<const double> predicted, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += (predicted[i] - y[i]) * (predicted[i] - y[i]);
  return sum / static_cast<double>(y.size());
}

// A c ≈ y on some rows.
struct Equations {
  Matrix A;
  std::span<const double> y;
};

// Σ_k c_k a_k over the columns of one step, without copying them.
std::vector<double> predict_step(MatrixView A, const PathStep& step) {
  std::vector<double> f(A.rows, 0.0);
  for (std::size_t k = 0; k < step.columns.size(); ++k) {
    const std::span<const double> column = A.col(step.columns[k]);
    for (std::size_t i = 0; i < A.rows; ++i) f[i] += step.coefficients[k] * column[i];
  }
  return f;
}

// What a model needs besides its columns; shared with observers that may outlive a step.
struct ModelFrame {
  std::vector<std::string> inputs;
  std::string target;
  Scaling scaling;
  FitOptions options;
  Rows rows;  // All training rows.
};

Model build_model(const ModelFrame& frame, Dictionary dictionary, std::vector<double> coefficients,
                  double validation_mse) {
  Model model;
  model.inputs = frame.inputs;
  model.target = frame.target;
  model.scaling = frame.scaling;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string value = parameter.get(frame.options);
    if (parameter.name == "method") model.method = value;
    if (parameter.shapes_model) model.options[std::string(parameter.name)] = value;
  }
  const Matrix A = evaluate(dictionary, frame.rows.X, frame.options.threads);
  model.terms = make_terms(dictionary, frame.rows.X, coefficients);
  const double unit = frame.scaling.target_scale * frame.scaling.target_scale;
  model.results["rows"] = static_cast<double>(frame.rows.y.size());
  model.results["train_mse"] = unit * mean_squared_error(multiply(A, coefficients), frame.rows.y);
  model.results["validation_mse"] = validation_mse;
  model.dictionary = std::move(dictionary);
  model.coefficients = std::move(coefficients);
  return model;
}

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders) {
  return {orders,        options.features, options.law, options.sigma2, options.degrees_of_freedom,
          options.basis, options.seed};
}

std::size_t columns_per_weight(Basis basis) { return basis == Basis::fourier ? 2 : 1; }

void check_same_inputs(const Dataset& other, const Dataset& train, const char* what) {
  if (other.inputs != train.inputs)
    throw DataError(fmt::format("the {} data have other inputs than the training data.", what));
  if (other.y.empty()) throw DataError(fmt::format("the {} data have no rows.", what));
}

void check_finite(const Dataset& data) {
  for (std::size_t j = 0; j <= data.X.cols(); ++j) {
    const std::span<const double> column = j < data.X.cols() ? data.X.col(j) : std::span<const double>(data.y);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isfinite(column[i])) {
        throw DataError(fmt::format("row {}, column \"{}\": {} is not a finite number.", i + 1,
                                    j < data.X.cols() ? data.inputs[j] : data.target, column[i]));
      }
    }
  }
}

void check(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test) {
  const std::size_t m = train.y.size();
  if (train.X.cols() == 0 || train.X.rows() != m || train.inputs.size() != train.X.cols()) {
    throw DataError("the training data need one value of the target and of every input in each row.");
  }
  check_finite(train);
  if (validation != nullptr) check_same_inputs(*validation, train, "validation");
  if (validation != nullptr) check_finite(*validation);
  if (test != nullptr) check_same_inputs(*test, train, "test");
  if (test != nullptr) check_finite(*test);
  if (options.orders.empty()) throw OptionError("order names no order.\nGive one, as in order 2.");
  if (options.prune_rates.empty()) throw OptionError("prune names no rate.\nGive one, as in prune 0.2.");
  // The table of parameters knows the ranges: reading back what it writes checks them.
  for (const Parameter& parameter : fit_parameters()) {
    FitOptions scratch;
    parameter.set(scratch, parameter.get(options));
  }
  for (const std::vector<int>& orders : options.orders) {
    if (count_weights(train.X.cols(), feature_options(options, orders)) == 0) {
      throw OptionError(fmt::format("features {} is too few for so many orders.\nGive at least one feature for each.",
                                    options.features));
    }
  }
  if (m < 2 && validation == nullptr)
    throw DataError("there is only one row.\nGive at least two: one to fit and one to choose by.");
  if (options.folds > m) {
    throw OptionError(
        fmt::format("folds {} is more than the {} rows.\nGive at most one fold a row.", options.folds, m));
  }
  const double needed = estimate_fit_memory(
      m + (validation != nullptr ? validation->y.size() : 0) + (test != nullptr ? test->y.size() : 0), train.X.cols(),
      options);
  const double free = available_memory(options.memory);
  if (needed > free) {
    throw OptionError(
        fmt::format("this fit needs about {} of memory, but {} may be used.\n"
                    "Give fewer features (features {} asks for most of it) or fewer rows.",
                    format_bytes(needed), format_bytes(free), options.features));
  }
}

class Fitter {
 public:
  Fitter(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test,
         const FitObserver& observer)
      : options_(options), observer_(observer) {
    auto frame = std::make_shared<ModelFrame>();
    frame->inputs = train.inputs;
    frame->target = train.target;
    frame->scaling = options.standardize ? standardizing(train) : Scaling::none(train.inputs.size());
    frame->options = options;
    frame->rows = scaled(train, frame->scaling);
    if (validation != nullptr) validation_ = scaled(*validation, frame->scaling);
    if (test != nullptr) test_ = scaled(*test, frame->scaling);
    unit_ = frame->scaling.target_scale * frame->scaling.target_scale;
    frame_ = std::move(frame);
  }

  FitResult run() {
    plan();
    if (validation_ || options_.folds == 0) {
      choose_by_held_out_rows();
    } else {
      choose_by_folds();
    }
    return finish();
  }

 private:
  static Rows scaled(const Dataset& data, const Scaling& scaling) {
    return {scale_inputs(data.X, scaling), scale_target(data.y, scaling)};
  }

  // Estimates the work, for progress: a path costs about the sum of its sizes.
  void plan() {
    const std::size_t d = frame_->inputs.size();
    for (const std::vector<int>& orders : options_.orders) {
      const std::size_t columns =
          columns_per_weight(options_.basis) * count_weights(d, feature_options(options_, orders));
      for (const double rate : options_.prune_rates) {
        work_ += path_work(columns, rate) * static_cast<double>(std::max<std::size_t>(1, options_.folds));
      }
    }
    if (options_.folds > 0)
      work_ *= 1.0 + 1.0 / static_cast<double>(options_.folds * options_.orders.size() * options_.prune_rates.size());
  }

  [[nodiscard]] double path_work(std::size_t columns, double rate) const {
    if (options_.method == Method::min_l2) return static_cast<double>(columns);
    const std::vector<std::size_t> sizes = path_sizes(columns, rate);
    return static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  }

  // One path on `train`, judged on rows that it does not see. Returns its records, errors in scaled units.
  template <typename OnStep>
  std::vector<PathRecord> run_path(const Equations& train, const Equations& held, const Equations& test, double rate,
                                   const std::string& what, const OnStep& on_step) {
    PathOptions path_options;
    path_options.prune_rate = rate;
    path_options.rank_tolerance = options_.rank_tolerance;
    path_options.spectrum = options_.spectrum;
    std::vector<PathRecord> records;
    visit_prune_path(train.A, train.y, path_options, [&](const PathStep& step) {
      PathRecord record;
      record.step = records.size();
      record.columns = step.columns.size();
      record.rank = step.rank;
      record.train_mse = step.train_mse;
      record.lambda_max = step.lambda_max;
      record.lambda_min = step.lambda_min;
      if (!held.y.empty()) record.validation_mse = mean_squared_error(predict_step(held.A, step), held.y);
      if (!test.y.empty()) record.test_mse = mean_squared_error(predict_step(test.A, step), test.y);
      records.push_back(record);
      on_step(step, record);
      report(what, record);
      return options_.method != Method::min_l2;
    });
    return records;
  }

  void report(const std::string& what, const PathRecord& record) {
    done_ += static_cast<double>(record.columns);
    if (observer_.on_step) {
      observer_.on_step({std::min(1.0, done_ / work_), what, record.columns, unit_ * record.validation_mse});
    }
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  [[nodiscard]] Dictionary draw(const std::vector<int>& orders) const {
    return make_dictionary(draw_weights(frame_->inputs.size(), feature_options(options_, orders)), options_.basis);
  }

  [[nodiscard]] Equations state(const Dictionary& dictionary, const Rows& rows) const {
    return {evaluate(dictionary, rows.X, options_.threads), rows.y};
  }

  [[nodiscard]] Equations state_test(const Dictionary& dictionary) const {
    return test_ ? state(dictionary, *test_) : Equations{};
  }

  [[nodiscard]] std::string name_of(const std::vector<int>& orders, double rate) const {
    FitOptions scratch;
    scratch.orders = {orders};
    scratch.prune_rates = {rate};
    std::string text;
    for (const Parameter& parameter : fit_parameters()) {
      if (parameter.name == "order") text += "order " + parameter.get(scratch);
      if (parameter.name == "prune" && options_.prune_rates.size() > 1) text += ", prune " + parameter.get(scratch);
    }
    return text;
  }

  struct Choice {
    double error = std::numeric_limits<double>::infinity();  // Validation error in scaled units.
    std::size_t columns = std::numeric_limits<std::size_t>::max();
    std::vector<int> orders;
    double rate = 0.0;
    std::size_t step = 0;
    Dictionary dictionary;  // Of the chosen columns.
    std::vector<double> coefficients;
    std::vector<PathRecord> records;
    std::size_t features_drawn = 0;
    std::size_t columns_drawn = 0;

    // Less error wins; equal error goes to the smaller model.
    [[nodiscard]] bool beaten_by(double other_error, std::size_t other_columns) const {
      return other_error < error || (other_error == error && other_columns < columns);
    }
  };

  void keep(const Dictionary& dictionary, const PathStep& step, const PathRecord& record,
            const std::vector<int>& orders, double rate) {
    best_.error = record.validation_mse;
    best_.columns = record.columns;
    best_.orders = orders;
    best_.rate = rate;
    best_.step = record.step;
    best_.dictionary = dictionary.subset(step.columns);
    best_.coefficients = step.coefficients;
    best_.features_drawn = dictionary.weights.size();
    best_.columns_drawn = dictionary.columns();
    if (observer_.on_better) {
      observer_.on_better([frame = frame_, kept = best_.dictionary, c = best_.coefficients,
                           error = unit_ * best_.error] { return build_model(*frame, kept, c, error); });
    }
  }

  void choose_by_held_out_rows() {
    Rows train;
    Rows held;
    const Rows* fitted = &frame_->rows;
    if (!validation_) {
      const RowSplit split = hold_out(frame_->rows.y.size(), options_.validation_fraction, options_.seed);
      train = gather(frame_->rows, split.train);
      held = gather(frame_->rows, split.held_out);
      fitted = &train;
    }
    const Rows& judge = validation_ ? *validation_ : held;
    for (const std::vector<int>& orders : options_.orders) {
      const Dictionary dictionary = draw(orders);
      const Equations equations = state(dictionary, *fitted);
      const Equations held_equations = state(dictionary, judge);
      const Equations test_equations = state_test(dictionary);
      for (const double rate : options_.prune_rates) {
        bool improved = false;
        const auto on_step = [&](const PathStep& step, const PathRecord& record) {
          if (!best_.beaten_by(record.validation_mse, record.columns)) return;
          keep(dictionary, step, record, orders, rate);
          improved = true;
        };
        std::vector<PathRecord> records =
            run_path(equations, held_equations, test_equations, rate, name_of(orders, rate), on_step);
        if (improved) best_.records = std::move(records);
        if (options_.method == Method::min_l2) break;
      }
    }
    if (validation_) return;
    const Matrix A = evaluate(best_.dictionary, frame_->rows.X, options_.threads);
    best_.coefficients = solve_minimum_norm(Matrix(A), frame_->rows.y, options_.rank_tolerance).coefficients;
  }

  // Mean validation error of every step over the folds; folds prune different columns but run through the same sizes.
  std::vector<double> fold_errors(const Dictionary& dictionary, double rate, const std::string& what) {
    std::vector<double> errors;
    const std::vector<RowSplit> splits = fold(frame_->rows.y.size(), options_.folds, options_.seed);
    for (std::size_t k = 0; k < splits.size(); ++k) {
      const Rows train = gather(frame_->rows, splits[k].train);
      const Rows held = gather(frame_->rows, splits[k].held_out);
      const std::string name = fmt::format("{}, fold {} of {}", what, k + 1, splits.size());
      const auto records =
          run_path(state(dictionary, train), state(dictionary, held), {}, rate, name, [](const auto&, const auto&) {});
      errors.resize(records.size(), 0.0);
      for (std::size_t t = 0; t < records.size(); ++t) {
        errors[t] +=
            records[t].validation_mse * static_cast<double>(held.y.size()) / static_cast<double>(frame_->rows.y.size());
      }
    }
    return errors;
  }

  void choose_by_folds() {
    std::vector<double> chosen_errors;
    for (const std::vector<int>& orders : options_.orders) {
      const Dictionary dictionary = draw(orders);
      for (const double rate : options_.prune_rates) {
        const std::vector<double> errors = fold_errors(dictionary, rate, name_of(orders, rate));
        const std::vector<std::size_t> sizes = path_sizes(dictionary.columns(), rate);
        for (std::size_t t = 0; t < errors.size(); ++t) {
          if (!best_.beaten_by(errors[t], sizes[t])) continue;
          best_.error = errors[t];
          best_.columns = sizes[t];
          best_.orders = orders;
          best_.rate = rate;
          best_.step = t;
          chosen_errors = errors;
        }
        if (options_.method == Method::min_l2) break;
      }
    }
    const std::vector<int> orders = best_.orders;
    const double rate = best_.rate;
    const std::size_t chosen = best_.step;
    const Dictionary dictionary = draw(orders);
    const auto on_step = [&](const PathStep& step, PathRecord record) {
      record.validation_mse = chosen_errors[record.step];
      if (record.step == chosen) keep(dictionary, step, record, orders, rate);
    };
    best_.records = run_path(state(dictionary, frame_->rows), {}, state_test(dictionary), rate,
                             name_of(orders, rate) + ", all rows", on_step);
    for (PathRecord& record : best_.records) record.validation_mse = chosen_errors[record.step];
  }

  FitResult finish() {
    FitResult result;
    result.order = best_.orders;
    result.prune_rate = options_.method == Method::min_l2 ? 0.0 : best_.rate;
    result.features_drawn = best_.features_drawn;
    result.columns_drawn = best_.columns_drawn;
    result.validation_mse = unit_ * best_.error;
    result.path = std::move(best_.records);
    result.chosen = best_.step;
    for (PathRecord& record : result.path) {
      record.train_mse *= unit_;
      record.validation_mse *= unit_;
      if (record.test_mse) *record.test_mse *= unit_;
    }
    result.model =
        build_model(*frame_, std::move(best_.dictionary), std::move(best_.coefficients), result.validation_mse);
    result.train_mse = result.model.results["train_mse"];
    result.model.results["features_drawn"] = static_cast<double>(result.features_drawn);
    result.model.results["columns_drawn"] = static_cast<double>(result.columns_drawn);
    result.model.results["pruning_rate"] = result.prune_rate;
    result.model.results["step"] = static_cast<double>(result.chosen);
    result.model.results["lowest_order"] = result.order.front();
    result.model.results["highest_order"] = result.order.back();
    return result;
  }

  const FitOptions& options_;
  const FitObserver& observer_;
  std::shared_ptr<const ModelFrame> frame_;
  std::optional<Rows> validation_;
  std::optional<Rows> test_;
  double unit_ = 1.0;  // Squared errors in the target's own units per squared error in scaled ones.
  double work_ = 0.0;
  double done_ = 0.0;
  Choice best_;
};

}  // namespace

double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options) {
  double largest = 0.0;
  for (const std::vector<int>& orders : options.orders) {
    const auto rows = static_cast<double>(count_weights(d, feature_options(options, orders)));
    const double columns = rows * static_cast<double>(columns_per_weight(options.basis));
    const double weights = rows * (16.0 * static_cast<double>(orders.back()) + 32.0);
    // A, the copy of its columns that a step solves with, and that copy's factors.
    largest = std::max(largest, 3.0 * 8.0 * static_cast<double>(m) * columns + 2.0 * weights);
  }
  return largest + 4.0 * 8.0 * static_cast<double>(m) * static_cast<double>(d);
}

FitResult fit(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test,
              const FitObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  check(train, options, validation, test);
  const BlasThreads blas(options.threads);
  FitResult result = Fitter(train, options, validation, test, observer).run();
  result.threads = thread_count(options.threads);
  result.warnings = constant_column_warnings(train);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace shrimp
