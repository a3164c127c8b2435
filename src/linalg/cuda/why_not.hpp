// Why a card cannot be used, in one sentence. Free of CUDA, so that every build tests it.
#pragma once

#include <fmt/format.h>

#include <string>

namespace shrimp::cuda {

/// What the driver says when it is asked for cards. Versions as CUDA counts them: 13000 is 13.0.
struct DriverReport {
  int driver_version = 0;  ///< 0: there is no driver.
  int needed_version = 0;
  int cards = 0;
  std::string error;  ///< Empty where there was none.
};

/// Empty where nothing stands in the way.
inline std::string why_not(const DriverReport& report) {
  const auto version = [](int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); };
  if (report.driver_version == 0) return "this machine has no NVIDIA driver.";
  if (report.driver_version / 1000 < report.needed_version / 1000) {
    return fmt::format("the NVIDIA driver of this machine is too old: it knows CUDA {}, and this build needs {}.",
                       version(report.driver_version), version(report.needed_version));
  }
  if (report.cards == 0) return "the driver finds no NVIDIA GPU on this machine.";
  if (!report.error.empty()) return fmt::format("the NVIDIA GPU cannot be used: {}.", report.error);
  return "";
}

}  // namespace shrimp::cuda
