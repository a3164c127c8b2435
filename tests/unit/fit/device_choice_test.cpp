#include "fit/device_choice.hpp"

#include "support.hpp"

namespace shrimp {
namespace {

FitOptions pruning(DeviceChoice device) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 100;
  options.machine.device = device;
  return options;
}

TEST(DeviceChoice, AProcessorIsNoDevice) {
  EXPECT_EQ(choose_device(pruning(DeviceChoice::cpu)), nullptr);
  EXPECT_TRUE(device_warnings(50, 5, pruning(DeviceChoice::cpu)).empty());
}

TEST(DeviceChoice, ACardThatIsAskedForIsFoundOrRefusedWithTheReason) {
  const DeviceSearch search = find_device();
  if (search.device != nullptr) {
    EXPECT_EQ(choose_device(pruning(DeviceChoice::cuda)), search.device);
    EXPECT_EQ(choose_device(pruning(DeviceChoice::automatic)), search.device);
    return;
  }
  EXPECT_EQ(choose_device(pruning(DeviceChoice::automatic)), nullptr);
  EXPECT_TRUE(device_warnings(50, 5, pruning(DeviceChoice::automatic)).empty());
  try {
    (void)choose_device(pruning(DeviceChoice::cuda));
    ADD_FAILURE() << "there is no card";
  } catch (const OptionError& error) {
    test::expect_parts(error.what(), {"device cuda: ", search.why_not.c_str(), "\nGive device cpu, or auto"});
  }
}

// Ten weights for each of ten pairs of inputs, two columns a weight.
TEST(DeviceChoice, NeedsRoomForTheRowsAndForGramMatricesOfTheSmallerSide) {
  EXPECT_EQ(least_device_memory(50, 5, pruning(DeviceChoice::cuda)), 8.0 * (3 * 50 * 50 + 50 * 5));
  EXPECT_EQ(least_device_memory(900, 5, pruning(DeviceChoice::cuda)), 8.0 * (3 * 200 * 200 + 900 * 5));
}

}  // namespace
}  // namespace shrimp
