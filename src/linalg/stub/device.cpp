// The device of a build without one.
#include "linalg/device.hpp"

#include "shrimp/version.hpp"

namespace shrimp {

DeviceSearch find_device(std::size_t /*most_bytes*/) {
  return {nullptr, "this build of shrimp does not include CUDA."};
}

std::string device_description() { return "no CUDA (built without it)"; }

}  // namespace shrimp
