#include "fit/device_choice.hpp"

#include <fmt/format.h>

#include "methods/method.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

bool can_run_there(const FitOptions& options) { return method_named(options.method).runs_on_device; }

}  // namespace

std::shared_ptr<Device> choose_device(const FitOptions& options) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  if (options.machine.device == DeviceChoice::cpu) return nullptr;
  const DeviceSearch search = find_device(static_cast<std::size_t>(options.machine.device_memory * gib));
  if (search.device == nullptr && options.machine.device == DeviceChoice::cuda) {
    throw OptionError(fmt::format("device cuda: {}\nGive device cpu, or auto, which takes a card where there is one.",
                                  search.why_not));
  }
  return can_run_there(options) ? search.device : nullptr;
}

std::vector<std::string> device_warnings(const FitOptions& options) {
  if (options.machine.device != DeviceChoice::cuda) return {};
  if (method_named(options.method).candidates == nullptr) {
    return {fmt::format("method {} takes the card for long tables alone: the processor did the work.", options.method)};
  }
  if (can_run_there(options)) return {};
  return {fmt::format("method {} does not run on the card: the processor did the work.", options.method)};
}

}  // namespace shrimp
