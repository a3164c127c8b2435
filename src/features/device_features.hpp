// A dictionary as a device takes it.
#pragma once

#include "linalg/device.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

/// Whether a device knows the functions of all columns.
[[nodiscard]] bool has_device_features(const Dictionary& dictionary);

/// For such dictionaries.
[[nodiscard]] DeviceFeatures device_features(const Dictionary& dictionary);

}  // namespace shrimp
