#include "grow/finish_by_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/grouped_rows.hpp"
#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "linalg/small.hpp"
#include "path/refit.hpp"
#include "ridge/lambda_search.hpp"
#include "ridge/reweighted_ridge.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Steps of λ while it is searched, first wide ones and then narrow ones. Three narrow steps make a wide one.
constexpr double wide_step = 10.0;
constexpr double narrow_step = 2.1544346900318843;

// λ is chosen on at most this many rows: more would hardly move it. Chosen by hand.
constexpr std::size_t most_rows_to_choose_on = 1500;

// Relative precision of (1) in ridge/reweighted_ridge.hpp while λ is searched. Chosen by hand.
constexpr double precision_of_search = 1e-6;

double total_of(std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return static_cast<double>(rows);
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return total;
}

ReweightedProblem problem_of(const Matrix& A, const Rows& rows, const LossToFinish& how, double precision) {
  return {rows_of(A), rows.y, rows.weights, how.loss, how.check, how.is_over, precision};
}

// Rows of a group next to each other; all rows as they are if there are no groups.
struct OrderedRows {
  explicit OrderedRows(const Rows& all) : grouped(all.groups) {
    if (grouped.starts) sorted = gather(all, grouped.order);
  }
  GroupOrder grouped;
  Rows sorted;
};

// The leading directions near the best constant.
Matrix leading_directions(const Matrix& A, const Rows& rows, const LossFunction& loss, double lambda) {
  const double constant = best_constant(loss, rows.y, rows.weights);
  std::vector<double> roots(A.rows());
  const std::vector<WorkingRow> working = loss.working_rows(rows.y, std::vector<double>(rows.size(), constant));
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[i];
    roots[i] = std::sqrt(weight * working[i].weight);
  }
  return leading_directions(A, roots, lambda);
}

struct TriedRidge {
  double lambda = 0.0;
  ReweightedFit fit;
  double error = std::numeric_limits<double>::infinity();
};

// The λ of the least approximate leave-one-out loss. Rows of a group are next to each other.
class RidgeSearch {
 public:
  RidgeSearch(const ReweightedProblem& problem, const Rows& rows, GroupStarts starts)
      : problem_(problem), rows_(rows), starts_(std::move(starts)) {}

  /// Begins above the start and goes down to the first λ that is better than both of its neighbours, else up: with many
  /// basis functions, leave-one-out losses can fall again where λ is negligible.
  TriedRidge near(RidgeRange range) {
    constexpr double above = 100.0;
    constexpr double rounding = 0.999;
    least_ = rounding * range.least;
    best_ = tried(above * range.start);
    if (!walk(1.0 / wide_step)) walk(wide_step);
    if (!walk(narrow_step)) walk(1.0 / narrow_step);
    return std::move(best_);
  }

 private:
  [[nodiscard]] TriedRidge tried(double lambda) const {
    TriedRidge tried{lambda, fit_reweighted(problem_, lambda, best_.lambda > 0.0 ? &best_.fit : nullptr)};
    const std::vector<double> left_out = leave_one_out_sums(problem_, lambda, tried.fit, starts_);
    if (!left_out.empty()) {
      tried.error = losses_to_choose_by(problem_.loss, rows_, left_out, count_units(rows_)).mean;
    }
    return tried;
  }

  /// Whether λ moved.
  bool walk(double factor) {
    constexpr int most_steps = 12;
    return walk_lambda(best_, factor, most_steps, [&](double lambda) -> std::optional<TriedRidge> {
      if (lambda < least_ || (problem_.is_over && problem_.is_over())) return std::nullopt;
      return tried(lambda);
    });
  }

  const ReweightedProblem& problem_;
  const Rows& rows_;
  GroupStarts starts_;
  double least_ = 0.0;
  TriedRidge best_;
};

// Losses of refitted folds.
class FoldLosses {
 public:
  FoldLosses(const Matrix& A, const Rows& rows, const LossToFinish& how, std::uint64_t seed)
      : A_(A), rows_(rows), how_(how), folds_(fold(rows, std::min<std::size_t>(5, count_units(rows)), seed)) {}

  /// λ, or more of it while that is better.
  [[nodiscard]] double raised(const TriedRidge& found) const {
    constexpr int most_steps = 9;
    TriedLambda best{found.lambda, at(found.lambda, found.fit)};
    walk_lambda(best, narrow_step, most_steps, [&](double lambda) -> std::optional<TriedLambda> {
      if (is_over()) return std::nullopt;
      const double error = at(lambda, found.fit);
      if (is_over()) return std::nullopt;  // Fits that were cut short have no meaning.
      return TriedLambda{lambda, error};
    });
    return best.lambda;
  }

 private:
  [[nodiscard]] bool is_over() const { return how_.is_over && how_.is_over(); }

