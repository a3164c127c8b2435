#include "grow/device_sums.hpp"

#include <algorithm>
#include <cmath>

#include "features/device_features.hpp"
#include "linalg/column_view.hpp"

namespace shrimp {
namespace {

// The cosine of an empty sum is 1.
DeviceFeatures with_constant(DeviceFeatures features) {
  features.rows.insert(features.rows.begin(), static_cast<std::uint32_t>(features.offsets.size() - 1));
  features.functions.insert(features.functions.begin(), DeviceFunction::cos);
  features.offsets.push_back(features.offsets.back());
  if (!features.phases.empty()) features.phases.push_back(0.0);
  return features;
}

}  // namespace

DeviceSums::DeviceSums(std::shared_ptr<Device> device, const ScaledDictionary& drawn)
    : device_(std::move(device)), features_(with_constant(device_features(drawn.dictionary))), scales_(drawn.scales) {
  scales_.insert(scales_.begin(), 1.0);
  products_ = device_->make(scales_.size() + 1, scales_.size() + 1);
  device_->fill(products_, 0.0);
}

void DeviceSums::add(const Rows& rows) {
  if (rows.size() == 0) return;
  const std::size_t n = scales_.size();
  std::vector<double> roots;
  for (const double weight : rows.weights) roots.push_back(std::sqrt(weight));
  std::vector<double> y = rows.y;
  for (std::size_t i = 0; i < roots.size(); ++i) y[i] *= roots[i];
  const DeviceMatrix X = device_->upload(rows.X);
  const DeviceMatrix factors = roots.empty() ? DeviceMatrix() : device_->upload(column_of(roots));
  DeviceMatrix both = device_->make(rows.size(), n + 1);
  DeviceMatrix columns = both;
  columns.cols = n;
  device_->evaluate(features_, X, 0, factors, columns);
  device_->copy(device_->upload(column_of(y)), 0, both, n * rows.size(), rows.size());
  device_->add_gram_of_columns(products_, both);
  rows_ += rows.size();
  weight_ += rows.total_weight();
}

NormalEquations DeviceSums::summary() const {
  return equations_of_products(device_->download(products_), scales_, rows_, weight_);
}

}  // namespace shrimp
