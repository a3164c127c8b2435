#include "fit/baselines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "data/present.hpp"
#include "data/row_weights.hpp"
#include "data/split.hpp"
#include "fit/fit_by_loss.hpp"
#include "ridge/reweighted_ridge.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_rows_to_fit = 10000;

// Operations of one factorisation beyond which there is no linear model: about a second. Chosen by hand.
constexpr double most_operations = 4e9;

// Rows for each column from which on least squares needs no ridge. Chosen by hand.
constexpr std::size_t plenty = 20;

// One input of the linear model.
struct LinearInput {
  double mean = 0.0;
  double scale = 1.0;
  double lowest = 0.0;
  double highest = 0.0;
  std::size_t levels = 0;  // Of a category; 0: a number.
  std::size_t columns = 1;
};

std::vector<LinearInput> linear_inputs(const Dataset& data, std::span<const std::size_t> rows) {
  std::vector<LinearInput> inputs(data.X.cols());
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    LinearInput& input = inputs[j];
    if (!data.columns.empty() && data.columns[j].is_category()) {
      input.levels = input.columns = data.columns[j].levels.size();
      continue;
    }
    std::vector<double> cells;
    for (const std::size_t i : rows) {
      if (!is_missing(data.X(i, j))) cells.push_back(data.X(i, j));
    }
    if (cells.empty()) continue;
    std::tie(input.lowest, input.highest) = range_of_present(cells);
    input.mean = std::accumulate(cells.begin(), cells.end(), 0.0) / static_cast<double>(cells.size());
    double squares = 0.0;
    for (const double cell : cells) squares += (cell - input.mean) * (cell - input.mean);
    if (squares > 0.0) input.scale = std::sqrt(squares / static_cast<double>(cells.size()));
  }
  return inputs;
}

double standardized(const LinearInput& input, double cell) {
  return is_missing(cell) ? 0.0 : (std::clamp(cell, input.lowest, input.highest) - input.mean) / input.scale;
}

// Column of a level's indicator; none for levels that the input does not have.
std::optional<std::size_t> level_of(const LinearInput& input, double cell) {
  if (is_missing(cell) || cell < 0.0 || cell >= static_cast<double>(input.levels)) return std::nullopt;
  return static_cast<std::size_t>(cell);
}

Matrix design_of(const std::vector<LinearInput>& inputs, MatrixView X, std::span<const std::size_t> rows,
                 std::size_t columns) {
  Matrix A(rows.size(), columns);
  std::size_t first = 0;
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const LinearInput& input = inputs[j];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double cell = X(rows[i], j);
      if (input.levels == 0) {
        A(i, first) = standardized(input, cell);
      } else if (const auto level = level_of(input, cell)) {
        A(i, first + *level) = 1.0;
      }
    }
    first += input.columns;
  }
  return A;
}

double linear_sum(const std::vector<LinearInput>& inputs, const ReweightedFit& fit, MatrixView X, std::size_t row) {
  double sum = fit.constant;
  std::size_t first = 0;
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const LinearInput& input = inputs[j];
    if (input.levels == 0) {
      sum += fit.coefficients[first] * standardized(input, X(row, j));
    } else if (const auto level = level_of(input, X(row, j))) {
      sum += fit.coefficients[first + *level];
    }
    first += input.columns;
  }
  return sum;
}

