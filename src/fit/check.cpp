#include "fit/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/present.hpp"
#include "data/row_weights.hpp"
#include "data/split.hpp"
#include "data/target_form.hpp"
#include "fit/device_choice.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"

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
      if (std::abs(column[i]) <= largest_value || (j < data.X.cols() && is_missing(column[i]))) continue;
      throw DataError(
          fmt::format("{} row {}, column \"{}\": {} is {}.\nDrop the row, or give the column in other units.", place,
                      i + 1, name, column[i], std::isfinite(column[i]) ? "too large" : "not a finite number"));
    }
  }
  if (!data.weights.empty() && data.weights.size() != data.y.size())
    throw DataError("the number of weights differs from the number of rows.\nGive one weight per row.");
  if (!data.groups.empty() && data.groups.size() != data.y.size())
    throw DataError("the number of groups differs from the number of rows.\nGive one group per row.");
  double total = 0.0;
  for (std::size_t i = 0; i < data.weights.size(); ++i) {
    total += data.weights[i];
    if (data.weights[i] >= 0.0 && data.weights[i] <= largest_value) continue;
    throw DataError(
        fmt::format("{} row {}: the weight {} is not a number of 0 or more.", place, i + 1, data.weights[i]));
  }
  if (!data.weights.empty() && !(total > 0.0))
    throw DataError(fmt::format("{}: every weight is 0.\nGive weights above 0.", place));
}

const char* of_weighted_rows(const Dataset& data) { return data.weights.empty() ? "" : " with a weight above 0"; }

// What others than method auto do not take.
void check_kinds(const Dataset& data, const FitOptions& options) {
  constexpr const char* way_out = "Use method auto, or ignore the column.";
  if (method_named(options.method).candidates == nullptr) return;
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    if (!data.columns.empty() && data.columns[j].is_category()) {
      throw OptionError(fmt::format("\"{}\" is a category, but method {} needs numbers.\n{}", data.inputs[j],
                                    options.method, way_out));
    }
    const auto missing = std::ranges::find_if(data.X.col(j), is_missing);
    if (missing == data.X.col(j).end()) continue;
    throw OptionError(
        fmt::format("\"{}\" has missing cells (row {} is nan), but method {} needs a number in every cell.\n{}",
                    data.inputs[j], missing - data.X.col(j).begin() + 1, options.method, way_out));
  }
}

void check_same_inputs(const Dataset& other, const Dataset& train, const char* what) {
  if (other.inputs != train.inputs)
    throw DataError(fmt::format("the {} data and the training data have different inputs.", what));
  if (other.y.empty()) throw DataError(fmt::format("the {} data have no rows.", what));
  check_values(other, what);
}

// Of a form that was asked for; one that is chosen suits the training data.
void check_target_form(const Dataset& data, const FitOptions& options, const char* what) {
  if (!options.terms.target_form || can_take_form(data.y, *options.terms.target_form)) return;
  const TargetForm form = *options.terms.target_form;
  const std::string place = data.source.empty() ? fmt::format("{} data", what) : data.source;
  const auto bad = std::ranges::find_if(data.y, [&](double y) { return !can_take_form({&y, 1}, form); });
  throw DataError(
      fmt::format("{} row {}, column \"{}\": {} has no {}.\nUse target-transform identity, or drop the row.", place,
                  bad - data.y.begin() + 1, data.target, *bad, form == TargetForm::log ? "logarithm" : "square root"));
}

// The parameters that were set although the method does nothing with them.
std::vector<std::string_view> ignored_parameters(const FitOptions& options) {
  std::vector<std::string_view> ignored;
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.get(options) == parameter.get(FitOptions())) continue;
    if (!method_takes(options.method, parameter.name)) ignored.push_back(parameter.name);
  }
  return ignored;
}

std::string place_of(const Dataset& data, const char* what) {
  return data.source.empty() ? fmt::format("{} data", what) : data.source;
}

void check_exposure(const Dataset& data, const std::string& place) {
  if (data.exposure.size() != data.y.size())
    throw DataError("the number of exposures differs from the number of rows.\nGive one exposure per row.");
  for (std::size_t i = 0; i < data.exposure.size(); ++i) {
    if (data.exposure[i] > 0.0 && data.exposure[i] <= largest_value) continue;
    throw DataError(fmt::format("{} row {}: the exposure {} is not a number above 0.\nCorrect or drop the row.", place,
                                i + 1, data.exposure[i]));
  }
}

