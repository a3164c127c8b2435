#include "report/scale.hpp"

#include "support.hpp"

namespace shrimp::report {
namespace scale_test {

using Values = std::vector<double>;
using Labels = std::vector<std::string>;

const Axis linear;
const Axis logarithmic{"", true, false, {}};

Labels labels(const Scale& scale, std::size_t most) {
  Labels labels;
  for (const Tick& tick : scale.ticks(most)) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  return labels;
}

std::size_t minor_ticks(const Scale& scale, std::size_t most) {
  return scale.ticks(most).size() - labels(scale, most).size();
}

TEST(Scale, LeavesATwentiethFreeAtBothEnds) {
  const Scale scale(linear, Values{10.0, 20.0});
  EXPECT_NEAR(scale.place(10.0), 0.5 / 11.0, 1e-12);
  EXPECT_NEAR(scale.place(20.0), 10.5 / 11.0, 1e-12);
}

TEST(Scale, HasNoPlaceForWhatIsNotFiniteOrHasNoLogarithm) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {infinity, -infinity, std::nan("")}) EXPECT_FALSE(has_place(linear, value));
  EXPECT_TRUE(has_place(linear, -1.0));
  EXPECT_TRUE(has_place(logarithmic, 1e-320));
  EXPECT_FALSE(has_place(logarithmic, 0.0));
  EXPECT_FALSE(has_place(logarithmic, -1.0));
}

TEST(Scale, StepsByOneTwoOrFive) {
  EXPECT_EQ(labels(Scale(linear, Values{0.0, 1.0}), 8), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(Scale(linear, Values{-7.0, 12.0}), 5), (Labels{"−5", "0", "5", "10"}));
  EXPECT_EQ(labels(Scale(linear, Values{0.0, 500000.0}), 3), (Labels{"0", "200000", "400000"}));
}

TEST(Scale, WritesPowersOfTenWhereNumbersAreLong) {
  EXPECT_EQ(labels(Scale(linear, Values{0.0, 3e-7}), 4), (Labels{"0", "1×10⁻⁷", "2×10⁻⁷", "3×10⁻⁷"}));
  EXPECT_EQ(labels(Scale(linear, Values{-1.5e9, 1.5e9}), 4), (Labels{"−1×10⁹", "0", "1×10⁹"}));
}

TEST(Scale, LabelsPowersOfTenOnALogarithmicAxis) {
  EXPECT_EQ(labels(Scale(logarithmic, Values{1.0, 20000.0}), 8), (Labels{"10⁰", "10¹", "10²", "10³", "10⁴"}));
  EXPECT_EQ(labels(Scale(logarithmic, Values{1e-32, 10.0}), 8),
            (Labels{"10⁻³⁰", "10⁻²⁵", "10⁻²⁰", "10⁻¹⁵", "10⁻¹⁰", "10⁻⁵", "10⁰"}));
}

TEST(Scale, HasMinorTicksAtTwoToNineOrAtTheDecadesBetweenLabels) {
  // From 0.79 to 126: 0.8, 0.9 and 2 to 9 in two decades.
  EXPECT_EQ(minor_ticks(Scale(logarithmic, Values{1.0, 100.0}), 8), 2U + 16U);
  // From 10⁻³³·⁶⁵ to 10²·⁶⁵: 36 powers of ten, seven of them with labels.
  EXPECT_EQ(minor_ticks(Scale(logarithmic, Values{1e-32, 10.0}), 8), 36U - 7U);
}

TEST(Scale, LabelsBetweenPowersOfTenWhereItHoldsFewerThanTwo) {
  EXPECT_EQ(labels(Scale(logarithmic, Values{0.02, 0.2}), 8), (Labels{"0.02", "0.05", "0.1", "0.2"}));
  EXPECT_EQ(labels(Scale(logarithmic, Values{3.1, 3.8}), 5), (Labels{"3.2", "3.4", "3.6", "3.8"}));
  EXPECT_EQ(labels(Scale(logarithmic, Values{2e-9, 8e-9}), 5), (Labels{"2×10⁻⁹", "5×10⁻⁹"}));
}

TEST(Scale, PutsEqualValuesInTheMiddle) {
  for (const double value : {0.0, 7.0, -7.0, 1e-200, 1e200, 5e-324}) {
    EXPECT_NEAR(Scale(linear, Values{value, value}).place(value), 0.5, 1e-9) << value;
    EXPECT_GE(labels(Scale(linear, Values{value}), 6).size(), 2U) << value;
  }
  EXPECT_DOUBLE_EQ(Scale(logarithmic, Values{7.0}).place(7.0), 0.5);
  EXPECT_NEAR(Scale(linear, Values{1.0, std::nextafter(1.0, 2.0)}).place(1.0), 0.5, 1e-9);
}

TEST(Scale, HoldsTheLargestAndSmallestNumbers) {
  const Scale wide(linear, Values{-1e300, 1e300});
  EXPECT_DOUBLE_EQ(wide.place(0.0), 0.5);
  EXPECT_EQ(labels(wide, 4), (Labels{"−1×10³⁰⁰", "0", "1×10³⁰⁰"}));
  const Scale logarithms(logarithmic, Values{5e-324, 1e300});
  EXPECT_GT(logarithms.place(5e-324), 0.0);
  EXPECT_GE(labels(logarithms, 8).size(), 2U);
}

TEST(Scale, RunsBackwardsWhereReversed) {
  const Scale forwards(logarithmic, Values{1.0, 1000.0});
  const Scale backwards({"", true, true, {}}, Values{1.0, 1000.0});
  EXPECT_DOUBLE_EQ(backwards.place(30.0), 1.0 - forwards.place(30.0));
  EXPECT_DOUBLE_EQ(forwards.base(), 0.0);
  EXPECT_DOUBLE_EQ(backwards.base(), 1.0);
}

TEST(Scale, StartsStemsAtZero) {
  const Scale above(linear, Values{3.0, 5.0}, true);
  EXPECT_DOUBLE_EQ(above.base(), 0.0);
  EXPECT_LT(above.place(5.0), 1.0);
  EXPECT_DOUBLE_EQ(Scale(linear, Values{-3.0, -5.0}, true).base(), 1.0);
  EXPECT_DOUBLE_EQ(Scale(linear, Values{-4.0, 4.0}, true).base(), 0.5);
  EXPECT_GT(Scale(linear, Values{0.0, 0.0}, true).ticks(8).size(), 1U);
}

TEST(Scale, NamesCategoriesAtWholeNumbers) {
  const Axis axis{"", true, false, {"a", "b", "c", "d"}};  // Names have no logarithms.
  const Scale scale(axis, Values{0.0, 3.0});
  EXPECT_DOUBLE_EQ(scale.place(0.0), 0.125);
  EXPECT_EQ(labels(scale, 4), (Labels{"a", "b", "c", "d"}));
  EXPECT_EQ(labels(scale, 3), (Labels{"a", "c"}));
  EXPECT_LE(Scale(axis, Values{9.0}).place(9.0), 1.0);
}

}  // namespace scale_test
}  // namespace shrimp::report
