#include "data/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "data/control_groups.hpp"
#include "threads/address_space.hpp"

namespace shrimp {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

double machine_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  double kib = 0.0;
  std::string unit;
  while (meminfo >> key >> kib && std::getline(meminfo, unit)) {
    if (key == "MemAvailable:") return kib * 1024.0;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double available_memory(double limit_gib, double held) {
  if (limit_gib > 0.0) return std::min(std::max(0.0, limit_gib * gib - held), address_space_left());
  return std::min({machine_memory(), control_group_memory(), address_space_left()});
}

std::string format_bytes(double bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < std::size(units)) {
    bytes /= 1024.0;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace shrimp
