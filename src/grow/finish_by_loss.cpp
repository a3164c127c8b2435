#include "grow/finish_by_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/grouped_rows.hpp"
#include "data/split.hpp"
#include "grow/finish_parts.hpp"
#include "grow/reweighted_ridge.hpp"
#include "grow/ridge_path.hpp"
#include "linalg/dense.hpp"
#include "path/refit.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Steps of λ while it is looked for, first wide ones and then narrow ones.
constexpr double wide_step = 10.0;
constexpr double narrow_step = 2.1544346900318843;  // Three make ten.

double total_of(std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return static_cast<double>(rows);
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return total;
}

ReweightedProblem problem_of(const Matrix& A, const Rows& rows, const LossToFinish& how) {
  return {rows_of(A), rows.y, rows.weights, how.loss, how.check, how.is_over};
}

struct TriedRidge {
  double lambda = 0.0;
  ReweightedFit fit;
  std::vector<double> left_out;
  double error = std::numeric_limits<double>::infinity();
};

// Looks for the λ under which rows without themselves have the least loss. Rows of a group are beside each other.
class RidgeSearch {
 public:
  RidgeSearch(const ReweightedProblem& problem, const Rows& rows, GroupStarts starts)
      : problem_(problem), rows_(rows), starts_(std::move(starts)) {}

  /// From a λ above all that count down to the first that is better than both of its neighbours: where columns are
  /// many, rows without themselves look good again when λ hardly counts.
  TriedRidge from_above() {
    best_ = tried(largest(), nullptr);
    walk(1.0 / wide_step);
    const double middle = best_.lambda;
    walk(narrow_step);
    if (best_.lambda == middle) walk(1.0 / narrow_step);
    return std::move(best_);
  }

  [[nodiscard]] TriedRidge tried(double lambda, const ReweightedFit* start) const {
    TriedRidge tried{lambda, fit_reweighted(problem_, lambda, start), {}};
    if (start != nullptr && is_over()) return tried;  // There is another.
    tried.left_out = leave_one_out_sums(problem_, lambda, tried.fit, starts_);
    if (!tried.left_out.empty()) {
      tried.error = losses_to_choose_by(problem_.loss, rows_, tried.left_out, count_units(rows_)).mean;
    }
    return tried;
  }

 private:
  void walk(double factor) {
    constexpr int most_steps = 16;
    for (int k = 0; k < most_steps && !is_over(); ++k) {
      TriedRidge next = tried(factor * best_.lambda, &best_.fit);
      if (!(next.error < best_.error)) return;
      best_ = std::move(next);
    }
  }

  [[nodiscard]] bool is_over() const { return problem_.is_over && problem_.is_over(); }

  /// The sum of the squares of all columns times the loss's curvature at the constant: λ of this size at least
  /// halves whatever the columns explain.
  [[nodiscard]] double largest() const {
    const double constant = constant_sum(problem_.loss, rows_.y, rows_.weights);
    const Matrix A = problem_.A.block(0, problem_.A.rows);
    std::vector<double> curvature(A.rows());
    for (std::size_t i = 0; i < A.rows(); ++i) {
      const double weight = rows_.weights.empty() ? 1.0 : rows_.weights[i];
      curvature[i] = weight * problem_.loss.working_row(rows_.y[i], constant).weight;
    }
    double sum = 0.0;
    for (std::size_t j = 0; j < A.cols(); ++j) {
      for (std::size_t i = 0; i < A.rows(); ++i) sum += curvature[i] * A(i, j) * A(i, j);
    }
    return sum;
  }

  const ReweightedProblem& problem_;
  const Rows& rows_;
  GroupStarts starts_;
  TriedRidge best_;
};

// Where classes are nearly apart, or counts nearly 0, the last least squares knows little of what a row's own absence
// would do, and rows without themselves look better than they would be: the loss of folds may ask for more ridge.
class FoldLosses {
 public:
  FoldLosses(const Matrix& A, const Rows& rows, const LossToFinish& how, std::uint64_t seed)
      : A_(A), rows_(rows), how_(how), parts_(fold(rows, std::min<std::size_t>(5, count_units(rows)), seed)) {}