// Whether the target is what the loss is for.
void check_loss(const Dataset& data, const FitOptions& options, const char* what) {
  const Loss loss = options.loss;
  const std::string place = place_of(data, what);
  if ((loss == Loss::custom) != (options.custom_loss != nullptr)) {
    throw OptionError("loss custom and a loss function are given one without the other.\nGive both or neither.");
  }
  if (loss != Loss::squared && options.terms.target_form) {
    throw OptionError(fmt::format(
        "target-transform applies to loss squared only, but the loss is {}.\nRemove one of the two options.",
        name_of(loss)));
  }
  if (!data.exposure.empty()) {
    check_takes_exposure(options);
    check_exposure(data, place);
  }
  const TargetRange& range = objective_of(loss).target;
  bool any_positive = false;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    any_positive = any_positive || (data.y[i] > 0.0 && weight_of(data, i) > 0.0);
    if (range.contains(data.y[i])) continue;
    throw DataError(fmt::format("{} row {}, column \"{}\": {} is not a {}.\n{}", place, i + 1, data.target, data.y[i],
                                range.description, range.remedy));
  }
  if (range.needs_positive && !any_positive) {
    throw DataError(fmt::format("{}: every value of \"{}\" is 0{}.\nGive rows with values above 0, too.", place,
                                data.target, data.weights.empty() ? "" : " in rows with a weight above 0"));
  }
}

std::size_t count_classes(const Dataset& train, Loss loss) {
  if (loss == Loss::logistic) return 2;
  if (!train.classes.empty()) return train.classes.size();
  return static_cast<std::size_t>(*std::ranges::max_element(train.y)) + 1;
}

// Validation rows need all classes, too. A weight of 2 counts as the row twice.
void check_classes(const Dataset& train, Loss loss) {
  const std::size_t classes = count_classes(train, loss);
  if (classes < 2 || classes > train.y.size()) {
    throw DataError(fmt::format("{}: \"{}\" has {} class{}, but {}.\n{}", place_of(train, "training"), train.target,
                                classes, classes == 1 ? "" : "es",
                                classes < 2 ? "two are needed" : fmt::format("there are {} rows", train.y.size()),
                                classes < 2 ? "Give rows of two classes or more."
                                            : "Number the classes from 0, or use loss squared for numbers."));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    const auto which = static_cast<double>(k);
    std::size_t rows = 0;
    double largest = 0.0;
    for (std::size_t i = 0; i < train.y.size(); ++i) {
      if (train.y[i] != which || !(weight_of(train, i) > 0.0)) continue;
      ++rows;
      largest = std::max(largest, weight_of(train, i));
    }
    if (rows > 1 || largest >= 2.0) continue;
    const std::string name = train.classes.empty() ? fmt::format("{}", which) : train.classes[k];
    throw DataError(fmt::format(
        "{}: class {} of \"{}\" has {} row{}{}, but 2 are needed.\nGive more rows of this class.",
        place_of(train, "training"), name, train.target, rows, rows == 1 ? "" : "s", of_weighted_rows(train)));
  }
}

// The size of the dictionary, which is often the same for all methods that are tried.
bool is_size(std::string_view parameter) { return parameter == "order" || parameter == "features"; }

void check_taken(const FitOptions& options) {
  for (const std::string_view name : ignored_parameters(options)) {
    if (is_size(name)) continue;
    const auto takers = methods_that_take(name);
    throw OptionError(fmt::format("{} has no effect on method {}.\nRemove it, or use {} {}.", name, options.method,
                                  takers.size() == 1 ? "method" : "one of the methods", fmt::join(takers, ", ")));
  }
}

// A method that grows its terms draws what these need; the others must be able to draw what was asked for.
void check_columns(TableSize size, const FitOptions& options) {
  const Method& method = method_named(options.method);
  const FitOptions complete = complete_options(options, size.d);
  if (method.candidates == nullptr) return;
  for (const std::vector<int>& orders : complete.orders) {
    const std::size_t columns = method.count_columns(size, orders, complete);
    if (columns == 0) {
      throw OptionError(
          fmt::format("features {} is less than the number of orders.\nGive at least one feature per order.",
                      options.draw.features));
    }
    for (const std::size_t s : options.sparse.sparsities) {
      if (s <= columns) continue;
      throw OptionError(
          fmt::format("sparsity {} is more than the {} basis functions.\nGive a smaller number, or all.", s, columns));
    }
  }
}

}  // namespace

