// Choice of λ by generalised cross-validation (Golub, Heath and Wahba, 1979).
#pragma once

#include <cstddef>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// λ ≥ 0 that minimises m ‖(I − H)y‖²/tr(I − H)² with H = K (K + λI)⁻¹ on the r compressed equations (K is r×r,
/// its lower triangle counts) and zero on the other m − r, where y has the squared norm `rest`.
double gcv_ridge(Matrix K, std::vector<double> b, double rest, std::size_t equations);

}  // namespace shrimp
