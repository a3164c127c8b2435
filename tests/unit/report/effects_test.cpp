#include "report/effects.hpp"

#include "shrimp/explain.hpp"
#include "support.hpp"

namespace shrimp::report {
namespace effects_test {

// Five inputs, of which d has three values and e is spread by decades and taken by its logarithm.
Model fitted(std::vector<int> orders) {
  Dataset data;
  data.inputs = {"a", "b", "c", "d", "e"};
  data.target = "y";
  data.X = test::random_matrix(200, 5, 1);
  for (std::size_t i = 0; i < 200; ++i) {
    data.X(i, 3) = std::round(data.X(i, 3));
    data.X(i, 4) = std::exp(3.0 * data.X(i, 4));
    data.y.push_back(std::sin(2.0 * data.X(i, 0)) + data.X(i, 1) * data.X(i, 2) + data.X(i, 3) * data.X(i, 0) +
                     std::log(data.X(i, 4)) * data.X(i, 1));
  }
  FitOptions options;
  options.method = "min-l2";
  options.orders = {std::move(orders)};
  options.draw.features = 60;
  Model model = fit(data, options).model;
  model.scaling.input_warps.resize(5);
  model.scaling.input_warps[4].kind = Warp::Kind::log;
  model.scaling.input_mean[4] = 0.0;
  model.scaling.input_scale[4] = 1.7;
  return model;
}

std::vector<std::size_t> terms_of_order(const Model& model, std::size_t order) {
  std::vector<std::size_t> terms;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    if (model.terms[k].variables.size() == order) terms.push_back(k);
  }
  return terms;
}

TEST(Effects, OfOneInputAreTheTermsValuesWhateverTheOthersAre) {
  const Model model = fitted({1, 2});
  const std::vector<std::size_t> terms = terms_of_order(model, 1);
  ASSERT_EQ(terms.size(), 5U);
  for (const Curve& curve : curves_of(model, terms, 1)) {
    Matrix X = test::random_matrix(curve.x.values.size(), 5, 7);
    for (double& e : X.col(4)) e = std::exp(e);
    std::ranges::copy(curve.x.values, X.col(curve.x.input).begin());
    test::expect_near(curve.values, term_values(model, X, 1).col(1 + curve.term), 1e-9);
  }
}

TEST(Effects, OfTwoInputsAreTheTermsValuesForEveryPair) {
  const Model model = fitted({1, 2});
  const std::vector<std::size_t> terms = terms_of_order(model, 2);
  ASSERT_EQ(terms.size(), 10U);
  for (const Surface& surface : surfaces_of(model, terms, 1)) {
    const std::size_t columns = surface.x.values.size();
    ASSERT_EQ(surface.values.size(), columns * surface.y.values.size());
    Matrix X = test::random_matrix(surface.values.size(), 5, 7);
    for (double& e : X.col(4)) e = std::exp(e);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      X(i, surface.x.input) = surface.x.values[i % columns];
      X(i, surface.y.input) = surface.y.values[i / columns];
    }
    test::expect_near(surface.values, term_values(model, X, 1).col(1 + surface.term), 1e-9);
  }
}

TEST(Effects, AreDrawnAtAllValuesOfAnInputOfFewAndByDecadesWhereItEntersSo) {
  const Model model = fitted({1});
  for (const Curve& curve : curves_of(model, terms_of_order(model, 1), 1)) {
    const auto& seen = model.marginals[curve.x.input].values;
    EXPECT_DOUBLE_EQ(curve.x.values.front(), seen.front());
    EXPECT_DOUBLE_EQ(curve.x.values.back(), seen.back());
    EXPECT_EQ(curve.x.few, curve.x.input == 3);
    EXPECT_EQ(curve.x.logarithmic, curve.x.input == 4);
    if (curve.x.few) {
      test::expect_near(curve.x.values, std::vector<double>{-1.0, 0.0, 1.0}, 1e-12);
    }
    if (curve.x.logarithmic) {
      const double step = curve.x.values[1] / curve.x.values[0];
      EXPECT_NEAR(curve.x.values[41] / curve.x.values[40], step, 1e-9);
    }
  }
}

}  // namespace effects_test
}  // namespace shrimp::report
