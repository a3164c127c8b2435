#include "fit/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/memory.hpp"
#include "fit/sampled_rows.hpp"
#include "grow/kernel_evidence.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"

namespace shrimp {
namespace {

bool grows(const FitOptions& options) { return method_named(options.method).candidates == nullptr; }

bool can_run_there(const FitOptions& options) { return method_named(options.method).runs_on_device; }

}  // namespace

std::shared_ptr<Device> choose_device(const FitOptions& options) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  if (options.machine.device == DeviceChoice::cpu) return nullptr;
  const DeviceSearch search = find_device(static_cast<std::size_t>(options.machine.device_memory * gib));
  if (search.device == nullptr && options.machine.device == DeviceChoice::cuda) {
    throw OptionError(
        fmt::format("device cuda: {}\nUse device cpu, or auto, which uses a GPU if one is present.", search.why_not));
  }
  return can_run_there(options) ? search.device : nullptr;
}

bool has_work_for_device(std::size_t m, const FitOptions& options) {
  if (!can_run_there(options)) return false;
  return !grows(options) || (m >= fewest_kernel_rows_for_a_device && options.loss == Loss::squared);
}

double least_device_memory(std::size_t m, std::size_t d, const FitOptions& options) {
  if (grows(options)) {
    const auto rows = static_cast<double>(std::min(m, most_rows_to_grow_on));
    return 8.0 * (3.0 * rows * rows + rows * static_cast<double>(d));
  }
  const FitOptions complete = complete_options(options, d);
  double largest = 0.0;
  for (const std::vector<int>& orders : complete.orders) {
    const std::size_t columns = method_named(options.method).count_columns({m, d}, orders, complete);
    const auto small = static_cast<double>(std::min(m, columns));
    largest = std::max(largest, 8.0 * (3.0 * small * small + static_cast<double>(m) * static_cast<double>(d)));
  }
  return largest;
}

std::vector<std::string> device_warnings(std::size_t m, std::size_t d, const FitOptions& options) {
  const std::shared_ptr<Device> device = choose_device(options);
  if (device != nullptr && has_work_for_device(m, options)) {
    const auto free = static_cast<double>(device->free_bytes());
    const double needed = least_device_memory(m, d, options);
    if (needed <= free) return {};
    return {fmt::format("this fit needs about {1} of GPU memory, but {0} may be used; the CPU computed the rest.",
                        format_bytes(free), format_bytes(needed))};
  }
  if (options.machine.device != DeviceChoice::cuda) return {};
  if (can_run_there(options)) {
    return {fmt::format("method {} uses the GPU only for loss squared and {} rows or more; the CPU was used.",
                        options.method, fewest_kernel_rows_for_a_device)};
  }
  return {fmt::format("method {} does not run on the GPU; the CPU was used.", options.method)};
}

}  // namespace shrimp
