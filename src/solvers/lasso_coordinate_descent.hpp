// The Lasso's inner loop on a stored matrix: a working set of columns with its Gram matrix, on which greedy coordinate
// descent finds the columns that enter and Newton steps find the values.
//
// Working sets as in Celer (Massias, Gramfort and Salmon, ICML 2018). Columns of a dictionary are nearly dependent, and
// sweeps of coordinate descent crawl along the valleys. For fixed signs, however, the objective is a quadratic: a
// Newton step with an exact line search over the changes of sign, as in feature-sign search (Lee, Battle, Raina and Ng,
// NIPS 2006), crosses a valley at once. Every step lowers the objective.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/growing_cholesky.hpp"
#include "shrimp/matrix.hpp"
#include "solvers/lasso_problem.hpp"

namespace shrimp {

class LassoCoordinateDescent : public LassoInnerLoop {
 public:
  explicit LassoCoordinateDescent(const LassoProblem& problem);

  LassoProgress improve(const LassoStep& step, std::span<const std::size_t> left, LassoIterate& iterate) override;

 private:
  std::size_t grow(const LassoStep& step, std::span<const std::size_t> left, const LassoIterate& iterate);
  void add(std::span<const std::size_t> columns);
  void shrink(const LassoIterate& iterate);
  void load(const LassoIterate& iterate);
  double round(double threshold, std::size_t& iterations);
  double enter_worst(double threshold);
  void follow_support();
  struct Gain {
    double decrease;
    bool settled;  // The step reached the minimum for the signs it started with.
  };
  Gain newton_step(double threshold);
  [[nodiscard]] std::size_t support_size() const;

  const LassoProblem& problem_;
  // The working set: its columns of A, their AᵀA (the leading part of gram_), coefficients and Aᵀr.
  std::vector<std::size_t> columns_;
  std::vector<char> chosen_;
  Matrix gram_;
  std::vector<double> c_;
  std::vector<double> correlations_;
  double squared_residual_ = 0.0;
  // G_SS = L Lᵀ for the support S, in the order of active_.
  GrowingCholesky factor_;
  std::vector<std::size_t> active_;
  std::vector<char> factored_;
  double threshold_before_ = 0.0;
};

}  // namespace shrimp
