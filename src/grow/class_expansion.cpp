#include "grow/class_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Factors between successive λ: wide steps, then narrow ones. Three narrow steps make a wide one.
constexpr double wide_step_of_ridge = 10.0;
constexpr double narrow_step_of_ridge = 2.1544346900318843;

// λ is chosen on at most this many rows. Chosen by hand.
constexpr std::size_t most_rows_to_choose_ridge_on = 1500;

// Precision of softmax fits while λ is searched (solvers/softmax_ridge.hpp). Chosen by hand: losses are then known to
// about six digits.
constexpr double precision_of_ridge_search = 1e-6;

// Precision of the final fit.
constexpr double precision_of_fit = 1e-14;

SoftmaxProblem softmax_problem(MatrixView A, const Rows& rows, const ClassFitOptions& options, double precision) {
  return {A, rows.y, options.classes, rows.weights, options.check, options.is_over, precision};
}

// Square roots of the working weights near the best constant, for the class of the largest variance.
std::vector<double> constant_roots(const Rows& rows, std::size_t classes) {
  std::vector<double> totals(classes, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    totals[static_cast<std::size_t>(rows.y[i])] += rows.weights.empty() ? 1.0 : rows.weights[i];
  }
  double variance = 0.0;
  for (const double total : totals) {
    const double p = total / rows.total_weight();
    variance = std::max(variance, p * (1.0 - p));
  }
  std::vector<double> roots(rows.size(), std::sqrt(variance));
  for (std::size_t i = 0; i < rows.weights.size(); ++i) roots[i] *= std::sqrt(rows.weights[i]);
  return roots;
}

// Cross-validated losses along λ; each fit starts from the one before.
class ClassRidgeSearch {
 public:
  ClassRidgeSearch(const Matrix& A, const Rows& rows, const ClassFitOptions& options)
      : rows_(rows), options_(options) {
    for (RowSplit& split : fold(rows, std::min<std::size_t>(most_folds, count_units(rows)), options.seed)) {
      folds_.push_back({gather_rows(A, split.train), gather_rows(A, split.held_out), gather(rows, split.train),
                        std::move(split.held_out), std::nullopt});
    }
  }

  double near(RidgeRange range) {
    constexpr double above = 100.0;
    constexpr double rounding = 0.999;
    least_ = rounding * range.least;
    best_ = above * range.start;
    error_ = error_at(best_);
    if (!walk(1.0 / wide_step_of_ridge)) walk(wide_step_of_ridge);
    if (!walk(narrow_step_of_ridge)) walk(1.0 / narrow_step_of_ridge);
    return best_;
  }

  /// Linear predictors of each row without its fold.
  [[nodiscard]] Matrix sums_at(double lambda) {
    Matrix sums(rows_.size(), options_.classes);
    parallel_for(folds_.size(), [&](std::size_t f) {
      Fold& own = folds_[f];
      const SoftmaxProblem problem = softmax_problem(own.train, own.rows, options_, precision_of_ridge_search);
      own.fit = fit_softmax(problem, lambda, own.fit ? &*own.fit : nullptr);
      const Matrix held = softmax_sums(own.held_out, own.fit->coefficients, own.fit->intercepts);
      for (std::size_t k = 0; k < options_.classes; ++k) {
        for (std::size_t i = 0; i < own.which.size(); ++i) sums(own.which[i], k) = held(i, k);
      }
    });
    return sums;
  }

 private:
  static constexpr std::size_t most_folds = 5;

  struct Fold {
    Matrix train;
    Matrix held_out;
    Rows rows;
    std::vector<std::size_t> which;
    std::optional<SoftmaxFit> fit;
  };

  [[nodiscard]] bool is_over() const { return options_.is_over && options_.is_over(); }

  [[nodiscard]] double error_at(double lambda) {
    return class_losses_to_choose_by(rows_, sums_at(lambda), count_units(rows_)).mean;
  }

  /// Whether λ moved.
  bool walk(double factor) {
    constexpr int most_steps = 12;
    for (int k = 0; k < most_steps; ++k) {
      if (is_over() || factor * best_ < least_) return k > 0;
      const double error = error_at(factor * best_);
      if (is_over() || !(error < error_)) return k > 0;  // Fits that were cut short have no meaning.
      error_ = error;
      best_ *= factor;
    }
    return true;
  }

