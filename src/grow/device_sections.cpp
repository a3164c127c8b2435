#include "grow/device_sections.hpp"

#include <utility>

#include "grow/device_sums.hpp"
#include "linalg/column_view.hpp"

namespace shrimp {

DeviceSections::DeviceSections(std::shared_ptr<Device> device, DeviceKernel kernel, MatrixView centres,
                               const Cholesky& L)
    : device_(std::move(device)),
      kernel_(std::move(kernel)),
      centres_(device_->upload(centres)),
      L_(device_->upload(L.lower())) {}

void DeviceSections::add(const SectionRows& rows) {
  const std::size_t count = rows.y.size();
  const std::size_t others = rows.others.cols();
  const std::size_t columns = others + centres_.rows;
  if (products_.empty()) {
    products_ = device_->make(columns + 1, columns + 1);
    device_->fill(products_, 0.0);
  }
  DeviceMatrix K;
  if (rows.U.empty()) {
    K = device_->upload(rows.sections);
  } else {
    K = device_->make(count, centres_.rows);
    device_->evaluate(kernel_, device_->upload(rows.U), centres_, K);
  }
  if (!rows.roots.empty()) device_->scale_rows(K, device_->upload(column_of(rows.roots)));
  device_->solve_right(L_, K);
  DeviceMatrix all = device_->make(count, columns + 1);
  device_->copy(device_->upload(rows.others), 0, all, 0, count * others);
  device_->copy(K, 0, all, count * others, count * centres_.rows);
  device_->copy(device_->upload(column_of(rows.y)), 0, all, count * columns, count);
  device_->add_gram_of_columns(products_, all);
  rows_ += count;
  weight_ += rows.weight;
}

GramSummary DeviceSections::take() {
  GramSummary sums = summary_of_products(device_->download(products_), {});
  sums.rows = std::exchange(rows_, 0);
  sums.weight = std::exchange(weight_, 0.0);
  products_ = {};
  return sums;
}

DeviceEquations::DeviceEquations(std::shared_ptr<Device> device, const GramSummary& sums)
    : device_(std::move(device)), G_(device_->upload(sums.G)), b_(device_->upload(column_of(sums.target.products))) {}

std::optional<std::vector<double>> DeviceEquations::solve(const std::vector<double>& d) const {
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
