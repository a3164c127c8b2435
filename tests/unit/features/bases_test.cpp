// Every row of the table, whatever it is: who adds one need not add a test. Terms, gradients, equations and model files
// of every row are tested beside those of other models.
#include "features/bases.hpp"

#include <set>

#include "support.hpp"

namespace shrimp {
namespace bases_test {

std::vector<double> arguments() {
  std::vector<double> t = test::random_vector(200, 1);
  for (double& value : t) value *= 4.0;
  return t;
}

std::vector<double> shifted(std::vector<double> t, double h) {
  for (double& value : t) value += h;
  return t;
}

std::vector<double> applied(const FunctionRow& phi, std::vector<double> t) {
  phi.apply(t);
  return t;
}

TEST(Functions, HaveSlopesThatAreTheLimitOfDifferences) {
  const double h = 1e-6;
  for (const FunctionRow& phi : all_functions()) {
    if (phi.form == Form::kernel) continue;
    SCOPED_TRACE(phi.name);
    std::vector<double> slopes = arguments();
    phi.slope(slopes);
    const std::vector<double> up = applied(phi, shifted(arguments(), h));
    const std::vector<double> down = applied(phi, shifted(arguments(), -h));
    for (std::size_t k = 0; k < slopes.size(); ++k) EXPECT_NEAR(slopes[k], (up[k] - down[k]) / (2.0 * h), 1e-8);
  }
}

TEST(Functions, HaveTheFormThatTheyClaim) {
  for (const FunctionRow& phi : all_functions()) {
    SCOPED_TRACE(phi.name);
    if (phi.form == Form::line) {
      EXPECT_EQ(applied(phi, arguments()), arguments());
    }
    if (phi.form != Form::wave) continue;
    std::vector<double> waves;
    for (const double t : arguments()) waves.push_back((phi.amplitude * std::polar(1.0, t)).real());
    test::expect_near(applied(phi, arguments()), waves, 1e-14);
  }
}

// A number's value must not depend on how many others there are: rows are evaluated in parts.
TEST(Functions, TreatEveryNumberAlike) {
  for (const FunctionRow& phi : all_functions()) {
    if (phi.form == Form::kernel) continue;
    const std::vector<double> together = applied(phi, arguments());
    for (std::size_t k = 0; k < together.size(); ++k) EXPECT_EQ(applied(phi, {arguments()[k]})[0], together[k]);
  }
}

TEST(Functions, HaveNamesOfTheirOwn) {
  std::set<std::string> names = {"variables", "weights", "phase"};  // Other fields of a feature in a model file.
  for (const FunctionRow& phi : all_functions()) EXPECT_TRUE(names.insert(phi.name).second) << phi.name;
}

TEST(Bases, HaveDistinctNames) {
  std::set<std::string_view> names = {"auto"};  // Leaves the choice to the method.
  for (const BasisRow& row : all_bases()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

TEST(Bases, MakeAColumnOfEveryFunctionAndWeightVector) {
  FeatureOptions options;
  options.features = 30;
  const Matrix X = test::random_matrix(20, 4, 2);
  for (const BasisRow& row : all_bases()) {
    SCOPED_TRACE(row.name);
    options.basis = row.basis;
    const FeatureWeights W = draw_weights(4, options);
    ASSERT_EQ(W.size(), count_weights(4, options));
    EXPECT_EQ(W.phases.size(), row.draws == Draws::weights_and_phase ? W.size() : 0);
    const Matrix A = evaluate(make_dictionary(W, row.basis), X);
    ASSERT_EQ(A.cols(), row.functions.size() * W.size());
    for (std::size_t k = 0; k < A.cols(); ++k) {
      const std::size_t j = k % W.size();
      std::vector<double> t(X.rows(), W.phases.empty() ? 0.0 : W.phases[j]);
      for (std::size_t l = 0; l < W.support(j).size(); ++l) {
        for (std::size_t i = 0; i < t.size(); ++i) t[i] += W.weights(j)[l] * X(i, W.support(j)[l]);
      }
      test::expect_near(A.col(k), applied(about(row.functions[k / W.size()]), t), 1e-13);
    }
  }
}

TEST(Bases, WithoutARowAreRefused) {
  EXPECT_THROW((void)about(static_cast<Basis>(all_bases().size())), std::logic_error);
  EXPECT_THROW((void)about(static_cast<Function>(all_functions().size())), std::logic_error);
}

}  // namespace bases_test
}  // namespace shrimp