  const Rows& rows_;
  const ClassFitOptions& options_;
  std::vector<Fold> folds_;
  double least_ = 0.0;
  double best_ = 1.0;
  double error_ = std::numeric_limits<double>::infinity();
};

double choose_class_ridge(const BasisExpansion& basis, const Rows& all, RidgeRange range, const ClassFitOptions& options) {
  if (count_units(all) < 2) return range.start;
  Rows some;
  if (all.size() > most_rows_to_choose_ridge_on) {
    some = gather(all, sample_rows(all, most_rows_to_choose_ridge_on, options.seed));
  }
  const Rows& rows = some.size() > 0 ? some : all;
  const Matrix A = basis.evaluate_at(rows.X);
  const Matrix condensed = multiply(A, leading_directions(A, constant_roots(rows, options.classes), range.start));
  return ClassRidgeSearch(condensed, rows, options).near(range);
}

RowErrors class_losses_with_doubt(const Rows& rows, MatrixView sums, double doubt) {
  RowErrors losses;
  const auto m = static_cast<double>(rows.size());
  const double unit = rows.total_weight() / m;
  const auto others = static_cast<double>(sums.cols - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[i] / unit;
    const double total = log_sum_exp(sums, i);
    const auto own = static_cast<std::size_t>(rows.y[i]);
    double loss = total - sums(i, own);
    if (doubt > 0.0) {
      double rest = 0.0;
      for (std::size_t k = 0; k < sums.cols; ++k) rest += k == own ? 0.0 : (total - sums(i, k)) / others;
      loss += doubt * (rest - loss);
    }
    losses.squares.push_back(weight * loss);
    losses.mean += losses.squares.back() / m;
  }
  losses.group(rows.groups);
  return losses;
}

}  // namespace

Matrix ClassExpansion::sums_at(MatrixView X) const {
  if (dictionary.columns() == 0) return softmax_sums(MatrixView{nullptr, X.rows, 0, X.rows}, coefficients, intercepts);
  return softmax_sums(evaluate(dictionary, X), coefficients, intercepts);
}

ClassExpansion fit_classes(const BasisExpansion& basis, const Rows& rows, RidgeRange range,
                           const ClassFitOptions& options) {
  const bool chooses = !options.ridge && basis.size() > 0;
  const double lambda = chooses ? choose_class_ridge(basis, rows, range, options) : options.ridge.value_or(range.start);
  const Matrix A = basis.evaluate_at(rows.X);
  const SoftmaxFit fit = fit_softmax(softmax_problem(A, rows, options, precision_of_fit), lambda);
  ClassExpansion result;
  result.ridge = lambda;
  result.intercepts = fit.intercepts;
  for (std::size_t k = 0; k < options.classes; ++k) {
    Finished own = basis.model(fit.intercepts[k], fit.coefficients.col(k), lambda);
    if (k == 0) result.coefficients = Matrix(own.coefficients.size(), options.classes);
    std::ranges::copy(own.coefficients, result.coefficients.col(k).begin());
    if (k > 0) continue;
    result.dictionary = std::move(own.dictionary);
    result.scales = std::move(own.scales);
  }
  return result;
}

Matrix cross_validated_sums(const BasisExpansion& basis, const Rows& rows, double ridge,
                            const ClassFitOptions& options) {
  const Matrix A = basis.evaluate_at(rows.X);
  if (count_units(rows) >= 2) return ClassRidgeSearch(A, rows, options).sums_at(ridge);
  return fit_softmax(softmax_problem(A, rows, options, precision_of_fit), ridge).sums;
}

RowErrors class_losses(const Rows& rows, MatrixView sums) { return class_losses_with_doubt(rows, sums, 0.0); }

RowErrors class_losses_to_choose_by(const Rows& rows, MatrixView sums, std::size_t units) {
  return class_losses_with_doubt(rows, sums, rows_in_doubt / (static_cast<double>(units) + 1.0));
}

std::vector<double> brier_roots(const Rows& rows, MatrixView sums) {
  const Matrix P = softmax(sums);
  std::vector<double> roots;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double score = 0.0;
    for (std::size_t k = 0; k < sums.cols; ++k) {
      const double is_own = static_cast<double>(k) == rows.y[i] ? 1.0 : 0.0;
      score += (is_own - P(i, k)) * (is_own - P(i, k));
    }
    roots.push_back(std::sqrt(score));
  }
  return roots;
}

}  // namespace shrimp