  [[nodiscard]] double at(double lambda, const ReweightedFit& start) const {
    std::vector<double> sums(rows_.size());
    parallel_for(folds_.size(), [&](std::size_t k) {
      const Matrix own = gather_rows(A_, folds_[k].train);
      const Rows train = gather(rows_, folds_[k].train);
      const ReweightedFit fit = fit_reweighted(problem_of(own, train, how_, precision_of_search), lambda, &start);
      const std::vector<double> held = multiply(gather_rows(A_, folds_[k].held_out), fit.coefficients);
      for (std::size_t i = 0; i < held.size(); ++i) sums[folds_[k].held_out[i]] = fit.constant + held[i];
    });
    return losses_to_choose_by(how_.loss, rows_, sums, count_units(rows_)).mean;
  }

  const Matrix& A_;
  const Rows& rows_;
  const LossToFinish& how_;
  std::vector<RowSplit> folds_;
};

// A class is the other one with the probability `doubt`.
RowErrors losses_with_doubt(const LossFunction& loss, const Rows& rows, std::span<const double> sums, double doubt) {
  RowErrors losses;
  const auto m = static_cast<double>(rows.size());
  const double unit = rows.total_weight() / m;
  const std::vector<double> values = loss.values(rows.y, sums);
  std::vector<double> of_other_class;
  if (doubt > 0.0) {
    std::vector<double> others(rows.y);
    for (double& y : others) y = 1.0 - y;
    of_other_class = loss.values(others, sums);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[i] / unit;
    double own = values[i];
    if (doubt > 0.0) own += doubt * (of_other_class[i] - own);
    losses.squares.push_back(weight * own);
    losses.mean += losses.squares.back() / m;
  }
  losses.group(rows.groups);
  return losses;
}

// λ, chosen on some of the rows.
double choose_ridge(const BasisExpansion& basis, const Rows& all, RidgeRange range, const LossToFinish& how,
                    std::uint64_t seed) {
  Rows some;
  if (all.size() > most_rows_to_choose_on) some = gather(all, sample_rows(all, most_rows_to_choose_on, seed));
  const OrderedRows ordered(some.size() > 0 ? some : all);
  const Rows& rows = ordered.grouped.starts ? ordered.sorted : some.size() > 0 ? some : all;
  const Matrix A = basis.evaluate_at(rows.X);
  const Matrix condensed = multiply(A, leading_directions(A, rows, how.loss, range.start));
  const ReweightedProblem problem = problem_of(condensed, rows, how, precision_of_search);
  const TriedRidge found = RidgeSearch(problem, rows, ordered.grouped.starts).near(range);
  if (how.is_over && how.is_over()) return range.start;  // The search may have been cut short far above.
  if (count_units(rows) < 2) return found.lambda;
  return FoldLosses(condensed, rows, how, seed).raised(found);
}

}  // namespace

Matrix leading_directions(const Matrix& A, std::span<const double> roots, double lambda) {
  constexpr double smallest_fraction = 1e-4;
  const double total = squared_norm(roots);
  Matrix B(A);
  scale_rows(B, roots);
  const std::vector<double> means = multiply_transposed(B, roots);
  for (std::size_t j = 0; j < B.cols(); ++j) add_scaled(B.col(j), -means[j] / total, roots);
  Matrix G(A.cols(), A.cols());
  add_gram_of_columns(G, B);
  const SymmetricEigen eigen = symmetric_eigen(std::move(G));
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < eigen.values.size(); ++k) {
    if (eigen.values[k] > smallest_fraction * lambda) kept.push_back(k);
  }
  if (kept.empty()) kept.push_back(eigen.values.size() - 1);
  return gather_columns(eigen.Q, kept);
}

Matrix BasisExpansion::evaluate_at(MatrixView X) const {
  if (size() == 0) return Matrix(X.rows, 0);
  if (!kernel_) return terms_.evaluate_at(X);
  Matrix A = Matrix::uninitialized(X.rows, size());
  const Matrix terms = terms_.scales.empty() ? Matrix() : terms_.evaluate_at(X);
  const Matrix features = transpose(kernel_->transposed_at(X));
  const std::size_t first = terms_.scales.size();
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::ranges::copy(j < first ? terms.col(j) : features.col(j - first), A.col(j).begin());
  }
  return A;
}

Finished BasisExpansion::model(double constant, std::span<const double> coefficients, double lambda) const {
  Finished model;
  const std::size_t count = terms_.scales.size();
  model.dictionary = terms_.dictionary.subset(all_columns(count));
  model.scales = terms_.scales;
  for (std::size_t k = 0; k < count; ++k) model.coefficients.push_back(terms_.scales[k] * coefficients[k]);
  if (kernel_) {
    model.dictionary.append(kernel_->sections());
    model.scales.resize(size(), kernel_->shape().amplitude);
    for (const double value : kernel_->section_coefficients(coefficients.subspan(count), 1.0)) {
      model.coefficients.push_back(value);
    }
  }
  model.constant = constant;
  model.ridge = lambda;
  model.features_drawn = model.dictionary.weights.size();
  model.basis_functions_drawn = size();
  sort_columns(model);
  return model;
}

