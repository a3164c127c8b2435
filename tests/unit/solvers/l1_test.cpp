#include "solvers/l1.hpp"

#include "support.hpp"

namespace shrimp {
namespace l1_test {

using test::difference;
using test::random_vector;

// Sorts: the threshold is that of the longest prefix of falling magnitudes which stays above it.
std::vector<double> projection_by_sorting(const std::vector<double>& x, double radius) {
  std::vector<double> magnitudes;
  for (const double value : x) magnitudes.push_back(std::abs(value));
  std::ranges::sort(magnitudes, std::greater<>());
  double sum = 0.0;
  double threshold = 0.0;
  for (std::size_t k = 0; k < magnitudes.size(); ++k) {
    sum += magnitudes[k];
    const double candidate = (sum - radius) / static_cast<double>(k + 1);
    if (candidate < magnitudes[k]) threshold = std::max(candidate, 0.0);
  }
  std::vector<double> projected;
  for (const double value : x) projected.push_back(std::copysign(std::max(std::abs(value) - threshold, 0.0), value));
  return projected;
}

TEST(SoftThreshold, MinimisesItsObjective) {
  for (const double v : {-3.0, -0.5, 0.0, 0.2, 1.0, 7.5}) {
    for (const double t : {0.0, 0.3, 1.0, 4.0}) {
      const auto objective = [&](double z) { return 0.5 * (z - v) * (z - v) + t * std::abs(z); };
      const double z = soft_threshold(v, t);
      for (double other = -8.0; other <= 8.0; other += 0.01) EXPECT_LE(objective(z), objective(other) + 1e-15);
    }
  }
}

TEST(SoftThreshold, OfNothingIsNothing) {
  EXPECT_EQ(soft_threshold(0.0, 0.0), 0.0);
  EXPECT_EQ(soft_threshold(1.0, 1.0), 0.0);
  EXPECT_EQ(soft_threshold(-1.0, 1.0), 0.0);
  EXPECT_EQ(soft_threshold(-2.5, 0.0), -2.5);
}

TEST(L1Norms, AreThoseOfTheVector) {
  const std::vector<double> x{1.0, -4.0, 0.0, 2.5};
  EXPECT_EQ(l1_norm(x), 7.5);
  EXPECT_EQ(largest_magnitude(x), 4.0);
  EXPECT_EQ(l1_norm({}), 0.0);
  EXPECT_EQ(largest_magnitude({}), 0.0);
}

TEST(L1Projection, AgreesWithSorting) {
  for (const std::size_t size : {1U, 2U, 3U, 10U, 257U, 5000U}) {
    for (const double radius : {1e-6, 0.3, 1.0, 20.0, 1e6}) {
      SCOPED_TRACE(std::to_string(size) + " values onto radius " + std::to_string(radius));
      const std::vector<double> x = random_vector(size, size);
      std::vector<double> projected(x);
      project_onto_l1_ball(projected, radius);
      test::expect_near(projected, projection_by_sorting(x, radius), 1e-13);
      EXPECT_LE(l1_norm(projected), radius + 1e-14 * l1_norm(x));
    }
  }
}

TEST(L1Projection, AgreesWithSortingWhereMagnitudesAreEqualOrFarApart) {
  for (const std::vector<double>& x :
       {std::vector<double>{1.0, -1.0, 1.0, -1.0}, {1e12, 1.0, -1e-12, 0.0}, {0.0, -5.0}}) {
    for (const double radius : {0.5, 2.0, 3.0}) {
      std::vector<double> projected(x);
      project_onto_l1_ball(projected, radius);
      test::expect_near(projected, projection_by_sorting(x, radius), 1e-4 * 1e-12 * norm(x) + 1e-15);
    }
  }
}

TEST(L1Projection, ReturnsTheThresholdThatItUsed) {
  const std::vector<double> x = random_vector(100, 3);
  std::vector<double> projected(x);
  const double threshold = project_onto_l1_ball(projected, 5.0);
  EXPECT_GT(threshold, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(projected[i], soft_threshold(x[i], threshold));
}

TEST(L1Projection, LeavesWhatIsInsideAlone) {
  const std::vector<double> x{0.25, -0.5, 0.25};
  std::vector<double> projected(x);
  EXPECT_EQ(project_onto_l1_ball(projected, 1.0), 0.0);
  EXPECT_EQ(projected, x);
  std::vector<double> empty;
  EXPECT_EQ(project_onto_l1_ball(empty, 1.0), 0.0);
}

TEST(L1Projection, OntoAPointIsThatPoint) {
  std::vector<double> x{3.0, -4.0};
  EXPECT_EQ(project_onto_l1_ball(x, 0.0), 4.0);
  EXPECT_EQ(x, std::vector<double>(2, 0.0));
}

TEST(L1Projection, IsNearerThanOtherPointsOfTheBall) {
  const std::vector<double> x = random_vector(20, 5);
  std::vector<double> projected(x);
  project_onto_l1_ball(projected, 1.0);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> other = random_vector(20, 100 + seed);
    const double size = l1_norm(other);
    for (double& value : other) value /= size;
    EXPECT_LE(norm(difference(projected, x)), norm(difference(other, x)));
  }
}

}  // namespace l1_test
}  // namespace shrimp
