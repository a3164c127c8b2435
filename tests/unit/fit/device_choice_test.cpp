#include "fit/device_choice.hpp"

#include "support.hpp"

namespace shrimp {
namespace device_choice_test {

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
    test::expect_parts(error.what(), {"device cuda: ", search.why_not.c_str(), "\nUse device cpu, or auto"});
  }
}

// Ten weights for each of ten pairs of inputs, two columns a weight.
TEST(DeviceChoice, NeedsRoomForTheRowsAndForGramMatricesOfTheSmallerSide) {
  EXPECT_EQ(least_device_memory(50, 5, pruning(DeviceChoice::cuda)), 8.0 * (3 * 50 * 50 + 50 * 5));
  EXPECT_EQ(least_device_memory(900, 5, pruning(DeviceChoice::cuda)), 8.0 * (3 * 200 * 200 + 900 * 5));
}

TEST(DeviceChoice, OfTheDefaultMethodIsForSquaredErrorsOfMoreThanAFewRows) {
  FitOptions growing;
  EXPECT_TRUE(has_work_for_device(200, growing));
  EXPECT_FALSE(has_work_for_device(199, growing));
  growing.loss = Loss::logistic;
  EXPECT_FALSE(has_work_for_device(5000, growing));
  EXPECT_TRUE(has_work_for_device(10, pruning(DeviceChoice::cuda)));
  FitOptions lasso;
  lasso.method = "lasso";
  EXPECT_FALSE(has_work_for_device(5000, lasso));
  for (const char* kernel : {"krr", "salsa"}) {
    lasso.method = kernel;
    EXPECT_TRUE(has_work_for_device(5000, lasso));
  }
}

TEST(DeviceChoice, NeedsRoomForKernelsOfTheRowsThatTheDefaultMethodSearches) {
  EXPECT_EQ(least_device_memory(500, 5, {}), 8.0 * (3 * 500 * 500 + 500 * 5));
  EXPECT_EQ(least_device_memory(900000, 5, {}), 8.0 * (3.0 * 4000 * 4000 + 4000 * 5));
}

}  // namespace device_choice_test
}  // namespace shrimp