WorkingRows working_rows(const Rows& rows, const LossFunction& loss, std::span<const double> sums) {
  WorkingRows working;
  working.rows = {Matrix(rows.X), {}, {}, rows.groups, rows.in_order, rows.kinds};
  const std::vector<WorkingRow> own = loss.working_rows(rows.y, sums, loss.objective().curvature_of_search);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    working.rows.y.push_back(own[i].response);
    working.rows.weights.push_back(own[i].weight * (rows.weights.empty() ? 1.0 : rows.weights[i]));
  }
  working.mean_weight = total_of(working.rows.weights, rows.size()) / rows.total_weight();
  for (double& weight : working.rows.weights) weight /= working.mean_weight;
  return working;
}

RowErrors losses_of(const LossFunction& loss, const Rows& rows, std::span<const double> sums) {
  return losses_with_doubt(loss, rows, sums, 0.0);
}

RowErrors losses_to_choose_by(const LossFunction& loss, const Rows& rows, std::span<const double> sums,
                              std::size_t units) {
  const double doubt = loss.kind() == Loss::logistic ? rows_in_doubt / (static_cast<double>(units) + 1.0) : 0.0;
  return losses_with_doubt(loss, rows, sums, doubt);
}

double squared_error_of_mean(const LossFunction& loss, const Rows& rows, std::span<const double> sums) {
  double squares = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double rest = rows.y[i] - loss.mean(sums[i]);
    squares += (rows.weights.empty() ? 1.0 : rows.weights[i]) * rest * rest;
  }
  return squares / rows.total_weight();
}

ExpansionFit fit_expansion(const BasisExpansion& basis, const Rows& all, RidgeRange range, const LossToFinish& how,
                           std::uint64_t seed) {
  const bool chooses = !how.ridge && basis.size() > 0;
  const double lambda = chooses ? choose_ridge(basis, all, range, how, seed) : how.ridge.value_or(range.start);
  const OrderedRows ordered(all);
  const Rows& rows = ordered.grouped.starts ? ordered.sorted : all;
  constexpr double precision = 1e-10;
  const Matrix A = basis.evaluate_at(rows.X);
  const ReweightedProblem problem = problem_of(A, rows, how, precision);
  ReweightedFit fit = fit_reweighted(problem, lambda);
  std::vector<double> left_out = leave_one_out_sums(problem, lambda, fit, ordered.grouped.starts);
  const bool is_known = !left_out.empty();
  ExpansionFit result;
  result.lambda = lambda;
  result.model = basis.model(fit.constant, fit.coefficients, lambda);
  result.left_out_sums = is_known ? std::move(left_out) : fit.sums;
  result.sums = std::move(fit.sums);
  result.coefficients = std::move(fit.coefficients);
  result.constant = fit.constant;
  ordered.grouped.put_back(result.left_out_sums);
  ordered.grouped.put_back(result.sums);
  result.errors = losses_of(how.loss, all, result.left_out_sums);
  if (!is_known) result.errors.mean = std::numeric_limits<double>::infinity();
  result.model.error = result.errors.mean;
  result.model.held = result.errors;
  PathRecord record;
  record.basis_functions = record.rank = basis.size();
  record.ridge = lambda;
  record.train_mse = squared_error_of_mean(how.loss, all, result.sums);
  record.validation_mse = squared_error_of_mean(how.loss, all, result.left_out_sums);
  result.model.records = {record};
  return result;
}

Finished approximate_expansion(const BasisExpansion& basis, const Rows& rows, double lambda, const LossFunction& loss) {
  const Matrix A = basis.evaluate_at(rows.X);
  const LossToFinish few_steps{loss, {}, {}, [] { return true; }};
  const ReweightedFit fit = fit_reweighted(problem_of(A, rows, few_steps, precision_of_search), lambda);
  return basis.model(fit.constant, fit.coefficients, lambda);
}

Finished refit_expansion(const BasisExpansion& basis, const ExpansionFit& fitted, const Rows& rows,
                         const LossToFinish& how) {
  const auto block = [&](std::size_t first, std::size_t count) {
    return basis.evaluate_at({rows.X.data() + first, count, rows.X.cols(), rows.X.rows()});
  };
  const ReweightedProblem problem{{rows.size(), basis.size(), block}, rows.y, rows.weights, how.loss, how.check};
  const ReweightedFit start{fitted.coefficients, fitted.constant, {}};
  const ReweightedFit fit = fit_reweighted(problem, fitted.lambda, &start);
  Finished model = basis.model(fit.constant, fit.coefficients, fitted.lambda);
  model.error = fitted.model.error;
  model.held = fitted.model.held;
  model.rate = fitted.model.rate;
  model.records = fitted.model.records;
  model.chosen = fitted.model.chosen;
  return model;
}

}  // namespace shrimp
