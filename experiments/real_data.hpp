// The paper's eight real data sets: NAME.csv and manifest.json in one folder.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/functions.hpp"

namespace shrimp::experiments {

/// A random split in the manifest's sizes, with its columns of noise appended. Inputs and target have mean 0 and
/// variance 1 on the training rows where the manifest says so. Throws FileError or DataError.
[[nodiscard]] TrainAndTest load_split(const std::string& folder, const std::string& name, std::uint64_t seed);

}  // namespace shrimp::experiments
