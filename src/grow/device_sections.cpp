#include "grow/device_sections.hpp"

#include <utility>

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

NormalEquations DeviceSections::take() {
  NormalEquations sums =
      equations_of_products(device_->download(products_), {}, std::exchange(rows_, 0), std::exchange(weight_, 0.0));
  products_ = {};
  return sums;
}

}  // namespace shrimp
