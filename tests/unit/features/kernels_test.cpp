#include "shrimp/kernels.hpp"

#include <bit>
#include <map>
#include <set>

#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace kernels_test {

using test::message_of;
using test::random_matrix;

std::vector<double> gaussians(MatrixView X, std::size_t i, MatrixView Z, std::size_t k, std::span<const double> gamma) {
  std::vector<double> kappa;
  for (std::size_t j = 0; j < X.cols; ++j) kappa.push_back(std::exp(-gamma[j] * std::pow(X(i, j) - Z(k, j), 2)));
  return kappa;
}

// From the definition: all subsets of the given size.
double sum_over_subsets(const std::vector<double>& kappa, int order) {
  double sum = 0.0;
  for (unsigned mask = 0; mask < 1U << kappa.size(); ++mask) {
    if (std::popcount(mask) != order) continue;
    double product = 1.0;
    for (std::size_t j = 0; j < kappa.size(); ++j) product *= (mask >> j & 1U) != 0 ? kappa[j] : 1.0;
    sum += product;
  }
  return sum;
}

// k E_k = Σ_{s=1}^k (−1)^{s−1} E_{k−s} p_s with the power sums p_s.
double newton_girard(const std::vector<double>& kappa, int order) {
  std::vector<double> E = {1.0};
  for (int k = 1; k <= order; ++k) {
    double sum = 0.0;
    for (int s = 1; s <= k; ++s) {
      double power_sum = 0.0;
      for (const double value : kappa) power_sum += std::pow(value, s);
      sum += (s % 2 == 1 ? 1.0 : -1.0) * E[static_cast<std::size_t>(k - s)] * power_sum;
    }
    E.push_back(sum / k);
  }
  return E.back();
}

const std::vector<double> seven_gammas = {0.5, 1.0, 0.1, 2.0, 0.7, 0.3, 1.5};

TEST(Kernels, OfEveryOrderAreTheSumOverAllSubsets) {
  const Matrix X = random_matrix(70, 7, 1);
  const Matrix Z = random_matrix(5, 7, 2);
  for (int order = 1; order <= 7; ++order) {
    const Matrix K = evaluate(kernel_sections(Z, seven_gammas, order), X);
    ASSERT_EQ(K.cols(), 5U);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      for (std::size_t k = 0; k < Z.rows(); ++k) {
        const double expected = sum_over_subsets(gaussians(X, i, Z, k, seven_gammas), order);
        EXPECT_NEAR(K(i, k), expected, 1e-14 * expected) << "order " << order;
      }
    }
  }
}

TEST(Kernels, OfLowOrderOnManyInputsAgreeWithNewtonGirard) {
  const Matrix X = random_matrix(40, 50, 3);
  const std::vector<double> gamma = fixed_gamma(50, 2);
  for (const int order : {1, 2, 3, 4}) {
    const Matrix K = evaluate(kernel_sections(X, gamma, order), X);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      for (std::size_t k = 0; k < X.rows(); ++k) {
        const double expected = newton_girard(gaussians(X, i, X, k, gamma), order);
        EXPECT_NEAR(K(i, k), expected, 1e-12 * expected) << "order " << order;
      }
    }
  }
}

// Against the same recursion with more digits: Newton–Girard would have none left.
TEST(Kernels, KeepTheirDigitsUpToTheHighestOrders) {
  const std::size_t d = 60;
  const Matrix X = random_matrix(20, d, 4);
  const std::vector<double> gamma(d, 0.3);
  for (const int order : {30, 57, 59, 60}) {
    const Matrix K = evaluate(kernel_sections(X, gamma, order), X);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      for (std::size_t k = 0; k < X.rows(); ++k) {
        std::vector<long double> E(d + 1, 0.0L);
        E[0] = 1.0L;
        for (const double kappa : gaussians(X, i, X, k, gamma)) {
          for (std::size_t l = d; l > 0; --l) E[l] += kappa * E[l - 1];
        }
        const auto expected = static_cast<double>(E[static_cast<std::size_t>(order)]);
        EXPECT_NEAR(K(i, k), expected, 1e-13 * expected) << "order " << order;
      }
    }
  }
}

