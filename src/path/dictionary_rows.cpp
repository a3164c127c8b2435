#include "path/dictionary_rows.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "path/effects_reduction.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t block_columns = 1024;

// Calls body(columns) for successive parts of P.
template <typename Body>
void for_blocks(const Columns& P, const Body& body) {
  for (std::size_t first = 0; first < P.size(); first += block_columns) {
    const std::size_t last = std::min(first + block_columns, P.size());
    body(Columns(P.begin() + static_cast<std::ptrdiff_t>(first), P.begin() + static_cast<std::ptrdiff_t>(last)));
  }
}

}  // namespace

Matrix DictionaryRows::columns_of(const Dictionary& other, std::size_t first, std::size_t count) const {
  Matrix A = evaluate(other, MatrixView{X_.data() + first, count, X_.cols(), X_.rows()});
  if (!factors_.empty()) scale_rows(A, std::span(factors_).subspan(first, count));
  return A;
}

const DenseRows* DictionaryRows::stored() const {
  if (!stores_) return nullptr;
  std::call_once(once_, [&] {
    DenseRows A(columns_of(*dictionary_, 0, rows()));
    A.check_entries();
    A_.emplace(std::move(A));
  });
  return &*A_;
}

std::optional<MatrixView> DictionaryRows::dense() const {
  const DenseRows* A = stored();
  return A != nullptr ? A->dense() : std::nullopt;
}

Matrix DictionaryRows::gather(std::span<const std::size_t> P) const {
  if (const DenseRows* A = stored()) return A->gather(P);
  return columns_of(dictionary_->subset(P), 0, rows());
}

// Some rows of all columns at a time, which stay in cache.
std::vector<double> DictionaryRows::combine(const Columns& P, std::span<const double> c) const {
  if (const DenseRows* A = stored()) return A->combine(P, c);
  constexpr std::size_t entries = std::size_t{1} << 19;
  const std::size_t block_rows = std::clamp<std::size_t>(entries / std::max<std::size_t>(1, P.size()), 16, 256);
  const Dictionary part = dictionary_->subset(P);
  std::vector<double> sum(rows());
  parallel_for((rows() + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    const std::size_t count = std::min(block_rows, rows() - first);
    const std::vector<double> values = shrimp::multiply(columns_of(part, first, count), c);
    std::ranges::copy(values, sum.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return sum;
}

std::vector<double> DictionaryRows::project(const Columns& P, std::span<const double> z) const {
  if (const DenseRows* A = stored()) return A->project(P, z);
  std::vector<double> products;
  for_blocks(P, [&](const Columns& part) {
    const std::vector<double> more = project_columns(gather(part), all_columns(part.size()), z);
    products.insert(products.end(), more.begin(), more.end());
  });
  return products;
}

// Every block is computed once for both.
std::vector<double> DictionaryRows::project_and_combine(const Columns& P, std::span<const double> z,
                                                        std::span<double> c) const {
  if (const DenseRows* A = stored()) return A->project_and_combine(P, z, c);
  std::vector<double> sum(rows());
  std::size_t first = 0;
  for_blocks(P, [&](const Columns& part) {
    const std::span<double> own = c.subspan(first, part.size());
    add_scaled(sum, 1.0, shrimp::project_and_combine(gather(part), all_columns(part.size()), z, own));
    first += part.size();
  });
  return sum;
}

void DictionaryRows::add_gram(Matrix& G, double alpha, const Columns& P) const {
  if (const DenseRows* A = stored()) return A->add_gram(G, alpha, P);
  for_blocks(P, [&](const Columns& part) { shrimp::add_gram(G, alpha, gather(part)); });
}

Reduction DictionaryRows::reduce(std::span<const double> y) const {
  if (auto reduction = reduce_by_effects(*this, *dictionary_, y)) return *std::move(reduction);
  const DenseRows* A = stored();
  return A != nullptr ? A->reduce(y) : reduce_by_blocks(y);
}

Reduction DictionaryRows::reduce_by_blocks(std::span<const double> y) const {
  const std::size_t block_rows = 2 * cols();
  TriangularSystem sums(cols());
  for (std::size_t first = 0; first < rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows() - first);
    sums.add(columns_of(*dictionary_, first, count), y.subspan(first, count));
  }
  return reduction_of(std::move(sums));
}

}  // namespace shrimp
