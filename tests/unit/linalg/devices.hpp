// The devices that the same tests run on: the reference device everywhere, the GPU where there is one.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <ostream>

#include "linalg/device.hpp"
#include "linalg/reference_device.hpp"

namespace shrimp::test {

struct DeviceKind {
  const char* name;
  DeviceSearch (*find)(std::size_t most_bytes);
};

inline std::ostream& operator<<(std::ostream& stream, const DeviceKind& kind) { return stream << kind.name; }

inline constexpr std::array device_kinds{
    DeviceKind{"Reference",
               [](std::size_t most_bytes) {
                 auto device = most_bytes == 0 ? std::make_shared<ReferenceDevice>()
                                               : std::make_shared<ReferenceDevice>(most_bytes);
                 return DeviceSearch{std::move(device), ""};
               }},
    DeviceKind{"Card", [](std::size_t most_bytes) { return find_device(most_bytes); }},
};

/// Skips the tests of a device that this machine lacks.
class DeviceTest : public ::testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override {
    const DeviceSearch search = GetParam().find(0);
    if (search.device == nullptr) GTEST_SKIP() << "no GPU: " << search.why_not;
    device_ = search.device;
  }

  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] const std::shared_ptr<Device>& shared_device() const { return device_; }
  /// One that may take so many bytes at most.
  [[nodiscard]] std::shared_ptr<Device> scarce(std::size_t most_bytes) const {
    return GetParam().find(most_bytes).device;
  }

 private:
  std::shared_ptr<Device> device_;
};

}  // namespace shrimp::test

/// Names its tests SUITE.TEST/DEVICE.
#define SHRIMP_TEST_EVERY_DEVICE(suite)                                                \
  INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::shrimp::test::device_kinds), \
                           ::testing::PrintToStringParamName())
