#include "path/row_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// G ← G + α M_P M_Pᵀ through a buffer of few columns, so that no second copy of M is ever made.
void add_gram_of_columns(Matrix& G, double alpha, MatrixView M, std::span<const std::size_t> P) {
  constexpr std::size_t block = 2048;
  for (std::size_t first = 0; first < P.size(); first += block) {
    const std::span<const std::size_t> part = P.subspan(first, std::min(block, P.size() - first));
    const bool contiguous = part.back() - part.front() + 1 == part.size();
    if (contiguous) {
      shrimp::add_gram(G, alpha, {M.data + part.front() * M.stride, M.rows, part.size(), M.stride});
    } else {
      shrimp::add_gram(G, alpha, gather_columns(M, part));
    }
  }
}

}  // namespace

Columns all_columns(std::size_t count) {
  Columns columns(count);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

std::vector<double> RowSpace::multiply(std::span<const double> x) const {
  if (const auto A = dense()) return DenseOperator(*A).multiply(x);
  const auto [P, c] = Nonzeros(x);
  return combine(P, c);
}

std::vector<double> RowSpace::multiply_transposed(std::span<const double> z) const {
  if (const auto A = dense()) return DenseOperator(*A).multiply_transposed(z);
  return project(all_columns(cols()), z);
}

std::vector<double> RowSpace::project_and_combine(const Columns& P, std::span<const double> z,
                                                  std::span<double> c) const {
  add_scaled(c, 1.0, project(P, z));
  return combine(P, c);
}

Reduction reduction_of(TriangularSystem sums) {
  const Columns all = all_columns(sums.columns());
  return {std::make_shared<const Matrix>(std::move(sums.R)), all, std::move(sums.b), sums.rest, true, false, nullptr};
}

Reduction RowSpace::reduce(std::span<const double> y) const {
  TriangularSystem sums(cols());
  sums.add(gather(all_columns(cols())), y);
  return reduction_of(std::move(sums));
}

Matrix RowSpace::columns_of(const Dictionary& /*other*/, std::size_t /*first*/, std::size_t /*count*/) const {
  throw std::logic_error("the rows do not match the dictionary.");
}

Matrix RowSpace::gram(const Columns& P) const {
  Matrix G(rows(), rows());
  add_gram(G, 1.0, P);
  return G;
}

void RowSpace::downdate(Matrix& G, const Columns& P, const Columns& R) const {
  if (R.size() < P.size()) {
    add_gram(G, -1.0, R);
  } else {
    G = gram(P);
  }
}

void DenseRows::check_entries() const {
  parallel_for(
      M_.cols,
      [&](std::size_t j) {
        for (std::size_t i = 0; i < M_.rows; ++i) {
          if (!std::isfinite(M_(i, j))) {
            throw std::invalid_argument(fmt::format("A({}, {}) = {} is not finite.", i, j, M_(i, j)));
          }
        }
      },
      static_cast<double>(M_.rows) * static_cast<double>(M_.cols));
}

std::vector<double> DenseRows::combine(const Columns& P, std::span<const double> c) const {
  return combine_columns(M_, P, c);
}

std::vector<double> DenseRows::project(const Columns& P, std::span<const double> z) const {
  return project_columns(M_, P, z);
}

std::vector<double> DenseRows::project_and_combine(const Columns& P, std::span<const double> z,
                                                   std::span<double> c) const {
  return shrimp::project_and_combine(M_, P, z, c);
}

void DenseRows::add_gram(Matrix& G, double alpha, const Columns& P) const { add_gram_of_columns(G, alpha, M_, P); }

Matrix DenseRows::gather(std::span<const std::size_t> P) const { return gather_columns(M_, P); }

ReducedRows::ReducedRows(Reduction reduction)
    : reduction_(std::move(reduction)), places_(reduction_.order.size()), stored_(reduction_.M) {
  for (std::size_t k = 0; k < places_.size(); ++k) places_[reduction_.order[k]] = k;
}

std::vector<std::size_t> ReducedRows::places(std::span<const std::size_t> P) const {
  std::vector<std::size_t> result;
  for (const std::size_t k : P) result.push_back(places_[k]);
  return result;
}

std::vector<double> ReducedRows::combine(const Columns& P, std::span<const double> c) const {
  return stored_.combine(places(P), c);
}

std::vector<double> ReducedRows::project(const Columns& P, std::span<const double> z) const {
  return stored_.project(places(P), z);
}

std::vector<double> ReducedRows::project_and_combine(const Columns& P, std::span<const double> z,
                                                     std::span<double> c) const {
  return stored_.project_and_combine(places(P), z, c);
}

void ReducedRows::add_gram(Matrix& G, double alpha, const Columns& P) const { stored_.add_gram(G, alpha, places(P)); }

Matrix ReducedRows::gather(std::span<const std::size_t> P) const { return stored_.gather(places(P)); }

Reduction ReducedRows::reduce(std::span<const double> y) const {
  Reduction result = reduction_;
  result.b.assign(y.begin(), y.end());
  return result;
}

}  // namespace shrimp
