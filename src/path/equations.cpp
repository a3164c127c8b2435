#include "path/equations.hpp"

#include <cmath>

#include "features/device_features.hpp"
#include "linalg/dense.hpp"
#include "path/device_rows.hpp"
#include "path/dictionary_rows.hpp"

namespace shrimp {

double Equations::mean_squared_error(const PathStep& step) const { return squared_error(step) / total_weight; }

PathRecord Equations::record(std::size_t index, const PathStep& step) const {
  PathRecord record(index, step);
  record.train_mse = step.train_mse * static_cast<double>(y.size()) / total_weight;
  return record;
}

double Equations::squared_error(const PathStep& step) const {
  std::vector<double> gap = A->combine(step.columns, step.coefficients);
  for (std::size_t i = 0; i < y.size(); ++i) gap[i] -= y[i];
  return squared_norm(gap);
}

EquationMaker::EquationMaker(std::shared_ptr<const Dictionary> dictionary, const Rows& rows, bool store,
                             std::shared_ptr<Device> device)
    : dictionary_(std::move(dictionary)), rows_(rows), stores_(store), device_(std::move(device)) {
  if (device_ != nullptr && !has_device_features(*dictionary_)) device_ = nullptr;
}

std::shared_ptr<const RowSpace> EquationMaker::features_of(Matrix X, std::vector<double> roots) const {
  if (device_ != nullptr) {
    try {
      return std::make_shared<DeviceRows>(device_, dictionary_, X, roots, stores_);
    } catch (const DeviceMemoryError&) {
      // Not even the rows fit. That A would fit here nobody has asked.
      return std::make_shared<DictionaryRows>(dictionary_, std::move(X), std::move(roots), false);
    }
  }
  return std::make_shared<DictionaryRows>(dictionary_, std::move(X), std::move(roots), stores_);
}

Equations EquationMaker::range(std::size_t first, std::size_t count) const {
  std::vector<std::size_t> which = all_columns(count);
  for (std::size_t& i : which) i += first;
  return some(which);
}

Equations EquationMaker::some(std::span<const std::size_t> which) const {
  Rows own = gather(rows_, which);
  Equations equations;
  equations.total_weight = own.total_weight();
  equations.y = std::move(own.y);
  for (const double weight : own.weights) equations.roots.push_back(std::sqrt(weight));
  for (std::size_t i = 0; i < equations.roots.size(); ++i) equations.y[i] *= equations.roots[i];
  equations.A = features_of(std::move(own.X), equations.roots);
  return equations;
}

}  // namespace shrimp
