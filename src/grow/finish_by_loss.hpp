// From basis functions to a model under a loss.
//
// Terms are selected and pruned for squared error, on the working response of the loss (objective/objective.hpp). The
// basis functions that remain are fitted under the loss itself, by reweighted ridge (ridge/reweighted_ridge.hpp). The
// ridge penalty λ has the least approximate leave-one-out loss. Refitted folds may ask for more of it: where classes
// are nearly separable, approximate leave-one-out is optimistic.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "grow/finish.hpp"
#include "grow/finish_parts.hpp"
#include "grow/nystrom.hpp"
#include "objective/objective.hpp"

namespace shrimp {

/// Rows have their target as it is: classes 0 and 1, counts or rates, numbers.
struct LossToFinish {
  LossFunction loss;
  std::optional<double> ridge = {};    ///< λ; none: chosen.
  std::function<void()> check = {};    ///< Called often; it may throw.
  std::function<bool()> is_over = {};  ///< Whether to end with the best λ so far.
};

/// Weighted least squares that the loss is near these sums. Weights have the mean 1 over the rows' own weights; their
/// mean before that is returned, too.
struct WorkingRows {
  Rows rows;
  double mean_weight = 1.0;
};
WorkingRows working_rows(const Rows& rows, const LossFunction& loss, std::span<const double> sums);

/// Basis functions whose coefficients have independent priors of variance 1/λ: those of terms, times their scales, and
/// Nyström features of a kernel.
class BasisExpansion {
 public:
  explicit BasisExpansion(ScaledDictionary terms, std::shared_ptr<const NystromFeatures> kernel = {})
      : terms_(std::move(terms)), kernel_(std::move(kernel)) {}

  [[nodiscard]] std::size_t size() const { return terms_.scales.size() + (kernel_ ? kernel_->size() : 0); }
  [[nodiscard]] Matrix evaluate_at(MatrixView X) const;
  /// Its error and records are those of no fit.
  [[nodiscard]] Finished model(double constant, std::span<const double> coefficients, double lambda) const;

 private:
  ScaledDictionary terms_;
  std::shared_ptr<const NystromFeatures> kernel_;
};

/// Orthonormal directions of the coefficients that the rows determine under a penalty of `lambda` or more. A direction
/// of eigenvalue e keeps the fraction e/(e + λ) of its least-squares coefficient; smaller fractions than 1e-4 are
/// dropped. `roots`: square roots of the rows' working weights.
Matrix leading_directions(const Matrix& A, std::span<const double> roots, double lambda);

struct ExpansionFit {
  double lambda = 0.0;
  double constant = 0.0;
  std::vector<double> coefficients;   ///< Of the basis functions.
  RowErrors errors;                   ///< Approximate leave-one-out losses.
  std::vector<double> left_out_sums;  ///< Linear predictors of the rows, each without itself, …
  std::vector<double> sums;           ///< … and with.
  Finished model;                     ///< Its error is the mean of `errors`.
};

/// Where λ is searched.
struct RidgeRange {
  double start = 1.0;  ///< The search begins near it.
  double least = 0.0;  ///< Leave-one-out losses are optimistic about terms that the same rows selected.
};

/// Chooses λ, unless it is given.
ExpansionFit fit_expansion(const BasisExpansion& basis, const Rows& rows, RidgeRange range, const LossToFinish& how,
                           std::uint64_t seed);

/// Few steps, at this λ: a model to save if the fit is interrupted.
Finished approximate_expansion(const BasisExpansion& basis, const Rows& rows, double lambda, const LossFunction& loss);

/// The same ridge, fitted to other rows, block by block. Error and records are those of `fitted`.
Finished refit_expansion(const BasisExpansion& basis, const ExpansionFit& fitted, const Rows& rows,
                         const LossToFinish& how);

/// Losses, times the rows' weights and over the mean weight.
RowErrors losses_of(const LossFunction& loss, const Rows& rows, std::span<const double> sums);

/// Losses to choose models by: those above, but each class may be the other one with a small probability, since m rows
/// without a mistake do not imply that the next has none. Otherwise folds that a plane separates would ask for infinite
/// log odds, and the first row on the wrong side would cost more than all others gained. The probability is a tenth of
/// a row in m + 1. Jeffreys' prior has half a row for rows that are all alike; those far from the plane are in less
/// doubt. Chosen among 0, 0.1 and 0.5 by the sum of losses on new rows of 33 splits of eleven tables. `units`: m,
/// groups counting 1; of folds, that of all of them.
RowErrors losses_to_choose_by(const LossFunction& loss, const Rows& rows, std::span<const double> sums,
                              std::size_t units);
inline constexpr double rows_in_doubt = 0.1;

/// The weighted mean squared error of the target's mean.
double squared_error_of_mean(const LossFunction& loss, const Rows& rows, std::span<const double> sums);

}  // namespace shrimp