TEST(Kernels, OfTheHighestOrderAreTheGaussianKernel) {
  const Matrix X = random_matrix(100, 4, 5);
  const Matrix K = evaluate(kernel_sections(X, std::vector<double>(4, 0.25), 4), X);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    for (std::size_t k = 0; k < X.rows(); ++k) {
      double distance = 0.0;
      for (std::size_t j = 0; j < 4; ++j) distance += std::pow(X(i, j) - X(k, j), 2);
      EXPECT_NEAR(K(i, k), std::exp(-0.25 * distance), 1e-15);
    }
  }
}

TEST(Kernels, FallToZeroFarAway) {
  Matrix X(200, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) X(i, 0) = 0.2 * static_cast<double>(i);
  X(198, 0) = 1e150;
  X(199, 0) = 1e300;  // The square of the distance is infinite.
  const Matrix K = evaluate(kernel_sections(Matrix(1, 1), {1.0}, 1), X);
  for (std::size_t i = 0; i < 198; ++i) {
    const double exponent = X(i, 0) * X(i, 0);  // Rounded, so that large ones take digits.
    EXPECT_NEAR(K(i, 0), std::exp(-exponent), 4e-16 * (1.0 + exponent) * std::exp(-exponent) + 4e-308) << exponent;
    EXPECT_GE(K(i, 0), 0.0);
  }
  EXPECT_EQ(K(0, 0), 1.0);
  for (const std::size_t i : {150U, 198U, 199U}) EXPECT_EQ(K(i, 0), 0.0);
}

TEST(Kernels, HaveAMatrixThatIsTheSectionsToTheBit) {
  for (const std::size_t rows : {1U, 63U, 64U, 65U, 130U}) {
    const Matrix X = random_matrix(rows, 7, rows);
    for (const int order : {1, 2, 5, 7}) {
      const Matrix K = kernel_matrix(X, seven_gammas, order);
      const Matrix sections = evaluate(kernel_sections(X, seven_gammas, order), X);
      ASSERT_EQ(K.rows(), rows);
      EXPECT_TRUE(std::equal(K.data(), K.data() + rows * rows, sections.data()));
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < i; ++k) ASSERT_EQ(K(i, k), K(k, i));
        EXPECT_NEAR(K(i, i), static_cast<double>(binomial(7, static_cast<std::uint64_t>(order))), 1e-13);
      }
    }
  }
  EXPECT_TRUE(kernel_matrix(Matrix(0, 7), seven_gammas, 2).empty());
}

TEST(Kernels, AreTheSameOnAnyNumberOfThreadsAndAnyPartOfTheRows) {
  const Matrix X = random_matrix(200, 7, 6);
  const Dictionary dictionary = kernel_sections(X, seven_gammas, 3);
  const auto evaluated_on = [&](int threads) {
    const ThreadScope scope(threads);
    return evaluate(dictionary, X);
  };
  const Matrix one = evaluated_on(1);
  const Matrix three = evaluated_on(3);
  EXPECT_TRUE(std::equal(one.data(), one.data() + one.rows() * one.cols(), three.data()));
  const Matrix part = evaluate(dictionary, MatrixView{X.data() + 33, 70, 7, 200});
  for (std::size_t i = 0; i < 70; ++i) {
    for (std::size_t k = 0; k < part.cols(); ++k) ASSERT_EQ(part(i, k), one(i + 33, k));
  }
}

TEST(Kernels, StandBesideOtherColumns) {
  const Matrix X = random_matrix(30, 2, 7);
  Dictionary dictionary;
  dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  dictionary.weights.append(std::vector<std::uint32_t>{1}, std::vector<double>{0.25});
  dictionary.rows = {1, 0, 0};
  dictionary.functions = {Function::kernel, Function::cos, Function::kernel};
  dictionary.gamma = {1.0, 3.0};
  const Matrix A = evaluate(dictionary, X);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(A(i, 0), std::exp(-3.0 * std::pow(X(i, 1) - 0.25, 2)), 1e-15);
    EXPECT_NEAR(A(i, 1), std::cos(0.5 * X(i, 0) - X(i, 1)), 1e-14);
    EXPECT_NEAR(A(i, 2), std::exp(-std::pow(X(i, 0) - 0.5, 2) - 3.0 * std::pow(X(i, 1) + 1.0, 2)), 1e-15);
  }
}