  [[nodiscard]] double at(double lambda) const {
    std::vector<double> sums(rows_.size());
    parallel_for(parts_.size(), [&](std::size_t k) {
      const Matrix own = gather_rows(A_, parts_[k].train);
      const Rows train = gather(rows_, parts_[k].train);
      const ReweightedFit fit = fit_reweighted(problem_of(own, train, how_), lambda);
      const std::vector<double> held = multiply(gather_rows(A_, parts_[k].held_out), fit.coefficients);
      for (std::size_t i = 0; i < held.size(); ++i) sums[parts_[k].held_out[i]] = fit.constant + held[i];
    });
    return losses_to_choose_by(how_.loss, rows_, sums, count_units(rows_)).mean;
  }

  /// λ, or more of it while that is better.
  [[nodiscard]] double raised(double lambda) const {
    constexpr int most_steps = 9;
    double least = at(lambda);
    for (int k = 0; k < most_steps; ++k) {
      if (is_over()) break;
      const double next = at(narrow_step * lambda);
      if (!(next < least) || is_over()) break;  // Fits that were cut short say nothing.
      least = next;
      lambda *= narrow_step;
    }
    return lambda;
  }

 private:
  [[nodiscard]] bool is_over() const { return how_.is_over && how_.is_over(); }

  const Matrix& A_;
  const Rows& rows_;
  const LossToFinish& how_;
  std::vector<RowSplit> parts_;
};

// Rows of a group beside each other; all of them as they are where there are no groups.
struct OrderedRows {
  explicit OrderedRows(const Rows& all) : grouped(all.groups) {
    if (grouped.starts) sorted = gather(all, grouped.order);
  }
  GroupOrder grouped;
  Rows sorted;
};

// A path of column sets with a fit of each.
struct LossPath {
  std::vector<std::vector<std::size_t>> columns;
  std::vector<ReweightedFit> fits;
};

ReweightedFit start_from(const ReweightedFit& before, std::span<const std::size_t> kept,
                         std::span<const std::size_t> own) {
  ReweightedFit start;
  start.constant = before.constant;
  for (std::size_t k = 0, at = 0; k < own.size(); ++k) {
    while (kept[at] != own[k]) ++at;
    start.coefficients.push_back(before.coefficients[at]);
  }
  return start;
}

// Of classes, each the other one with the probability `doubt`.
RowErrors losses_with_doubt(const LossFunction& loss, const Rows& rows, std::span<const double> sums, double doubt) {
  RowErrors losses;
  const auto m = static_cast<double>(rows.size());
  const double unit = rows.total_weight() / m;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[i] / unit;
    double own = loss.of(rows.y[i], sums[i]);
    if (doubt > 0.0) own += doubt * (loss.of(1.0 - rows.y[i], sums[i]) - own);
    losses.squares.push_back(weight * own);
    losses.mean += losses.squares.back() / m;
  }
  losses.group(rows.groups);
  return losses;
}

class LossFinish {
 public:
  LossFinish(const Rows& rows, const Grown& grown, double lambda, const LossToFinish& how, const FinishOptions& options)
      : rows_(rows),
        how_(how),
        options_(options),
        lambda_(lambda),
        drawn_(grown, options.seed),
        A_(drawn_.evaluate_at(rows.X)),
        kept_(columns_to_keep(drawn_.dictionary, options.include)) {}

  [[nodiscard]] Finished at_rate(double rate, const Rows* validation, const Rows* test) const {
    const EliminationRule rule{kept_, rate, support_numbers(drawn_.dictionary)};
    const LossPath path = path_of(A_, rows_, rule);
    if (validation == nullptr) return choose(path, rows_, sums_of_folds(rule, path.fits.size()), rate, test);
    const Matrix own = drawn_.evaluate_at(validation->X);
    std::vector<std::vector<double>> sums;
    for (std::size_t k = 0; k < path.fits.size(); ++k) sums.push_back(sums_on(own, path, k));
    return choose(path, *validation, sums, rate, test);
  }

 private:
  // The weighted least squares at the fit of all columns says which columns go; what stays is fitted under the loss.
  [[nodiscard]] LossPath path_of(const Matrix& A, const Rows& rows, const EliminationRule& rule) const {
    LossPath path;
    if (A.cols() == 0) {
      path.columns.emplace_back();
      path.fits.push_back(fit_reweighted(problem_of(A, rows, how_), lambda_));
      return path;
    }
    const ReweightedFit full = fit_reweighted(problem_of(A, rows, how_), lambda_);
    const WorkingRows working = working_rows(rows, how_.loss, full.sums);
    const Means means(A, working.rows);
    const RidgePath ridge(means.take_out(Matrix(A)), means.take_out(working.rows.y), working.rows.weights,
                          lambda_ / working.mean_weight, how_.check);
    for (const PathStep& step : ridge.steps(rule)) {
      const Matrix own = gather_columns(A, step.columns);
      const ReweightedFit start = path.fits.empty() ? start_from(full, all_columns(A.cols()), step.columns)
                                                    : start_from(path.fits.back(), path.columns.back(), step.columns);
      path.fits.push_back(fit_reweighted(problem_of(own, rows, how_), lambda_, &start));
      path.columns.push_back(step.columns);
    }
    return path;
  }

