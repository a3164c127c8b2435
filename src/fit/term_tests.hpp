// Tests of a fitted model's terms, each given the others.
//
// A term T is tested by the functions v of its inputs by which screening sees it (grow/screening_functions.hpp). Their
// ridge regression on the rest of the model is taken out of them and of the target: on the columns of all terms but T
// and those that contain T, and on the screening functions of the terms that T contains. With e the rows' residuals
// where T's functions have no effect, each as a fit without its row (or group) leaves it, the contributions of unit g
// (a row or a group) are s_g = Σ_{i in g} w_i v_i e_i, and the statistic is
//   bᵀ (Σ_g s_g s_gᵀ)⁻¹ b,   b = Σ_i w_i v_i y_i.                                                        (1)
// This is the score test by sign flips of Hemerik, Goeman and Finos (J. R. Stat. Soc. B 82, 2020): the matrix in (1)
// does not depend on the signs of the s_g, and where errors are symmetric (1) has tails no heavier than χ² with as many
// degrees of freedom as there are functions, whatever the errors' variances. Under a loss function, y and w are those
// of the last weighted least squares. Functions of degree 1, up to 2 and up to 4 are three tests (Bonferroni).
//
// The rest of the model has a hundredth of the model's ridge: the bias of a ridge regression is about as large as its
// standard error, and would count as an effect of an input that is correlated with the rest.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/grouped_rows.hpp"
#include "data/rows.hpp"
#include "features/supports.hpp"
#include "ridge/residual_maker.hpp"
#include "shrimp/features.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// A weighted least-squares fit. Its rows are in the order of their groups.
struct FitToTest {
  const Rows& rows;
  GroupStarts starts;
  const Dictionary& dictionary;    ///< Without kernel columns.
  std::span<const double> scales;  ///< Of the columns where the ridge counts; none: 1.
  double ridge = 0.0;              ///< λ > 0
  std::uint64_t seed = 0;
};

class TermTests {
 public:
  /// Both must outlive it.
  TermTests(const FitToTest& fit, const std::vector<Term>& terms);

  /// The part of the target's variance that the model leaves.
  [[nodiscard]] double unexplained_fraction() const { return unexplained_fraction_; }

  /// The p-value of a term by itself, without adjustment for others; none where the rows do not identify it
  /// of the model.
  [[nodiscard]] std::optional<double> p_value(const Term& term) const;

 private:
  struct Functions;
  [[nodiscard]] Functions functions_of(const Support& variables) const;
  [[nodiscard]] Matrix levels_of(std::uint32_t input) const;
  [[nodiscard]] Matrix lower_order_functions(const Term& term) const;
  [[nodiscard]] std::vector<std::size_t> rest_of_model(const Support& variables) const;
  [[nodiscard]] Matrix without_rest(Matrix F, const Matrix& lower, std::span<const std::size_t> rest) const;
  [[nodiscard]] std::optional<double> test(const Matrix& V, std::span<const double> y,
                                           std::span<const std::size_t> ends) const;
  void weigh(Matrix& F) const;
  void fit_all_columns();

  const FitToTest& fit_;
  const std::vector<Term>& terms_;
  double ridge_;
  std::vector<double> roots_;  // Of the weights.
  double total_weight_ = 0.0;
  std::size_t units_ = 0;
  Matrix A_;                // Centred columns, rows times the roots of their weights.
  Matrix G_;                // AᵀA, both triangles.
  std::vector<double> y_;   // Like A.
  std::vector<double> r_;   // What the model leaves of y.
  ResidualMaker left_out_;  // Of I − H.
  double unexplained_fraction_ = 0.0;
};

}  // namespace shrimp
