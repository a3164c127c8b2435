#include "shrimp/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "data/memory.hpp"
#include "data/standardize.hpp"
#include "fit/grow_and_prune.hpp"
#include "fit/selection.hpp"
#include "methods/recipe.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Squares of larger values could overflow.
constexpr double largest_value = 1e150;

void check_values(const Dataset& data, const char* what) {
  const std::string place = data.source.empty() ? fmt::format("{} data", what) : data.source;
  for (std::size_t j = 0; j <= data.X.cols(); ++j) {
    const std::span<const double> column = j < data.X.cols() ? data.X.col(j) : std::span<const double>(data.y);
    const std::string& name = j < data.X.cols() ? data.inputs[j] : data.target;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (std::abs(column[i]) <= largest_value) continue;
      throw DataError(
          fmt::format("{} row {}, column \"{}\": {} is {}.\nDrop the row, or give the column in other units.", place,
                      i + 1, name, column[i], std::isfinite(column[i]) ? "too large" : "not a finite number"));
    }
  }
  if (!data.weights.empty() && data.weights.size() != data.y.size()) throw DataError("there must be one weight a row.");
  double total = 0.0;
  for (std::size_t i = 0; i < data.weights.size(); ++i) {
    total += data.weights[i];
    if (data.weights[i] >= 0.0 && data.weights[i] <= largest_value) continue;
    throw DataError(
        fmt::format("{} row {}: the weight {} is not a number of 0 or more.", place, i + 1, data.weights[i]));
  }
  if (!data.weights.empty() && !(total > 0.0)) throw DataError(fmt::format("{}: every weight is 0.", place));
}

void check_same_inputs(const Dataset& other, const Dataset& train, const char* what) {
  if (other.inputs != train.inputs)
    throw DataError(fmt::format("the {} data have other inputs than the training data.", what));
  if (other.y.empty()) throw DataError(fmt::format("the {} data have no rows.", what));
  check_values(other, what);
}

// The automatic method draws what its terms need; the others must be able to draw what was asked for.
void check_columns(std::size_t m, std::size_t d, const FitOptions& options) {
  const FitOptions complete = complete_options(options, d);
  if (options.method == Method::automatic) return;
  for (const std::vector<int>& orders : complete.orders) {
    const std::size_t columns = Recipe(complete).count_columns(m, d, orders);
    if (columns == 0) {
      throw OptionError(fmt::format("features {} is too few for so many orders.\nGive at least one feature for each.",
                                    options.features));
    }
    for (const std::size_t s : options.sparsities) {
      if (s <= columns) continue;
      throw OptionError(
          fmt::format("sparsity {} is more than the {} columns.\nGive at most one a column, or all.", s, columns));
    }
  }
}

void check(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test) {
  const std::size_t m = train.y.size();
  if (train.X.cols() == 0 || train.X.rows() != m || train.inputs.size() != train.X.cols()) {
    throw DataError("the training data need one value of the target and of every input in each row.");
  }
  check_values(train, "training");
  if (validation != nullptr) check_same_inputs(*validation, train, "validation");
  if (test != nullptr) check_same_inputs(*test, train, "test");
  const bool unnamed = std::ranges::any_of(options.orders, [](const std::vector<int>& mix) { return mix.empty(); });
  if (unnamed) throw OptionError("order names no order.\nGive one, as in order 2.");
  // The table of parameters knows the ranges: reading back what it writes checks them.
  for (const Parameter& parameter : fit_parameters()) {
    FitOptions scratch;
    parameter.set(scratch, parameter.get(options));
  }
  check_columns(m, train.X.cols(), options);
  if (m < 2 && validation == nullptr)
    throw DataError("there is only one row.\nGive at least two: one to fit and one to choose by.");
  if (options.folds > m) {
    throw OptionError(
        fmt::format("folds {} is more than the {} rows.\nGive at most one fold a row.", options.folds, m));
  }
}

// Whether A is to be kept; throws OptionError where the fit does not fit in memory.
bool choose_storage(std::size_t m, std::size_t d, FitOptions options) {
  if (options.method == Method::automatic) options.storage = Storage::keep;
  if (Recipe(options).needs_stored_A()) options.storage = Storage::keep;
  const double free = available_memory(options.memory);
  if (options.storage != Storage::recompute && estimate_fit_memory(m, d, options, true) <= free) return true;
  const bool keep = options.storage == Storage::keep;
  const double needed = estimate_fit_memory(m, d, options, keep);
  if (needed <= free) return false;
  throw OptionError(
      fmt::format("this fit needs about {} of memory, but {} may be used.\n"
                  "Give fewer features (features {} asks for most of it) or fewer rows{}.",
                  format_bytes(needed), format_bytes(free), options.features, keep ? ", or storage auto" : ""));
}

