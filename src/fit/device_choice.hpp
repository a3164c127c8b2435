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

/// Whether a device gets anything to do on m rows: the default method's kernels of few rows are the processor's, and so
/// are its fits by another loss than squared errors.
bool has_work_for_device(std::size_t m, const FitOptions& options);

/// Bytes that a fit of m rows of d inputs needs at least on a device: the rows, and Gram matrices of a path's smaller
/// side, or kernel matrices of the rows that the default method searches.
double least_device_memory(std::size_t m, std::size_t d, const FitOptions& options);

/// A word for those who asked for the card and did not get it, or not for all, on a table that is not long.
std::vector<std::string> device_warnings(std::size_t m, std::size_t d, const FitOptions& options);

}  // namespace shrimp
