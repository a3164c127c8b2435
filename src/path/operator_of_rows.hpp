// A, stored or not, as the solvers see it.
#pragma once

#include <memory>

#include "path/row_space.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

std::unique_ptr<LinearOperator> operator_of(const RowSpace& A);

}  // namespace shrimp
