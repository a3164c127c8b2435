// From basis functions that all classes share to a multinomial model.
//
// The basis functions are fitted under the multinomial loss (solvers/softmax_ridge.hpp). The ridge penalty λ has the
// least cross-validated loss: the search starts above a given value and walks down to the first λ that is better than
// both of its neighbours, as for losses with one linear predictor (grow/finish_by_loss.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "grow/finish_by_loss.hpp"
#include "ridge/row_errors.hpp"
#include "solvers/softmax_ridge.hpp"

namespace shrimp {

struct ClassFitOptions {
  std::size_t classes = 2;
  std::optional<double> ridge = {};    ///< λ; none: chosen.
  std::function<void()> check = {};    ///< Called often; it may throw.
  std::function<bool()> is_over = {};  ///< Whether to stop with the best λ so far.
  std::uint64_t seed = 0;
};

/// f_k = b_k + Σ_j c_jk φ_j in scaled units. Targets of rows are classes 0 … K − 1.
struct ClassExpansion {
  Dictionary dictionary;
  std::vector<double> scales;  ///< Of the columns, where λ applies.
  Matrix coefficients;         ///< Columns of the dictionary × classes.
  std::vector<double> intercepts;
  double ridge = 0.0;

  [[nodiscard]] Matrix sums_at(MatrixView X) const;
};

/// Chooses λ within the range, unless it is given, and fits all rows.
ClassExpansion fit_classes(const BasisExpansion& basis, const Rows& rows, RidgeRange range,
                           const ClassFitOptions& options);

/// Linear predictors of all rows by five folds: each row's comes from a fit without its fold. With fewer than two rows
/// or groups, those of the fit to all rows.
Matrix cross_validated_sums(const BasisExpansion& basis, const Rows& rows, double ridge,
                            const ClassFitOptions& options);

/// −log p of the class of each row, times its weight and over the mean weight.
RowErrors class_losses(const Rows& rows, MatrixView sums);

/// Losses to choose models by: each row has one of the other classes with a small probability, the same as for two
/// classes (losses_to_choose_by). `units`: number of rows, or of groups; of folds, that of all of them.
RowErrors class_losses_to_choose_by(const Rows& rows, MatrixView sums, std::size_t units);

/// Square root of each row's Brier score: of the sum over classes of the squared error of the probability.
std::vector<double> brier_roots(const Rows& rows, MatrixView sums);

}  // namespace shrimp
