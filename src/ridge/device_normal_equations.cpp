#include "ridge/device_normal_equations.hpp"

#include <algorithm>

#include "linalg/column_view.hpp"
#include "threads/threads.hpp"

namespace shrimp {

NormalEquations equations_of_products(const Matrix& products, std::span<const double> scales, std::size_t rows,
                                      double weight) {
  const std::size_t n = products.cols() - 1;
  const auto scale = [&](std::size_t j) { return scales.empty() ? 1.0 : scales[j]; };
  NormalEquations sums(n);
  parallel_for(n, [&](std::size_t j) {
    for (std::size_t i = j; i < n; ++i) sums.G(i, j) = scale(i) * scale(j) * products(i, j);
    sums.target.products[j] = scale(j) * products(n, j);
  });
  sums.target.squares = products(n, n);
  sums.rows = rows;
  sums.weight = weight;
  return sums;
}

DeviceRowSums::DeviceRowSums(std::shared_ptr<Device> device, const Matrix& A, const std::vector<double>& y)
    : device_(std::move(device)), both_(device_->make(A.rows(), A.cols() + 1)) {
  // Copied block by block: a copy of the whole matrix would double the memory.
  constexpr std::size_t block = 256;
  for (std::size_t first = 0; first < A.cols(); first += block) {
    const std::size_t count = std::min(block, A.cols() - first);
    const MatrixView part{A.data() + first * A.rows(), A.rows(), count, A.rows()};
    device_->copy(device_->upload(part), 0, both_, first * A.rows(), count * A.rows());
  }
  device_->copy(device_->upload(column_of(y)), 0, both_, A.cols() * A.rows(), A.rows());
}

NormalEquations DeviceRowSums::sum_up(std::span<const std::size_t> rows) const {
  DeviceMatrix products = device_->make(both_.cols, both_.cols);
  device_->fill(products, 0.0);
  DeviceMatrix own = both_;
  if (rows.size() < both_.rows) {
    own = device_->make(rows.size(), both_.cols);
    device_->gather_rows(both_, device_->upload(rows), own);
  }
  device_->add_gram_of_columns(products, own);
  return equations_of_products(device_->download(products), {}, rows.size(), static_cast<double>(rows.size()));
}

DeviceEquations::DeviceEquations(std::shared_ptr<Device> device, const NormalEquations& sums)
    : device_(std::move(device)), G_(device_->upload(sums.G)), b_(device_->upload(column_of(sums.target.products))) {}

std::optional<std::vector<double>> DeviceEquations::solve(std::span<const double> d) const {
  DeviceMatrix L = device_->make(G_.rows, G_.cols);
  device_->copy(G_, L);
  device_->add_to_diagonal(L, device_->upload(column_of(d)));
  if (!device_->factor(L, 0.0)) return std::nullopt;
  DeviceMatrix c = device_->make(b_.rows, 1);
  device_->copy(b_, c);
  device_->solve(L, c);
  const Matrix solution = device_->download(c);
  return std::vector<double>(solution.data(), solution.data() + solution.rows());
}

}  // namespace shrimp