ReweightedFit fit_linear(const Matrix& A, std::span<const double> y, std::span<const double> weights,
                         const LossFunction& loss) {
  const ReweightedProblem problem{rows_of(A), y, weights, loss};
  const double total =
      weights.empty() ? static_cast<double>(y.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
  // Ridges per unit of weight for columns of variance 1. The smallest changes no digit that is shown.
  constexpr std::array<double, 5> ridges = {1e-8, 1e-3, 1e-2, 1e-1, 1.0};
  ReweightedFit best = fit_reweighted(problem, ridges.front() * total);
  if (A.rows() >= plenty * A.cols()) return best;
  double least = std::numeric_limits<double>::infinity();
  for (const double ridge : ridges) {
    ReweightedFit fit = fit_reweighted(problem, ridge * total);
    const std::vector<double> left_out = leave_one_out_sums(problem, ridge * total, fit);
    if (left_out.empty()) continue;
    const double error = mean_loss(loss, y, left_out, weights);
    if (!(error < least)) continue;
    least = error;
    best = std::move(fit);
  }
  return best;
}

// Sums of weighted losses on rows that were held out.
struct Total {
  double weight = 0.0;
  double constant = 0.0;
  double linear = 0.0;
};

Total evaluate(const Dataset& train, std::span<const std::size_t> fitted, const Dataset& held,
               std::span<const std::size_t> rows, const LossFunction& given) {
  std::vector<double> y;
  std::vector<double> weights;
  for (const std::size_t i : fitted) {
    y.push_back(train.y[i]);
    if (!train.weights.empty()) weights.push_back(train.weights[i]);
  }
  const double unit = unit_of_target(given, y, weights);
  const LossFunction loss = given.with_scale(1.0);
  for (double& value : y) value /= unit;
  const double constant = best_constant(loss, y, weights);
  // The location, which would cost digits, is subtracted where the loss depends on differences alone.
  const bool depends_on_differences = !has_link(loss.kind()) && loss.kind() != Loss::custom;
  const double shift = depends_on_differences ? constant : 0.0;
  for (double& value : y) value -= shift;
  const std::vector<LinearInput> inputs = linear_inputs(train, fitted);
  std::size_t columns = 0;
  for (const LinearInput& input : inputs) columns += input.columns;
  const double operations = static_cast<double>(fitted.size()) * std::pow(static_cast<double>(columns), 2);
  std::optional<ReweightedFit> linear;
  if (operations <= most_operations) {
    linear = fit_linear(design_of(inputs, train.X, fitted, columns), y, weights, loss);
  }
  Total total;
  const LossFunction reported = loss.reported();
  const double unit_of_loss = std::pow(unit, loss.objective().degree(loss.parameters()));
  for (const std::size_t i : rows) {
    const double weight = weight_of(held, i);
    const double target = held.y[i] / unit - shift;
    total.weight += weight;
    total.constant += unit_of_loss * weight * reported.of(target, constant - shift);
    total.linear += linear ? unit_of_loss * weight * reported.of(target, linear_sum(inputs, *linear, held.X, i))
                           : std::numeric_limits<double>::quiet_NaN();
  }
  return total;
}

std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.y.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> sampled(std::vector<std::size_t> rows, std::uint64_t seed) {
  if (rows.size() <= most_rows_to_fit) return rows;
  std::vector<std::size_t> some;
  for (const std::size_t k : permutation(rows.size(), seed)) {
    some.push_back(rows[k]);
    if (some.size() == most_rows_to_fit) break;
  }
  std::ranges::sort(some);
  return some;
}

}  // namespace

Baselines baseline_losses(const Dataset& train, const HeldOutParts& parts, const Dataset* held,
                          const LossFunction& loss, std::uint64_t seed) {
  std::vector<Total> totals(std::max<std::size_t>(parts.size(), held != nullptr ? 1 : 0));
  parallel_for(totals.size(), [&](std::size_t k) {
    if (held != nullptr) {
      totals[k] = evaluate(train, sampled(all_rows(train), seed), *held, all_rows(*held), loss);
      return;
    }
    std::vector<bool> is_out(train.y.size(), false);
    for (const std::size_t i : parts[k]) is_out[i] = true;
    std::vector<std::size_t> rest = all_rows(train);
    std::erase_if(rest, [&](std::size_t i) { return is_out[i]; });
    totals[k] = evaluate(train, sampled(std::move(rest), seed), train, parts[k], loss);
  });
  Total sum;
  for (const Total& total : totals) {
    sum.weight += total.weight;
    sum.constant += total.constant;
    sum.linear += total.linear;
  }
  return {sum.constant / sum.weight, sum.linear / sum.weight};
}

void add_baselines(const Dataset& train, const HeldOutParts& parts, const Dataset* held, const FitOptions& options,
                   std::map<std::string, double>& results) {
  if (parts.empty() && held == nullptr) return;
  const LossFunction loss = loss_function(options).with_scale_in(results);
  const Baselines found = baseline_losses(train, parts, held, loss, options.seed);
  const Metric& metric = loss.objective().metric;
  for (const auto& [name, value] :
       {std::pair("baseline_mean_", found.constant), std::pair("baseline_linear_", found.linear)}) {
    if (std::isfinite(value)) results[name + std::string(metric.key)] = metric.factor * value;
  }
}

}  // namespace shrimp