constexpr Law laws_with_kernels[] = {Law::normal, Law::student_t, Law::cauchy};

// From the definitions.
double factor(Law law, double gamma, double gap) {
  const double r = gamma * std::abs(gap);
  if (law == Law::normal) return std::exp(-gamma * gap * gap);
  return law == Law::cauchy ? std::exp(-r) : (1.0 + r) * std::exp(-r);
}

TEST(Kernels, OfEveryLawAndOrderAreTheSumOverAllSubsets) {
  const Matrix X = random_matrix(70, 7, 21);
  const Matrix Z = random_matrix(3, 7, 22);
  for (const Law law : laws_with_kernels) {
    for (int order = 1; order <= 7; ++order) {
      Dictionary dictionary = kernel_sections(Z, seven_gammas, order);
      dictionary.kernel_law = law;
      const Matrix K = evaluate(dictionary, X);
      for (std::size_t i = 0; i < X.rows(); ++i) {
        for (std::size_t k = 0; k < Z.rows(); ++k) {
          std::vector<double> kappa;
          for (std::size_t j = 0; j < 7; ++j) kappa.push_back(factor(law, seven_gammas[j], X(i, j) - Z(k, j)));
          const double expected = sum_over_subsets(kappa, order);
          EXPECT_NEAR(K(i, k), expected, 1e-14 * expected) << "order " << order;
        }
      }
    }
  }
}

TEST(Kernels, OnASupportAreTheProductOverItsInputs) {
  const Matrix X = random_matrix(70, 7, 23);
  const Matrix Z = random_matrix(4, 7, 24);
  for (const Law law : laws_with_kernels) {
    const Dictionary dictionary = kernel_sections_on(Z, {1, 3, 6}, seven_gammas, law);
    EXPECT_EQ(dictionary.kernel_law, law);
    const Matrix K = evaluate(dictionary, X);
    ASSERT_EQ(K.cols(), 4U);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      for (std::size_t k = 0; k < Z.rows(); ++k) {
        double expected = 1.0;
        for (const std::size_t j : {1U, 3U, 6U}) expected *= factor(law, seven_gammas[j], X(i, j) - Z(k, j));
        EXPECT_NEAR(K(i, k), expected, 1e-15);
      }
    }
    const Matrix own = kernel_matrix_on(X, std::vector<std::uint32_t>{1, 3, 6}, seven_gammas, law);
    const Matrix sections = evaluate(kernel_sections_on(X, {1, 3, 6}, seven_gammas, law), X);
    EXPECT_TRUE(std::equal(own.data(), own.data() + 70 * 70, sections.data()));
  }
}

// Where exp(−Σr) has no room the product of the 1 + r may be infinite.
TEST(Kernels, OfEveryLawFallToZeroFarAway) {
  Matrix X(3, 130);
  for (std::size_t j = 0; j < 130; ++j) {
    X(1, j) = 1e5;
    X(2, j) = 1e300;
  }
  std::vector<std::uint32_t> all(130);
  for (std::size_t j = 0; j < 130; ++j) all[j] = static_cast<std::uint32_t>(j);
  for (const Law law : laws_with_kernels) {
    Dictionary dictionary = kernel_sections_on(Matrix(1, 130), all, std::vector<double>(130, 1e10), law);
    for (const int order : {0, 1, 130}) {
      dictionary.kernel_order = order;
      const Matrix K = evaluate(dictionary, X);
      EXPECT_EQ(K(0, 0), order == 1 ? 130.0 : 1.0);
      EXPECT_EQ(K(1, 0), 0.0);
      EXPECT_EQ(K(2, 0), 0.0);
    }
  }
}

