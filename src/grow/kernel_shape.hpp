// One term of all inputs that matter, as a kernel with a scale for each.
//
//   k(x, x') = a² Π_j κ(s_j |x_j − x'_j| / deviation_j),
//
// κ the covariance of random features with independent weights of the law: exp(−r²/2) of normal weights,
// (1 + √3 r) exp(−√3 r) of t weights with three degrees of freedom, exp(−r) of Cauchy weights. With so many inputs at
// once, columns drawn at random converge slowly; sections x ↦ k(x, z) at rows z of the table take their place.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/rows.hpp"
#include "features/supports.hpp"
#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct KernelShape {
  Support variables;
  std::vector<double> scales;  ///< s, one for each variable; > 0.
  Law law = Law::normal;       ///< normal, student_t or cauchy.
  double amplitude = 1.0;      ///< a, in units of the target's deviation.
  double noise = 0.1;          ///< Variance of the noise, in units of the target's.
};

/// Columns Π_j κ(x_j, z_j), without the amplitude, a centre z for each row of `centres`.
/// What a centre lacks it has at the input's mean.
Dictionary sections_of(const KernelShape& shape, std::span<const double> deviations, MatrixView centres,
                       const std::shared_ptr<const InputKinds>& kinds = nullptr);

}  // namespace shrimp
