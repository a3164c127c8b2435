#include "fit/machine_parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fit/parameter_text.hpp"

namespace shrimp {
namespace {

void set_threads(FitOptions& options, const std::string& text) {
  int value = 0;
  if (!parse(text, value) || value < 0 || value > 1024) refuse("threads", text, "a whole number from 0 to 1024");
  options.machine.threads = value;
}

void set_memory(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !(value >= 0.0) || !std::isfinite(value)) refuse("memory", text, "a number of GiB, or 0");
  options.machine.memory = value;
}

void set_device_memory(FitOptions& options, const std::string& text) {
  double value = 0.0;
  if (!parse(text, value) || !is_not_negative(value) || !std::isfinite(value)) {
    refuse("device-memory", text, "a number of GiB, or 0");
  }
  options.machine.device_memory = value;
}

constexpr std::pair<Storage, std::string_view> storages[] = {
    {Storage::automatic, "auto"}, {Storage::keep, "keep"}, {Storage::recompute, "recompute"}};
constexpr std::pair<DeviceChoice, std::string_view> devices[] = {
    {DeviceChoice::cpu, "cpu"}, {DeviceChoice::cuda, "cuda"}, {DeviceChoice::automatic, "auto"}};

// Does not change the model; the device changes its last digits at most.
Parameter of_the_machine(Parameter parameter) {
  parameter.shapes_model = false;
  return parameter;
}

Parameter everyday_of_the_machine(Parameter parameter) {
  parameter.is_everyday = true;
  return of_the_machine(parameter);
}

Parameter threads_parameter() {
  Parameter threads = everyday_of_the_machine(
      {"threads", "T", "0 to 1024", "0",
       "Number of threads; the model does not depend on it. 0 means OMP_NUM_THREADS if it is set, otherwise all cores.",
       set_threads, [](const FitOptions& o) { return fmt::format("{}", o.machine.threads); }});
  threads.python_name = "n_jobs";
  return threads;
}

}  // namespace

std::vector<Parameter> machine_parameters() {
  return {
      threads_parameter(),
      of_the_machine(
          {"storage", "S", "auto, keep, recompute", "auto",
           "Storage of the feature matrix: keep it in memory, or recompute it when needed (slower). auto keeps it if "
           "it fits.",
           [](FitOptions& o, const std::string& text) { o.machine.storage = choose("storage", text, storages); },
           [](const FitOptions& o) { return name_of(o.machine.storage, storages); }}),
      of_the_machine({"memory", "GIB", "0 or more", "0",
                      "Memory limit of the fit in GiB; 0 means the free memory of the machine.", set_memory,
                      [](const FitOptions& o) { return fmt::format("{}", o.machine.memory); }}),
      of_the_machine(
          {"device", "D", "cpu, cuda, auto", "cpu",
           "Device for large matrix products: cuda is an NVIDIA GPU; auto uses one if present. Models differ in the "
           "last digits. See docs/how-to/gpu.md.",
           [](FitOptions& o, const std::string& text) { o.machine.device = choose("device", text, devices); },
           [](const FitOptions& o) { return name_of(o.machine.device, devices); }}),
      of_the_machine({"device-memory", "GIB", "0 or more", "0",
                      "GPU memory limit of the fit in GiB; 0 means the free memory of the GPU.", set_device_memory,
                      [](const FitOptions& o) { return fmt::format("{}", o.machine.device_memory); }}),
  };
}

}  // namespace shrimp