TEST(Kernels, OnASupportRefuseBadOptions) {
  const Matrix X = random_matrix(4, 3, 25);
  const std::vector<double> gamma(3, 1.0);
  for (const std::vector<std::uint32_t>& support : {std::vector<std::uint32_t>{}, {1, 0}, {1, 1}, {0, 3}}) {
    EXPECT_THROW((void)kernel_sections_on(X, support, gamma, Law::cauchy), OptionError);
    EXPECT_THROW((void)kernel_matrix_on(X, support, gamma, Law::cauchy), OptionError);
  }
  for (const Law law : {Law::uniform, Law::sphere}) {
    test::expect_parts(message_of<OptionError>([&] { (void)kernel_sections_on(X, {0}, gamma, law); }),
                       {"frequency distribution", "normal, student-t or cauchy"});
    Dictionary dictionary = kernel_sections_on(X, {0}, gamma, Law::normal);
    dictionary.kernel_law = law;
    EXPECT_THROW((void)evaluate(dictionary, X), OptionError);
  }
  EXPECT_THROW((void)kernel_sections_on(X, {0}, {1.0, 1.0, 0.0}, Law::normal), OptionError);
  EXPECT_THROW((void)kernel_sections_on(X, {0}, {1.0}, Law::normal), OptionError);
}

TEST(Kernels, AppendedToOtherColumnsKeepTheirKernel) {
  const Matrix X = random_matrix(30, 7, 26);
  FeatureOptions options;
  options.features = 30;
  const Dictionary waves = make_dictionary(draw_weights(7, options), Basis::fourier);
  const Dictionary sections = kernel_sections_on(X, {0, 2, 3, 5, 6}, seven_gammas, Law::student_t);
  Dictionary waves_first = waves;
  waves_first.append(sections);
  Dictionary sections_first = sections;
  sections_first.append(waves);
  const Matrix A = evaluate(waves, X);
  const Matrix K = evaluate(sections, X);
  const Matrix AK = evaluate(waves_first, X);
  const Matrix KA = evaluate(sections_first, X);
  ASSERT_EQ(AK.cols(), A.cols() + K.cols());
  ASSERT_EQ(KA.cols(), A.cols() + K.cols());
  for (std::size_t k = 0; k < A.cols(); ++k) {
    EXPECT_TRUE(std::ranges::equal(AK.col(k), A.col(k)));
    EXPECT_TRUE(std::ranges::equal(KA.col(K.cols() + k), A.col(k)));
  }
  for (std::size_t k = 0; k < K.cols(); ++k) {
    EXPECT_TRUE(std::ranges::equal(AK.col(A.cols() + k), K.col(k)));
    EXPECT_TRUE(std::ranges::equal(KA.col(k), K.col(k)));
  }
  // And in a subset.
  const std::vector<std::size_t> kept = {1, A.cols() + 3};
  const Matrix some = evaluate(waves_first.subset(kept), X);
  EXPECT_TRUE(std::ranges::equal(some.col(0), A.col(1)));
  EXPECT_TRUE(std::ranges::equal(some.col(1), K.col(3)));
}

TEST(Kernels, OfDifferentKindsDoNotGoTogether) {
  const Matrix X = random_matrix(3, 7, 27);
  const Dictionary dictionary = kernel_sections_on(X, {0, 1}, seven_gammas, Law::cauchy);
  Dictionary same = dictionary;
  same.append(kernel_sections_on(X, {2}, seven_gammas, Law::cauchy));
  EXPECT_EQ(same.columns(), 6U);
  std::vector<double> other_gamma = seven_gammas;
  other_gamma.back() *= 2.0;
  Dictionary whole = dictionary;
  EXPECT_THROW(whole.append(kernel_sections_on(X, {2}, seven_gammas, Law::normal)), OptionError);
  EXPECT_THROW(whole.append(kernel_sections_on(X, {2}, other_gamma, Law::cauchy)), OptionError);
  EXPECT_EQ(whole.columns(), 3U);
}

TEST(Dictionary, AppendedToOneWithPhasesGetsPhasesOfNothing) {
  Dictionary phased;
  phased.weights.append(std::vector<std::uint32_t>{0}, std::vector<double>{1.0});
  phased.weights.phases = {0.5};
  phased.rows = {0};
  phased.functions = {Function::cos};
  Dictionary plain = phased;
  plain.weights.phases.clear();
  Dictionary both = plain;
  both.append(phased);
  EXPECT_EQ(both.weights.phases, (std::vector<double>{0.0, 0.5}));
  both = phased;
  both.append(plain);
  EXPECT_EQ(both.weights.phases, (std::vector<double>{0.5, 0.0}));
}