  [[nodiscard]] static std::vector<double> sums_on(const Matrix& A, const LossPath& path, std::size_t k) {
    std::vector<double> sums = combine_columns(A, path.columns[k], path.fits[k].coefficients);
    for (double& sum : sums) sum += path.fits[k].constant;
    return sums;
  }

  // Every fold prunes a path of its own; where one is shorter than that of all rows, its last step stands for the rest.
  [[nodiscard]] std::vector<std::vector<double>> sums_of_folds(const EliminationRule& rule, std::size_t steps) const {
    const std::size_t folds = std::min(options_.folds, count_units(rows_));
    const std::vector<RowSplit> parts = fold(rows_, folds, options_.seed);
    std::vector<std::vector<double>> sums(steps, std::vector<double>(rows_.size()));
    parallel_for(parts.size(), [&](std::size_t part) {
      const Rows train = gather(rows_, parts[part].train);
      const LossPath path = path_of(gather_rows(A_, parts[part].train), train, rule);
      const Matrix held = gather_rows(A_, parts[part].held_out);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        const std::vector<double> own = sums_on(held, path, std::min(k, path.fits.size() - 1));
        for (std::size_t i = 0; i < own.size(); ++i) sums[k][parts[part].held_out[i]] = own[i];
      }
    });
    return sums;
  }

  /// By the sums of each step on rows that it was not fitted to.
  [[nodiscard]] Finished choose(const LossPath& path, const Rows& judged, const std::vector<std::vector<double>>& sums,
                                double rate, const Rows* test) const {
    std::vector<RowErrors> losses;
    std::vector<double> fitted;
    const std::size_t units = count_units(judged);
    for (const std::vector<double>& own : sums) losses.push_back(losses_to_choose_by(how_.loss, judged, own, units));
    for (const ReweightedFit& fit : path.fits) {
      fitted.push_back(losses_to_choose_by(how_.loss, rows_, fit.sums, units).mean);
    }
    Finished result;
    result.chosen = choose_step(losses, fitted, options_.one_standard_error, true);
    result.rate = rate;
    result.ridge = lambda_;
    result.held = losses_of(how_.loss, judged, sums[result.chosen]);
    result.error = result.held.mean;
    const Matrix tested = test != nullptr ? drawn_.evaluate_at(test->X) : Matrix();
    for (std::size_t k = 0; k < path.fits.size(); ++k) {
      PathRecord record;
      record.step = k;
      record.basis_functions = record.rank = path.columns[k].size();
      record.ridge = lambda_;
      record.train_mse = squared_error_of_mean(how_.loss, rows_, path.fits[k].sums);
      record.validation_mse = squared_error_of_mean(how_.loss, judged, sums[k]);
      if (test != nullptr) record.test_mse = squared_error_of_mean(how_.loss, *test, sums_on(tested, path, k));
      result.records.push_back(record);
    }
    const ReweightedFit& fit = path.fits[result.chosen];
    set_model(result, drawn_, fit.constant, path.columns[result.chosen], fit.coefficients);
    return result;
  }

  const Rows& rows_;
  const LossToFinish& how_;
  const FinishOptions& options_;
  double lambda_;
  ScaledDictionary drawn_;
  Matrix A_;
  std::vector<bool> kept_;
};

}  // namespace

