// The few dense operations everything uses. Matrices are column-major.
#pragma once

#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// BLAS runs on this many threads until the end of the scope.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_;
};

/// A x
std::vector<double> multiply(MatrixView A, std::span<const double> x);

/// Aᵀ x
std::vector<double> multiply_transposed(MatrixView A, std::span<const double> x);

/// The columns of A in the order given.
Matrix gather_columns(MatrixView A, std::span<const std::size_t> columns);

/// The rows of A in the order given.
Matrix gather_rows(MatrixView A, std::span<const std::size_t> rows);

/// ‖x‖²
double squared_norm(std::span<const double> x);

/// Singular values, largest first.
std::vector<double> singular_values(Matrix A);

}  // namespace shrimp
