#include "path/dictionary_rows.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/effects_reduction.hpp"

namespace shrimp {
namespace {

constexpr std::size_t block_columns = 1024;

// Calls body(first, columns) for successive parts of P.
template <typename Body>
void for_blocks(const Columns& P, const Body& body) {
  for (std::size_t first = 0; first < P.size(); first += block_columns) {
    const std::size_t last = std::min(first + block_columns, P.size());
    body(first, Columns(P.begin() + static_cast<std::ptrdiff_t>(first), P.begin() + static_cast<std::ptrdiff_t>(last)));
  }
}

}  // namespace

Matrix DictionaryRows::gather(const Columns& P) const {
  Matrix A = evaluate(dictionary_->subset(P), X_);
  if (!factors_.empty()) scale_rows(A, factors_);
  return A;
}

std::vector<double> DictionaryRows::combine(const Columns& P, std::span<const double> c) const {
  std::vector<double> sum(rows(), 0.0);
  for_blocks(P, [&](std::size_t first, const Columns& part) {
    const std::vector<double> added =
        combine_columns(gather(part), all_columns(part.size()), c.subspan(first, part.size()));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += added[i];
  });
  return sum;
}

std::vector<double> DictionaryRows::project(const Columns& P, std::span<const double> z) const {
  std::vector<double> products;
  for_blocks(P, [&](std::size_t /*first*/, const Columns& part) {
    const std::vector<double> more = project_columns(gather(part), all_columns(part.size()), z);
    products.insert(products.end(), more.begin(), more.end());
  });
  return products;
}

void DictionaryRows::add_gram(Matrix& G, double alpha, const Columns& P) const {
  for_blocks(P, [&](std::size_t /*first*/, const Columns& part) { shrimp::add_gram(G, alpha, gather(part)); });
}

// Triangles of blocks of rows, each stacked under the one before: [R; block] = Q R'.
Reduction DictionaryRows::reduce(std::span<const double> y) const {
  const std::size_t n = cols();
  const std::size_t block_rows = 2 * n;
  Reduction result{Matrix(0, n), all_columns(n), {}, 0.0, true, false};
  for (std::size_t first = 0; first < rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows() - first);
    Matrix A = evaluate(*dictionary_, MatrixView{X_.data() + first, count, X_.cols(), X_.rows()});
    if (!factors_.empty()) scale_rows(A, std::span(factors_).subspan(first, count));
    const Matrix& R = result.M;
    Matrix stacked = Matrix::uninitialized(R.rows() + count, n);
    for (std::size_t j = 0; j < n; ++j) {
      std::ranges::copy(R.col(j), stacked.col(j).begin());
      std::ranges::copy(A.col(j), stacked.col(j).begin() + static_cast<std::ptrdiff_t>(R.rows()));
    }
    std::vector<double>& b = result.b;
    const std::span<const double> more = y.subspan(first, count);
    b.insert(b.end(), more.begin(), more.end());
    const HouseholderQr qr(std::move(stacked));
    qr.apply_transposed(b);
    result.M = qr.R();
    result.rest += squared_norm(std::span(b).subspan(result.M.rows()));
    b.resize(result.M.rows());
  }
  return result;
}

Reduction StoredDictionaryRows::reduce(std::span<const double> y) const {
  if (auto reduction = reduce_by_effects(*dense(), *dictionary_, X_, factors_, y)) return *std::move(reduction);
  return DenseRows::reduce(y);
}

}  // namespace shrimp
