#include "ridge/residual_maker.hpp"

#include <algorithm>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// A smaller diagonal of R is rounding. Chosen by hand.
constexpr double smallest_diagonal = 1e-9;

}  // namespace

ResidualMaker::ResidualMaker(std::size_t rows, double diagonal, GroupStarts starts) : starts_(std::move(starts)) {
  if (!starts_) {
    diagonal_.assign(rows, diagonal);
    return;
  }
  for (std::size_t g = 0; g < groups(); ++g) {
    const std::size_t size = (*starts_)[g + 1] - (*starts_)[g];
    parts_.emplace_back(size, size);
    for (std::size_t i = 0; i < size; ++i) parts_.back()(i, i) = diagonal;
  }
}

ResidualMaker::ResidualMaker(const ResidualMaker& other) : starts_(other.starts_), diagonal_(other.diagonal_) {
  for (const Matrix& part : other.parts_) parts_.emplace_back(part);
}

ResidualMaker& ResidualMaker::operator=(const ResidualMaker& other) { return *this = ResidualMaker(other); }

void ResidualMaker::add_squares(double factor, const Matrix& A) {
  if (!starts_) {
    for (std::size_t i = 0; i < A.cols(); ++i) diagonal_[i] += factor * squared_norm(A.col(i));
    return;
  }
  parallel_for(groups(), [&](std::size_t g) {
    const std::size_t first = (*starts_)[g];
    const MatrixView own{A.data() + first * A.rows(), A.rows(), (*starts_)[g + 1] - first, A.rows()};
    add_gram(parts_[g], factor, transpose(own));
  });
}

void ResidualMaker::add_square(double factor, std::span<const double> a) {
  Matrix row = Matrix::uninitialized(1, a.size());
  std::ranges::copy(a, row.data());
  add_squares(factor, row);
}

void ResidualMaker::add(const Matrix& S) {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] += S(i, i);
  for (std::size_t g = 0; g < parts_.size(); ++g) {
    const std::size_t first = (*starts_)[g];
    for (std::size_t j = 0; j < parts_[g].cols(); ++j) {
      for (std::size_t i = j; i < parts_[g].rows(); ++i) parts_[g](i, j) += S(first + i, first + j);
    }
  }
}

void ResidualMaker::add_diagonal(std::span<const double> d) {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] += d[i];
}

std::optional<std::vector<double>> ResidualMaker::errors(std::span<const double> residual) const {
  std::vector<double> errors(residual.begin(), residual.end());
  if (!starts_) {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!(diagonal_[i] > smallest_diagonal)) return std::nullopt;
      errors[i] /= diagonal_[i];
    }
    return errors;
  }
  for (std::size_t g = 0; g < groups(); ++g) {
    for (std::size_t i = 0; i < parts_[g].rows(); ++i) {
      if (!(parts_[g](i, i) > smallest_diagonal)) return std::nullopt;
    }
    const auto L = Cholesky::factor(Matrix(parts_[g]));
    if (!L) return std::nullopt;
    L->solve(std::span(errors).subspan((*starts_)[g], parts_[g].rows()));
  }
  return errors;
}

}  // namespace shrimp
