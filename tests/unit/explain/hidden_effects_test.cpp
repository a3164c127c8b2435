#include "explain/hidden_effects.hpp"

#include <gtest/gtest.h>

namespace shrimp {
namespace hidden_effects_test {

Model model_of(std::size_t inputs, double rows, double noise) {
  Model model;
  model.method = "auto";
  model.inputs.assign(inputs, "x");
  model.results["rows"] = rows;
  model.uncertainty = Uncertainty{.noise = noise, .spread = 1.0, .factor = {}, .levels = {0.9}, .quantiles = {1.6}};
  return model;
}

// SciPy: the λ with ncx2.sf(chi2.isf(.004/sets, K), K, λ) = 0.95, for K = 4 and one set an input, and K = 16 and one
// a pair. The rule takes normal laws in the place of noncentral ones.
TEST(HiddenShares, AreThoseThatAreFoundNineteenTimesInTwenty) {
  const double few = 0.25 / 400.0 / 2.0;
  EXPECT_NEAR(hidden_shares(model_of(8, 400, 0.5), 2.0).of_one / (33.89 * few), 1.0, 0.1);
  EXPECT_NEAR(hidden_shares(model_of(8, 400, 0.5), 2.0).of_two / (52.85 * few), 1.0, 0.1);
  EXPECT_NEAR(hidden_shares(model_of(100, 400, 0.5), 2.0).of_two / (70.24 * few), 1.0, 0.1);
}

TEST(HiddenShares, AreNoneWithoutNoiseOrVariance) {
  EXPECT_LT(hidden_shares(model_of(8, 400, 1e-12), 2.0).of_two, 1e-20);
  EXPECT_EQ(hidden_shares(model_of(8, 400, 0.5), 0.0).of_two, 0.0);
}

TEST(HiddenEffects, RaiseUpperBoundsOfInputsThatWereSearchedForAndNotFound) {
  const SobolIndex none{0.0, 0.0, 0.0, 0.0, 0.0};
  const SobolIndex large{0.9, 0.9, 0.0, 0.8, 0.901};
  Sensitivity found;
  found.variance = 1.0;
  found.inputs = {{0, large, large}, {1, none, none}};
  make_room_for_hidden_effects(found, model_of(2, 400, 0.5));
  EXPECT_EQ(*found.inputs[0].total.high, 0.901);
  EXPECT_GT(*found.inputs[1].first.high, 0.01);
  EXPECT_GT(*found.inputs[1].total.high, *found.inputs[1].first.high);
  EXPECT_EQ(*found.inputs[1].total.low, 0.0);
  found.inputs[1].total = none;
  Model pruned = model_of(2, 400, 0.5);
  pruned.method = "shrimp";
  make_room_for_hidden_effects(found, pruned);
  EXPECT_EQ(*found.inputs[1].total.high, 0.0);
}

}  // namespace hidden_effects_test
}  // namespace shrimp
