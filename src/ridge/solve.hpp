// Ridge regression by normal equations: (G + λI) c = b.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "linalg/cholesky.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {

/// Ridge regression on some columns.
struct RidgeFit {
  std::vector<std::size_t> columns;  ///< Ascending.
  std::vector<double> coefficients;
  std::size_t rank = 0;  ///< Size of the equations that were solved.
  double lambda = 0.0;
  double train_mse = 0.0;
};

}  // namespace shrimp