void check_fit(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test) {
  const std::size_t m = train.y.size();
  if (train.X.cols() == 0 || train.X.rows() != m || train.inputs.size() != train.X.cols()) {
    throw DataError(
        "the target and the inputs differ in their number of rows.\nGive one value of the target and of every input in "
        "each row.");
  }
  check_values(train, "training");
  check_kinds(train, options);
  if (validation != nullptr) check_same_inputs(*validation, train, "validation");
  if (test != nullptr) check_same_inputs(*test, train, "test");
  const bool unnamed = std::ranges::any_of(options.orders, [](const std::vector<int>& mix) { return mix.empty(); });
  if (unnamed) throw OptionError("order is empty.\nGive an order, such as order 2.");
  // The table of parameters knows the ranges: reading back what it writes checks them.
  for (const Parameter& parameter : fit_parameters()) {
    FitOptions scratch;
    parameter.set(scratch, parameter.get(options));
  }
  check_taken(options);
  (void)choose_device(options);  // Throws where there is none.
  check_target_form(train, options, "training");
  if (validation != nullptr) check_target_form(*validation, options, "validation");
  if (test != nullptr) check_target_form(*test, options, "test");
  check_loss(train, options, "training");
  if (options.loss == Loss::logistic || options.loss == Loss::multinomial) check_classes(train, options.loss);
  if (validation != nullptr) check_loss(*validation, options, "validation");
  if (validation != nullptr && options.loss == Loss::multinomial) {
    const double classes = static_cast<double>(count_classes(train, options.loss));
    const auto unknown = std::ranges::find_if(validation->y, [&](double y) { return y >= classes; });
    if (unknown != validation->y.end()) {
      throw DataError(fmt::format("{} row {}: class {} does not occur in the training rows.\nDrop the row.",
                                  place_of(*validation, "validation"), unknown - validation->y.begin() + 1, *unknown));
    }
  }
  if (test != nullptr) check_loss(*test, options, "test");
  if (options.choice.blocks && !train.groups.empty())
    throw OptionError("groups and blocks exclude each other.\nGive only one of them.");
  check_columns({m, train.X.cols()}, options);
  const std::size_t weighted = count_weighted_rows(train);
  if (weighted < 2 && validation == nullptr) {
    throw DataError(
        fmt::format("the table has only one row{}.\nGive at least two: one for training and one for validation.",
                    of_weighted_rows(train)));
  }
  if (options.choice.folds > weighted) {
    throw OptionError(fmt::format("folds {} is more than the {} rows{}.\nGive at most one fold per row.",
                                  options.choice.folds, weighted, of_weighted_rows(train)));
  }
}

void check_takes_exposure(const FitOptions& options) {
  if (options.loss == Loss::poisson) return;
  throw OptionError(fmt::format("exposure applies to counts, but the loss is {}.\nUse loss poisson, or give weights.",
                                name_of(options.loss)));
}

void check_groups(const Dataset& rows, const FitOptions& options) {
  if (rows.groups.empty()) return;
  const std::size_t groups = count_groups(rows.groups);
  const char* const what = options.choice.blocks ? "block" : "group";
  if (groups < 2) {
    throw DataError(
        fmt::format("all {} rows belong to one {}, but two are needed.\nGive one for training and one for validation.",
                    rows.y.size(), what));
  }
  if (options.choice.folds > groups) {
    throw OptionError(fmt::format("folds {} is more than the {} {}s.\nGive at most one fold per {}.",
                                  options.choice.folds, groups, what, what));
  }
}

std::vector<std::string> ignored_option_warnings(const FitOptions& options) {
  std::vector<std::string> warnings;
  for (const std::string_view name : ignored_parameters(options)) {
    warnings.push_back(fmt::format("{} has no effect on method {}.", name, options.method));
  }
  return warnings;
}

}  // namespace shrimp
