#include "data/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

namespace shrimp {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Where one version of control groups says what.
struct Files {
  std::vector<std::string_view> limits;
  std::string_view used;
  std::vector<std::string_view> cache;  // Keys of memory.stat.
};

const Files version1{{"memory.limit_in_bytes"}, "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
const Files version2{{"memory.max", "memory.high"}, "memory.current", {"inactive_file", "active_file"}};

// Infinity where there is no such file, or no number in it ("max").
double number_in(const std::string& path) {
  std::ifstream file(path);
  double number = 0.0;
  return file >> number ? number : unlimited;
}

double page_cache(const std::string& folder, const Files& files) {
  std::ifstream statistics(folder + "/memory.stat");
  std::string key;
  double bytes = 0.0;
  double cache = 0.0;
  while (statistics >> key >> bytes) {
    if (std::ranges::find(files.cache, key) != files.cache.end()) cache += bytes;
  }
  return cache;
}

double left_in(const std::string& folder, const Files& files) {
  double limit = unlimited;
  for (const std::string_view name : files.limits) {
    limit = std::min(limit, number_in(folder + "/" + std::string(name)));
  }
  const double used = number_in(folder + "/" + std::string(files.used));
  if (limit == unlimited || used == unlimited) return unlimited;
  return std::max(0.0, limit - std::max(0.0, used - page_cache(folder, files)));
}

// Of a group and all around it. Inside of a container, folders further down may not be there to be seen.
double left_on_the_way(const std::string& root, std::string group, const Files& files) {
  double left = left_in(root, files);
  while (!group.empty() && group != "/") {
    left = std::min(left, left_in(root + group, files));
    group.resize(group.rfind('/'));
  }
  return left;
}

bool names_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

}  // namespace

double control_group_memory(const std::string& membership, const std::string& root) {
  std::ifstream groups(membership);
  std::string line;  // "4:memory:/folder", and for version 2 "0::/folder"
  double left = unlimited;
  while (std::getline(groups, line)) {
    std::istringstream parts(line);
    std::string number;
    std::string controllers;
    std::string group;
    std::getline(parts, number, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, group);
    if (!group.starts_with('/')) continue;
    if (names_memory(controllers)) left = std::min(left, left_on_the_way(root + "/memory", group, version1));
    if (!controllers.empty()) continue;
    left = std::min(left, left_on_the_way(root, group, version2));
    left = std::min(left, left_on_the_way(root + "/unified", group, version2));
  }
  return left;
}

}  // namespace shrimp
