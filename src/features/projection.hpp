// ⟨x, w⟩ + b for many rows x, with whatever vector instructions the processor has.
#pragma once

#include <cstdint>
#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// t_i = b + Σ_l w_l X(i, support_l), a sum in this order whatever the number of rows.
void project_rows(MatrixView X, std::span<const std::uint32_t> support, std::span<const double> w, double b,
                  std::span<double> t);

}  // namespace shrimp
