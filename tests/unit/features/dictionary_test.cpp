#include <functional>

#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace dictionary_test {

// w = (2) on x1, (1, −0.5) on x1 and x3, (0.25) on x2.
FeatureWeights make_weights(bool phased) {
  FeatureWeights W;
  W.append(std::vector<std::uint32_t>{0}, std::vector<double>{2.0});
  W.append(std::vector<std::uint32_t>{0, 2}, std::vector<double>{1.0, -0.5});
  W.append(std::vector<std::uint32_t>{1}, std::vector<double>{0.25});
  if (phased) W.phases = {0.5, 1.5, 3.0};
  return W;
}

std::vector<double> inner_products(MatrixView X, std::size_t i) {
  return {2.0 * X(i, 0), X(i, 0) - 0.5 * X(i, 2), 0.25 * X(i, 1)};
}

void expect_columns(const Matrix& A, MatrixView X, std::size_t first, const std::vector<double>& phases,
                    const std::function<double(double)>& phi) {
  for (std::size_t i = 0; i < X.rows; ++i) {
    const std::vector<double> t = inner_products(X, i);
    for (std::size_t j = 0; j < t.size(); ++j) EXPECT_NEAR(A(i, first + j), phi(t[j] + phases[j]), 1e-14);
  }
}

TEST(Dictionary, OfFourierColumnsIsCosinesThenSines) {
  const Matrix X = test::random_matrix(20, 3, 1);
  const Matrix A = evaluate(make_dictionary(make_weights(false), Basis::fourier), X);
  ASSERT_EQ(A.cols(), 6U);
  expect_columns(A, X, 0, {0, 0, 0}, [](double t) { return std::cos(t); });
  expect_columns(A, X, 3, {0, 0, 0}, [](double t) { return std::sin(t); });
}

struct BasisCase {
  Basis basis;
  bool phased;
  double (*phi)(double);
};

TEST(Dictionary, AppliesEveryBasis) {
  const BasisCase cases[] = {{Basis::cosine, true, [](double t) { return std::cos(t); }},
                             {Basis::sine, true, [](double t) { return std::sin(t); }},
                             {Basis::relu, false, [](double t) { return t > 0.0 ? t : 0.0; }},
                             {Basis::tanh, false, [](double t) { return std::tanh(t); }},
                             {Basis::identity, false, [](double t) { return t; }}};
  const Matrix X = test::random_matrix(20, 3, 2);
  for (const BasisCase& c : cases) {
    const FeatureWeights W = make_weights(c.phased);
    const std::vector<double> phases = c.phased ? W.phases : std::vector<double>(3, 0.0);
    const Matrix A = evaluate(make_dictionary(W, c.basis), X);
    ASSERT_EQ(A.cols(), 3U);
    expect_columns(A, X, 0, phases, c.phi);
  }
}

TEST(Dictionary, IsTheSameOnAnyNumberOfThreads) {
  const Matrix X = test::random_matrix(100, 8, 3);
  FeatureOptions options;
  options.features = 500;
  const Dictionary dictionary = make_dictionary(draw_weights(8, options), Basis::fourier);
  const auto evaluated_on = [&](int threads) {
    const ThreadScope scope(threads);
    return evaluate(dictionary, X);
  };
  const Matrix one = evaluated_on(1);
  const Matrix three = evaluated_on(3);
  EXPECT_TRUE(std::equal(one.data(), one.data() + one.rows() * one.cols(), three.data()));
}

TEST(Dictionary, IsExactForLargeArguments) {
  FeatureWeights W;
  W.append(std::vector<std::uint32_t>{0}, std::vector<double>{1e9});
  const Matrix X = test::random_matrix(50, 1, 4);
  const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(A(i, 0), std::cos(1e9 * X(i, 0)), 1e-14);
    EXPECT_NEAR(A(i, 1), std::sin(1e9 * X(i, 0)), 1e-14);
  }
}

TEST(Dictionary, ReadsViewsWithAStride) {
  const Matrix X = test::random_matrix(30, 3, 5);
  const Dictionary dictionary = make_dictionary(make_weights(false), Basis::fourier);
  const Matrix whole = evaluate(dictionary, X);
  const Matrix part = evaluate(dictionary, MatrixView{X.data() + 10, 7, 3, 30});
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t k = 0; k < whole.cols(); ++k) EXPECT_EQ(part(i, k), whole(i + 10, k));
  }
}

TEST(Dictionary, RefusesDataWithoutAnInputItLooksAt) {
  const Matrix X = test::random_matrix(5, 2, 6);
  const Dictionary dictionary = make_dictionary(make_weights(false), Basis::fourier);
  EXPECT_THROW((void)evaluate(dictionary, X), std::invalid_argument);
}

TEST(Dictionary, SubsetKeepsItsColumnsAndTheWeightsTheyNeed) {
  const Matrix X = test::random_matrix(20, 3, 7);
  const Dictionary whole = make_dictionary(make_weights(false), Basis::fourier);
  const std::vector<std::size_t> kept = {0, 3, 5};  // cos and sin of the first weight vector, sin of the third.
  const Dictionary part = whole.subset(kept);
  EXPECT_EQ(part.columns(), 3U);
  EXPECT_EQ(part.weights.size(), 2U);
  const Matrix A = evaluate(whole, X);
  const Matrix B = evaluate(part, X);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    EXPECT_TRUE(std::ranges::equal(A.col(kept[k]), B.col(k)));
    EXPECT_TRUE(std::ranges::equal(whole.support(kept[k]), part.support(k)));
  }
}

TEST(Dictionary, SubsetKeepsPhases) {
  const Matrix X = test::random_matrix(20, 3, 8);
  const Dictionary whole = make_dictionary(make_weights(true), Basis::sine);
  const std::vector<std::size_t> kept = {2};
  const Dictionary part = whole.subset(kept);
  EXPECT_EQ(part.weights.phases, std::vector<double>{3.0});
  EXPECT_TRUE(std::ranges::equal(evaluate(whole, X).col(2), evaluate(part, X).col(0)));
}

TEST(Dictionary, SubsetOfNothingIsEmpty) {
  const Dictionary empty = make_dictionary(make_weights(false), Basis::relu).subset({});
  EXPECT_EQ(empty.columns(), 0U);
  EXPECT_EQ(empty.weights.size(), 0U);
}

}  // namespace dictionary_test
}  // namespace shrimp
