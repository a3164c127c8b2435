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

/// Bytes that a path on m rows of d inputs needs at least on a device: the rows, and Gram matrices of the smaller side.
double least_device_memory(std::size_t m, std::size_t d, const FitOptions& options);

/// A word for those who asked for the card and did not get it, or not for all, on a table that is not long.
std::vector<std::string> device_warnings(std::size_t m, std::size_t d, const FitOptions& options);

}  // namespace shrimp
