// Which device a fit runs on, and what is said where it cannot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linalg/device.hpp"
#include "shrimp/options.hpp"

namespace shrimp {

/// Null: the processor alone. Throws OptionError where the card is asked for by name and cannot be used.
std::shared_ptr<Device> choose_device(const FitOptions& options);

/// A word for those who asked for the card by name and did not get it, on a table that is not long.
std::vector<std::string> device_warnings(const FitOptions& options);

}  // namespace shrimp
