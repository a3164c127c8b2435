// What control groups, as of containers and services, leave of memory.
#pragma once

#include <string>

namespace shrimp {

/// Bytes that the groups of this process leave to it: the least of its own group and of those around it, of either
/// version; infinity where none limits it. Page cache does not count as used, for it goes where memory is short.
double control_group_memory(const std::string& membership = "/proc/self/cgroup",
                            const std::string& root = "/sys/fs/cgroup");

}  // namespace shrimp