TEST(Kernels, SurviveInASubset) {
  const Matrix X = random_matrix(20, 7, 8);
  const Dictionary whole = kernel_sections(X, seven_gammas, 3);
  const std::vector<std::size_t> kept = {2, 11};
  const Dictionary part = whole.subset(kept);
  EXPECT_EQ(part.gamma, seven_gammas);
  EXPECT_EQ(part.kernel_order, 3);
  const Matrix A = evaluate(whole, X);
  const Matrix B = evaluate(part, X);
  for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_TRUE(std::ranges::equal(A.col(kept[k]), B.col(k)));
}

TEST(Kernels, RefuseAnOrderOutOfRange) {
  const Matrix X = random_matrix(5, 7, 9);
  for (const int order : {-1, 0, 8}) {
    const auto text = std::to_string(order);
    test::expect_parts(message_of<OptionError>([&] { (void)kernel_sections(X, seven_gammas, order); }),
                       {"order", text.c_str(), "7"});
    EXPECT_THROW((void)kernel_matrix(X, seven_gammas, order), OptionError);
  }
  // C(2000, 1000) is about 1e600.
  EXPECT_THROW((void)kernel_sections(Matrix(1, 2000), std::vector<double>(2000, 1.0), 1000), OptionError);
}

TEST(Kernels, RefuseAGammaThatIsNoPositiveNumber) {
  const Matrix X = random_matrix(5, 2, 10);
  const int orders[] = {1};
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    test::expect_parts(message_of<OptionError>([&] { (void)kernel_sections(X, {1.0, bad}, 1); }), {"gamma"});
    test::expect_parts(message_of<OptionError>([&] {
                         (void)kernel_sections_by_support(X, {bad, 1.0}, orders, 10, 0);
                       }),
                       {"gamma"});
  }
  test::expect_parts(message_of<OptionError>([&] { (void)kernel_sections(X, {1.0}, 1); }), {"gamma", "1", "2"});
}

TEST(Kernels, WithoutAGammaOrWithADegreeAboveTheirInputsAreNotEvaluated) {
  const Matrix X = random_matrix(5, 7, 11);
  Dictionary dictionary = kernel_sections(X, seven_gammas, 2);
  dictionary.kernel_order = 8;
  EXPECT_THROW((void)evaluate(dictionary, X), OptionError);
  dictionary.kernel_order = 2;
  dictionary.gamma.pop_back();
  EXPECT_THROW((void)evaluate(dictionary, X), OptionError);
}

using Columns = std::map<std::vector<std::uint32_t>, std::set<std::vector<double>>>;

// The centres of every support; fails where columns are no products, repeat a centre or are no rows of X.
Columns columns_of(const Dictionary& dictionary, MatrixView X) {
  EXPECT_EQ(dictionary.kernel_order, 0);
  Columns columns;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    EXPECT_EQ(dictionary.functions[k], Function::kernel);
    const auto support = dictionary.support(k);
    const auto centre = dictionary.weights.weights(dictionary.rows[k]);
    bool is_row = false;
    for (std::size_t i = 0; i < X.rows && !is_row; ++i) {
      is_row = true;
      for (std::size_t l = 0; l < support.size(); ++l) is_row = is_row && X(i, support[l]) == centre[l];
    }
    EXPECT_TRUE(is_row);
    const bool is_new = columns[{support.begin(), support.end()}].insert({centre.begin(), centre.end()}).second;
    EXPECT_TRUE(is_new);
  }
  return columns;
}

TEST(KernelsBySupport, AreEverySupportTimesEveryCentreWhereTheyFit) {
  const Matrix X = random_matrix(12, 5, 12);
  const int orders[] = {1, 2, 5};
  const Dictionary dictionary = kernel_sections_by_support(X, std::vector<double>(5, 1.0), orders, 16 * 12, 0);
  EXPECT_EQ(dictionary.columns(), 16U * 12U);
  const Columns columns = columns_of(dictionary, X);
  EXPECT_EQ(columns.size(), 16U);
  for (const auto& [support, centres] : columns) EXPECT_EQ(centres.size(), 12U);
}