WorkingRows working_rows(const Rows& rows, const LossFunction& loss, std::span<const double> sums) {
  // Of the largest weight: that of a class with a probability of a hundredth.
  constexpr double smallest_share = 0.04;
  WorkingRows working;
  working.rows = {Matrix(rows.X), {}, {}, rows.groups, rows.in_order, rows.kinds};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WorkingRow row = loss.working_row(rows.y[i], sums[i], smallest_share);
    working.rows.y.push_back(row.response);
    working.rows.weights.push_back(row.weight * (rows.weights.empty() ? 1.0 : rows.weights[i]));
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
  constexpr double rows_in_doubt = 0.1;
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

FittedTerms fit_terms_by_loss(const Rows& all, const Grown& grown, double mean_weight, const LossToFinish& how,
                              std::uint64_t seed) {
  const OrderedRows ordered(all);
  const Rows& rows = ordered.grouped.starts ? ordered.sorted : all;
  const ScaledDictionary drawn(grown, seed);
  const Matrix A = drawn.evaluate_at(rows.X);
  const ReweightedProblem problem = problem_of(A, rows, how);
  RidgeSearch search(problem, rows, ordered.grouped.starts);
  const auto is_over = [&] { return how.is_over && how.is_over(); };
  const bool looks = !how.ridge && A.cols() > 0;
  // The search begins far above, and may be cut short there.
  TriedRidge best;
  if (!looks || how.is_over) best = search.tried(how.ridge.value_or(grown.lambda * mean_weight), nullptr);
  if (looks && !is_over()) {
    TriedRidge found = search.from_above();
    if (!is_over() || found.error < best.error) best = std::move(found);
  }
  if (looks && count_units(rows) > 1 && !is_over()) {
    const double raised = FoldLosses(A, rows, how, seed).raised(best.lambda);
    if (raised > best.lambda) {
      TriedRidge found = search.tried(raised, &best.fit);
      if (!is_over()) best = std::move(found);
    }
  }
  if (best.left_out.empty()) best.left_out = best.fit.sums;
  FittedTerms fitted{best.lambda, {}, std::move(best.left_out), std::move(best.fit.sums), {}};
  ordered.grouped.put_back(fitted.left_out_sums);
  ordered.grouped.put_back(fitted.sums);
  fitted.errors = losses_of(how.loss, all, fitted.left_out_sums);
  if (!std::isfinite(best.error)) fitted.errors.mean = best.error;
  set_model(fitted.model, drawn, best.fit.constant, all_columns(A.cols()), best.fit.coefficients);
  fitted.model.error = fitted.errors.mean;
  fitted.model.held = fitted.errors;
  fitted.model.ridge = fitted.lambda;
  PathRecord record;
  record.basis_functions = record.rank = A.cols();
  record.ridge = fitted.lambda;
  record.train_mse = squared_error_of_mean(how.loss, all, fitted.sums);
  record.validation_mse = squared_error_of_mean(how.loss, all, fitted.left_out_sums);
  fitted.model.records = {record};
  return fitted;
}

Finished approximate_by_loss(const Rows& rows, const Grown& grown, double mean_weight, const LossFunction& loss,
                             std::uint64_t seed) {
  const ScaledDictionary drawn(grown, seed);
  const Matrix A = drawn.evaluate_at(rows.X);
  const LossToFinish few_steps{loss, {}, {}, [] { return true; }};
  const ReweightedFit fit = fit_reweighted(problem_of(A, rows, few_steps), grown.lambda * mean_weight);
  Finished result;
  set_model(result, drawn, fit.constant, all_columns(A.cols()), fit.coefficients);
  return result;
}

Finished finish_by_loss(const Rows& rows, const Rows* validation, const Rows* test, const Grown& grown, double lambda,
                        const LossToFinish& how, const FinishOptions& options) {
  const LossFinish finish(rows, grown, lambda, how, options);
  Finished best = finish.at_rate(options.prune_rates.front(), validation, test);
  for (std::size_t k = 1; k < options.prune_rates.size(); ++k) {
    Finished other = finish.at_rate(options.prune_rates[k], validation, test);
    const bool smaller = other.error == best.error && other.coefficients.size() < best.coefficients.size();
    if (other.error < best.error || smaller) best = std::move(other);
  }
  return best;
}

Finished refit_by_loss(Finished model, const Rows& rows, const LossToFinish& how) {
  const std::size_t columns = model.coefficients.size();
  const auto block = [&](std::size_t first, std::size_t count) {
    if (columns == 0) return Matrix(count, 0);
    return ScaledDictionary(model.dictionary, model.scales)
        .evaluate_at({rows.X.data() + first, count, rows.X.cols(), rows.X.rows()});
  };
  ReweightedFit start{model.coefficients, model.constant, {}};
  for (std::size_t k = 0; k < columns; ++k) start.coefficients[k] /= model.scales[k];
  const ReweightedProblem problem{{rows.size(), columns, block}, rows.y, rows.weights, how.loss, how.check};
  ReweightedFit fit = fit_reweighted(problem, model.ridge, &start);
  model.constant = fit.constant;
  for (std::size_t k = 0; k < columns; ++k) model.coefficients[k] = fit.coefficients[k] * model.scales[k];
  return model;
}

}  // namespace shrimp
