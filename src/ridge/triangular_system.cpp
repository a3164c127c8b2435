#include "ridge/triangular_system.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"

namespace shrimp {
namespace {

// [R; A] = Q R'
void stack(TriangularSystem& sums, Matrix A, std::span<const double> y) {
  if (A.empty()) {
    sums.rest += squared_norm(y);
    return;
  }
  if (sums.R.rows() > 0) A = stack_rows(sums.R, A);
  sums.b.insert(sums.b.end(), y.begin(), y.end());
  const HouseholderQr qr(std::move(A));
  qr.apply_transposed(sums.b);
  sums.R = qr.R();
  sums.rest += squared_norm(std::span(sums.b).subspan(sums.R.rows()));
  sums.b.resize(sums.R.rows());
}

}  // namespace

void check_columns(std::size_t own, std::size_t other) {
  if (own != other)
    throw std::invalid_argument(fmt::format("rows with {} basis functions are added to statistics of {}.", other, own));
}

void check_targets(std::size_t rows, std::span<const double> y) {
  if (y.size() != rows) throw std::invalid_argument(fmt::format("{} targets are given for {} rows.", y.size(), rows));
}

void TriangularSystem::add(Matrix A, std::span<const double> y, double added) {
  check_columns(columns(), A.cols());
  check_targets(A.rows(), y);
  rows += A.rows();
  weight += added;
  stack(*this, std::move(A), y);
}

void TriangularSystem::merge(TriangularSystem other) {
  check_columns(columns(), other.columns());
  rows += other.rows;
  weight += other.weight;
  rest += other.rest;
  stack(*this, std::move(other.R), other.b);
}

double TriangularSystem::squared_error(std::span<const double> c) const {
  std::vector<double> gap = multiply(R, c);
  add_scaled(gap, -1.0, b);
  return squared_norm(gap) + rest;
}

}  // namespace shrimp