TEST(KernelsBySupport, AreOnSomeOfTheCentresWhereNotAllFit) {
  const Matrix X = random_matrix(12, 5, 13);
  const int orders[] = {2};
  const Columns columns = columns_of(kernel_sections_by_support(X, std::vector<double>(5, 1.0), orders, 39, 7), X);
  EXPECT_EQ(columns.size(), 10U);
  std::set<double> first_coordinates;
  for (const auto& [support, centres] : columns) {
    EXPECT_EQ(centres.size(), 3U);
    if (support.front() == 0) {
      for (const auto& centre : centres) first_coordinates.insert(centre.front());
    }
  }
  EXPECT_GT(first_coordinates.size(), 3U);  // Not the same rows everywhere.
}

TEST(KernelsBySupport, AreOnSomeOfTheSupportsWhereNotAllFit) {
  const Matrix X = random_matrix(12, 8, 14);
  const int orders[] = {3};
  const Columns columns = columns_of(kernel_sections_by_support(X, std::vector<double>(8, 1.0), orders, 20, 7), X);
  EXPECT_EQ(columns.size(), 20U);
  for (const auto& [support, centres] : columns) EXPECT_EQ(centres.size(), 1U);
}

TEST(KernelsBySupport, OfSeveralOrdersShareTheColumns) {
  const Matrix X = random_matrix(50, 6, 15);
  const int orders[] = {1, 2};
  const Columns columns = columns_of(kernel_sections_by_support(X, std::vector<double>(6, 1.0), orders, 100, 0), X);
  EXPECT_EQ(columns.size(), 6U + 15U);
  for (const auto& [support, centres] : columns) EXPECT_EQ(centres.size(), support.size() == 1 ? 8U : 3U);
}

TEST(KernelsBySupport, DependOnTheSeedAndTheSupportAlone) {
  const Matrix X = random_matrix(40, 6, 16);
  const std::vector<double> gamma(6, 1.0);
  const auto draw = [&](std::vector<int> orders, std::size_t most, std::uint64_t seed) {
    return columns_of(kernel_sections_by_support(X, gamma, orders, most, seed), X);
  };
  EXPECT_EQ(draw({2}, 75, 1), draw({2}, 75, 1));
  EXPECT_NE(draw({2}, 75, 1), draw({2}, 75, 2));
  // 5 centres on each of the 15 pairs, alone or beside 20 triples with 3 centres.
  const Columns alone = draw({2}, 75, 1);
  const Columns mixed = draw({2, 3}, 150, 1);
  for (const auto& [support, centres] : alone) EXPECT_EQ(mixed.at(support), centres);
}

TEST(KernelsBySupport, RefuseBadOptions) {
  const Matrix X = random_matrix(4, 3, 17);
  const std::vector<double> gamma(3, 1.0);
  const auto draw = [&](std::vector<int> orders, std::size_t most, MatrixView centres) {
    (void)kernel_sections_by_support(centres, gamma, orders, most, 0);
  };
  for (const std::vector<int>& orders : {std::vector<int>{}, {0}, {4}, {2, 1}, {1, 1}}) {
    test::expect_parts(message_of<OptionError>([&] { draw(orders, 10, X); }), {"order"});
  }
  test::expect_parts(message_of<OptionError>([&] { draw({1}, 0, X); }), {"features", "0"});
  EXPECT_THROW(draw({1}, 10, Matrix(0, 3)), OptionError);
}

TEST(Gamma, OfSalsaComesFromTheBandwidths) {
  Matrix X(32, 2);
  for (std::size_t i = 0; i < 32; ++i) X(i, 0) = i % 2 == 0 ? 1.0 : 5.0;  // Standard deviation 2; 32^(1/5) = 2.
  const std::vector<double> gamma = salsa_gamma(X);
  EXPECT_NEAR(gamma[0], 1.0 / (2.0 * 20.0 * 20.0), 1e-15);
  EXPECT_NEAR(gamma[1], 1.0 / (2.0 * 10.0 * 10.0), 1e-15);  // Constant: as if it were 1.
}

TEST(Gamma, FixedIsHalfTheReciprocalOfTheOrder) {
  EXPECT_EQ(fixed_gamma(3, 2), (std::vector<double>{0.25, 0.25, 0.25}));
}

}  // namespace kernels_test
}  // namespace shrimp