FitResult make_result(const ModelFrame& frame, Choice choice) {
  const double unit = frame.scaling.target_scale * frame.scaling.target_scale;
  FitResult result;
  result.order = choice.orders;
  result.prune_rate = Recipe(frame.options).prunes_by_rate() ? choice.rate : 0.0;
  result.ridge = choice.ridge;
  result.penalty = choice.penalty;
  result.converged = choice.converged;
  result.gap = choice.gap;
  result.features_drawn = choice.features_drawn;
  result.columns_drawn = choice.columns_drawn;
  result.validation_mse = unit * choice.error;
  result.chosen = choice.step;
  result.path = std::move(choice.records);
  for (PathRecord& record : result.path) {
    record.train_mse *= unit;
    record.validation_mse *= unit;
    if (record.test_mse) *record.test_mse *= unit;
  }
  result.model = build_model(frame, std::move(choice.dictionary), std::move(choice.coefficients), choice.constant,
                             result.validation_mse, choice.train_mse);
  if (choice.limits_target && frame.options.clip) {
    const auto [lowest, highest] = std::ranges::minmax(frame.rows.y);
    const double margin = *frame.options.clip * (highest - lowest);
    const auto in_own_units = [&](double y) { return frame.scaling.target_mean + frame.scaling.target_scale * y; };
    result.model.scaling.target_lowest = in_own_units(lowest - margin);
    result.model.scaling.target_highest = in_own_units(highest + margin);
  }
  for (Term& term : result.model.terms) {
    if (const auto found = choice.chances.find(term.variables); found != choice.chances.end()) {
      term.chance = found->second;
    }
  }
  std::map<std::string, double>& results = result.model.results;
  result.train_mse = results["train_mse"];
  results["features_drawn"] = static_cast<double>(result.features_drawn);
  results["columns_drawn"] = static_cast<double>(result.columns_drawn);
  results["pruning_rate"] = result.prune_rate;
  results["ridge"] = result.ridge;
  if (result.penalty > 0.0) results["penalty"] = result.penalty;
  results["step"] = static_cast<double>(result.chosen);
  results["lowest_order"] = result.order.front();
  results["highest_order"] = result.order.back();
  const bool kernel_ridge = frame.options.method == Method::salsa || frame.options.method == Method::krr;
  if (kernel_ridge && choice.rank < result.model.coefficients.size()) {
    result.warnings.push_back(
        fmt::format("the kernel matrix is singular, of rank {} for {} rows: the least-norm solution was taken.",
                    choice.rank, result.model.coefficients.size()));
  }
  return result;
}

}  // namespace

double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A) {
  if (options.method == Method::automatic) return estimate_grow_memory(m, d, options);
  const FitOptions complete = complete_options(options, d);
  const Recipe recipe(complete);
  double largest = 0.0;
  for (const std::vector<int>& orders : complete.orders) {
    const auto columns = static_cast<double>(recipe.count_columns(m, d, orders));
    const double weights = columns * (16.0 * static_cast<double>(orders.back()) + 32.0);
    // A and, of the smaller size squared, what a step factorises; folds and tall data copy A once, and several rates
    // share Gram matrices. Without A there are blocks of it.
    const auto rows = static_cast<double>(m);
    const double small = std::min(rows, columns);
    const double copies = options.folds > 0 || rows >= columns ? 2.0 : complete.prune_rates.size() > 1 ? 1.75 : 1.0;
    const double blocks = rows >= columns ? 4.0 * columns * columns : 2048.0 * rows;
    const double entries = (keep_A ? copies * rows * columns : blocks) + 8.0 * small * small;
    largest = std::max(largest, 8.0 * entries + 4.0 * weights);
  }
  return largest + 4.0 * 8.0 * static_cast<double>(m) * static_cast<double>(d);
}

FitResult fit(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test,
              const FitObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  check(train, options, validation, test);
  const ThreadScope scope(options.threads);
  auto frame = std::make_shared<ModelFrame>();
  frame->inputs = train.inputs;
  frame->target = train.target;
  frame->scaling = options.standardize ? standardizing(train) : Scaling::none(train.inputs.size());
  if (options.method == Method::automatic && options.clip) limit_inputs(frame->scaling, train.X, *options.clip);
  frame->options = complete_options(options, train.inputs.size());
  frame->orders_upward = options.orders.empty();
  frame->validated_by_file = validation != nullptr;
  frame->rows = scale(train, frame->scaling);
  const std::size_t judging =
      (validation != nullptr ? validation->y.size() : 0) + (test != nullptr ? test->y.size() : 0);
  frame->stores_A = choose_storage(train.y.size() + judging, train.inputs.size(), frame->options);
  std::optional<Rows> judged;
  std::optional<Rows> tested;
  if (validation != nullptr) judged = scale(*validation, frame->scaling);
  if (test != nullptr) tested = scale(*test, frame->scaling);
  const Rows* const judging_rows = judged ? &*judged : nullptr;
  const Rows* const test_rows = tested ? &*tested : nullptr;
  Choice choice = options.method == Method::automatic ? grow_and_prune(frame, judging_rows, test_rows, observer)
                                                      : select(frame, judging_rows, test_rows, observer);
  FitResult result = make_result(*frame, std::move(choice));
  result.threads = thread_count(options.threads);
  for (std::string& warning : constant_column_warnings(train)) result.warnings.push_back(std::move(warning));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace shrimp
