// A = Q R of a matrix that gains and loses columns: what active-set methods solve with at every step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shrimp {

class UpdatableQr {
 public:
  explicit UpdatableQr(std::size_t rows) : rows_(rows) {}

  [[nodiscard]] std::size_t cols() const { return cols_; }

  /// Puts a column last, by Gram–Schmidt done twice, which leaves Q orthogonal to rounding. False, and nothing changes,
  /// where no more than `tolerance` of its length is new.
  bool append(std::span<const double> column, double tolerance);

  /// Takes column k out by rotations; those after it move up.
  void remove(std::size_t k);

  /// Qᵀ b and Q z
  [[nodiscard]] std::vector<double> project(std::span<const double> b) const;
  [[nodiscard]] std::vector<double> combine(std::span<const double> z) const;

  /// R⁻¹ b and R⁻ᵀ b
  [[nodiscard]] std::vector<double> solve(std::span<const double> b) const;
  [[nodiscard]] std::vector<double> solve_transposed(std::span<const double> b) const;

 private:
  void reserve(std::size_t cols);
  double* q(std::size_t k) { return Q_.data() + k * rows_; }
  double* r(std::size_t i, std::size_t j) { return R_.data() + i + j * capacity_; }

  std::size_t rows_;
  std::size_t cols_ = 0;
  std::size_t capacity_ = 0;  // Columns there is room for; the stride of R.
  std::vector<double> Q_;
  std::vector<double> R_;
};

}  // namespace shrimp
