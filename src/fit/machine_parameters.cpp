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

// Cannot change the model, or, of the device, no more than its last digits.
Parameter of_the_machine(Parameter parameter) {
  parameter.shapes_model = false;
  return parameter;
}

Parameter everyday_of_the_machine(Parameter parameter) {
  parameter.is_everyday = true;
  return of_the_machine(parameter);
}

}  // namespace

std::vector<Parameter> machine_parameters() {
  return {
      everyday_of_the_machine({"threads", "T", "0 to 1024", "0",
                               "Threads to use; the model is the same with any number. 0 takes OMP_NUM_THREADS where "
                               "it is set, else every core.",
                               set_threads, [](const FitOptions& o) { return fmt::format("{}", o.machine.threads); }}),
      of_the_machine(
          {"storage", "S", "auto, keep, recompute", "auto",
           "Whether the matrix of features is kept in memory, or computed again whenever it is needed, which is "
           "slower. "
           "auto keeps it where it fits.",
           [](FitOptions& o, const std::string& text) { o.machine.storage = choose("storage", text, storages); },
           [](const FitOptions& o) { return name_of(o.machine.storage, storages); }}),
      of_the_machine({"memory", "GIB", "0 or more", "0",
                      "Memory that the fit may use, in GiB; 0 takes what the machine has free.", set_memory,
                      [](const FitOptions& o) { return fmt::format("{}", o.machine.memory); }}),
      of_the_machine(
          {"device", "D", "cpu, cuda, auto", "cpu",
           "Where large products are computed: cuda is the NVIDIA card, and auto takes it where there is one. Models "
           "differ "
           "in their last digits. docs/how-to/gpu.md tells what runs there.",
           [](FitOptions& o, const std::string& text) { o.machine.device = choose("device", text, devices); },
           [](const FitOptions& o) { return name_of(o.machine.device, devices); }}),
      of_the_machine({"device-memory", "GIB", "0 or more", "0",
                      "Memory of the card that the fit may use, in GiB; 0 takes what the card has free.",
                      set_device_memory,
                      [](const FitOptions& o) { return fmt::format("{}", o.machine.device_memory); }}),
  };
}

}  // namespace shrimp
