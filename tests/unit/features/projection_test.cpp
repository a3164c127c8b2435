#include "features/projection.hpp"

#include "support.hpp"

namespace shrimp {
namespace projection_test {

// Whatever part of a vector the last rows fill.
TEST(Projection, TakesAnyNumberOfRowsAndInputs) {
  const Matrix X = test::random_matrix(70, 5, 1);
  const std::vector<std::uint32_t> support = {4, 0, 2};
  const std::vector<double> w = {0.5, -3.0, 1.25};
  for (std::size_t inputs = 0; inputs <= 3; ++inputs) {
    for (std::size_t rows = 0; rows <= 70; ++rows) {
      std::vector<double> t(rows + 1, 7.0);
      project_rows({X.data(), rows, 5, 70}, std::span(support).first(inputs), std::span(w).first(inputs), 0.75,
                   std::span(t).first(rows));
      for (std::size_t i = 0; i < rows; ++i) {
        double expected = 0.75;
        for (std::size_t l = 0; l < inputs; ++l) expected += w[l] * X(i, support[l]);
        EXPECT_NEAR(t[i], expected, 1e-14);
      }
      EXPECT_EQ(t[rows], 7.0);
    }
  }
}

TEST(Projection, OfARowDoesNotDependOnTheOthers) {
  const Matrix X = test::random_matrix(40, 2, 2);
  const std::vector<std::uint32_t> support = {0, 1};
  const std::vector<double> w = {0.1, 0.3};
  std::vector<double> all(40);
  project_rows(X, support, w, 0.0, all);
  for (std::size_t i = 0; i < 40; ++i) {
    double alone = 0.0;
    project_rows({X.data() + i, 1, 2, 40}, support, w, 0.0, {&alone, 1});
    EXPECT_EQ(alone, all[i]);
  }
}

}  // namespace projection_test
}  // namespace shrimp
