// A matrix whose copies are made by all threads: see copy_in_parallel.
#pragma once

#include <utility>

#include "linalg/dense.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

class LargeMatrix : public Matrix {
 public:
  LargeMatrix() = default;
  LargeMatrix(std::size_t rows, std::size_t cols) : Matrix(rows, cols) {}
  LargeMatrix(Matrix M) noexcept : Matrix(std::move(M)) {}  // NOLINT(google-explicit-constructor)

  explicit LargeMatrix(const LargeMatrix& other)  // NOLINT(google-explicit-constructor)
      : Matrix(copy_in_parallel(other)) {}
  LargeMatrix(LargeMatrix&&) noexcept = default;
  LargeMatrix& operator=(const LargeMatrix& other) { return *this = LargeMatrix(other); }
  LargeMatrix& operator=(LargeMatrix&&) noexcept = default;
  ~LargeMatrix() = default;
};

}  // namespace shrimp
