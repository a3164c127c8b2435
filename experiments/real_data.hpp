// The paper's eight real data sets: NAME.csv and manifest.json in one folder.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/functions.hpp"

namespace shrimp::experiments {

/// A random split with the sizes and noise columns of the manifest. If the manifest has `standardize`, inputs and
/// target have mean 0 and variance 1 on the training rows. Throws FileError or DataError.
[[nodiscard]] TrainAndTest load_split(const std::string& folder, const std::string& name, std::uint64_t seed);

}  // namespace shrimp::experiments
