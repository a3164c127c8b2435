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
  Matrix R(0, n);
  std::vector<double> b;
  double rest = 0.0;
  for (std::size_t first = 0; first < rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows() - first);
    Matrix A = evaluate(*dictionary_, MatrixView{X_.data() + first, count, X_.cols(), X_.rows()});
    if (!factors_.empty()) scale_rows(A, std::span(factors_).subspan(first, count));
    Matrix stacked = Matrix::uninitialized(R.rows() + count, n);
    for (std::size_t j = 0; j < n; ++j) {
      std::ranges::copy(R.col(j), stacked.col(j).begin());
      std::ranges::copy(A.col(j), stacked.col(j).begin() + static_cast<std::ptrdiff_t>(R.rows()));
    }
    const std::span<const double> more = y.subspan(first, count);
    b.insert(b.end(), more.begin(), more.end());
    const HouseholderQr qr(std::move(stacked));
    qr.apply_transposed(b);
    R = qr.R();
    rest += squared_norm(std::span(b).subspan(R.rows()));
    b.resize(R.rows());
  }
  return {std::make_shared<const Matrix>(std::move(R)), all_columns(n), std::move(b), rest, true, false, nullptr};
}

Reduction StoredDictionaryRows::reduce(std::span<const double> y) const {
  if (auto reduction = reduce_by_effects(*this, *dictionary_, y)) return *std::move(reduction);
  return DenseRows::reduce(y);
}

Matrix StoredDictionaryRows::columns_of(const Dictionary& other) const {
  Matrix A = evaluate(other, X_);
  if (!factors_.empty()) scale_rows(A, factors_);
  return A;
}

}  // namespace shrimp
