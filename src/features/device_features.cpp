#include "features/device_features.hpp"

#include <algorithm>

#include "features/bases.hpp"

namespace shrimp {

bool has_device_features(const Dictionary& dictionary) {
  return std::ranges::all_of(dictionary.functions, [](Function f) { return about(f).on_device.has_value(); });
}

DeviceFeatures device_features(const Dictionary& dictionary) {
  DeviceFeatures features;
  features.offsets.assign(dictionary.weights.offsets.begin(), dictionary.weights.offsets.end());
  features.variables = dictionary.weights.variables;
  features.values = dictionary.weights.values;
  features.phases = dictionary.weights.phases;
  features.rows = dictionary.rows;
  features.functions.reserve(dictionary.columns());
  for (const Function function : dictionary.functions) features.functions.push_back(*about(function).on_device);
  return features;
}

}  // namespace shrimp
