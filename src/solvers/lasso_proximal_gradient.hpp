// The Lasso's inner loop by products with A and Aᵀ alone: accelerated proximal gradients (FISTA; Beck and Teboulle,
// SIAM J. Imaging Sci. 2, 2009) that forget their momentum where it points uphill (O'Donoghue and Candès, Found.
// Comput. Math. 15, 2015), with a step length that follows the curvature met on the way (Scheinberg, Goldfarb and Bai,
// Found. Comput. Math. 14, 2014).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/lasso_problem.hpp"

namespace shrimp {

class LassoProximalGradient : public LassoInnerLoop {
 public:
  explicit LassoProximalGradient(const LassoProblem& problem) : problem_(problem) {}

  LassoProgress improve(const LassoStep& step, std::span<const std::size_t> left, LassoIterate& iterate) override;

 private:
  [[nodiscard]] std::vector<std::size_t> working_set(double threshold, std::span<const std::size_t> left,
                                                     const LassoIterate& iterate);

  const LassoProblem& problem_;
};

}  // namespace shrimp
