#include "path/dictionary_rows.hpp"

#include <numeric>

#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace dictionary_rows_test {

using test::random_vector;

constexpr std::size_t row_count = 600;

/// 78 columns of two inputs each, rows weighted.
DictionaryRows make(bool store, Basis basis = Basis::fourier) {
  FeatureOptions options;
  options.features = 40;
  std::vector<double> factors;
  for (const double value : random_vector(row_count, 2)) factors.push_back(2.0 + value);
  return {std::make_shared<Dictionary>(make_dictionary(draw_weights(3, options), basis)),
          test::random_matrix(row_count, 3, 1), std::move(factors), store};
}

// The entries one by one, against which everything else is compared.
Matrix entries_of(const DictionaryRows& rows) { return rows.gather(all_columns(rows.cols())); }

TEST(DictionaryRows, AreTheWeightedRowsOfTheDictionary) {
  const DictionaryRows rows = make(false);
  const Matrix A = entries_of(rows);
  const Matrix X = test::random_matrix(row_count, 3, 1);
  FeatureOptions options;
  options.features = 40;
  const FeatureWeights W = draw_weights(3, options);
  const std::vector<double> factors = random_vector(row_count, 2);
  const auto support = W.support(5);
  for (std::size_t i = 0; i < row_count; ++i) {
    const double t = W.weights(5)[0] * X(i, support[0]) + W.weights(5)[1] * X(i, support[1]);
    EXPECT_NEAR(A(i, 5), (2.0 + factors[i]) * std::cos(t), 1e-14);
  }
}

TEST(DictionaryRows, AreTheSameStoredAndComputedAnew) {
  const Columns P = {0, 3, 4, 40, 77};
  const std::vector<double> c = {1.0, -2.0, 0.5, 3.0, 0.25};
  const std::vector<double> z = random_vector(row_count, 3);
  const DictionaryRows rows = make(false);
  const Matrix A_P = rows.gather(P);
  EXPECT_FALSE(rows.dense());
  test::expect_near(rows.combine(P, c), test::times(A_P, c), 1e-12);
  const DictionaryRows stored = make(true);
  ASSERT_TRUE(stored.dense());
  EXPECT_EQ(stored.dense()->data, stored.dense()->data) << "stored once";
  test::expect_near(stored.combine(P, c), rows.combine(P, c), 1e-12);
  test::expect_near(stored.project(P, z), rows.project(P, z), 1e-12);
  std::vector<double> moved = c;
  std::vector<double> moved_anew = c;
  test::expect_near(stored.project_and_combine(P, z, moved), rows.project_and_combine(P, z, moved_anew), 1e-11);
  test::expect_near(moved, moved_anew, 1e-12);
  test::expect_near(stored.combine(P, moved), rows.project_and_combine(P, std::vector<double>(row_count), moved),
                    1e-11);
  const Matrix G = stored.gram(P);
  const Matrix H = rows.gram(P);
  for (std::size_t i = 0; i < row_count; ++i) EXPECT_NEAR(G(i, 0), H(i, 0), 1e-12);
  const Matrix S_P = stored.gather(P);
  EXPECT_TRUE(std::equal(S_P.data(), S_P.data() + row_count * P.size(), A_P.data()));
}

TEST(DictionaryRows, AreWhatSolversMultiplyWith) {
  const std::vector<double> z = random_vector(row_count, 3);
  std::vector<double> x = random_vector(78, 4);
  for (std::size_t j = 0; j < x.size(); j += 3) x[j] = 0.0;
  for (const bool store : {false, true}) {
    const DictionaryRows rows = make(store);
    const Matrix A = entries_of(rows);
    x.resize(A.cols(), 0.0);
    const LinearOperator& op = rows;
    test::expect_near(op.multiply(x), test::times(A, x), 1e-12);
    const std::vector<double> products = op.multiply_transposed(z);
    ASSERT_EQ(products.size(), A.cols());
    for (std::size_t j = 0; j < A.cols(); ++j) {
      EXPECT_NEAR(products[j], std::inner_product(z.begin(), z.end(), A.col(j).begin(), 0.0), 1e-11);
    }
    if (!store) continue;
    EXPECT_EQ(products, DenseOperator(A).multiply_transposed(z)) << "the very products of a stored matrix";
    EXPECT_EQ(op.multiply(x), DenseOperator(A).multiply(x));
  }
}

TEST(DictionaryRows, GiveTheSameBitsOnAnyNumberOfThreads) {
  const DictionaryRows rows = make(false);
  const std::vector<double> c = random_vector(rows.cols(), 4);
  std::vector<std::vector<double>> sums;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    sums.push_back(rows.combine(all_columns(rows.cols()), c));
  }
  EXPECT_EQ(sums[1], sums[0]);
  EXPECT_EQ(sums[2], sums[0]);
}

// Through the effects where columns are waves, otherwise through blocks of rows where A is not stored.
TEST(DictionaryRows, AreReducedToEquationsWithTheSameErrors) {
  const std::vector<double> y = random_vector(row_count, 5);
  for (const Basis basis : {Basis::fourier, Basis::tanh}) {
    for (const bool store : {false, true}) {
      const DictionaryRows rows = make(store, basis);
      const Matrix A = entries_of(rows);
      const Reduction reduction = rows.reduce(y);
      const std::vector<double> c = random_vector(rows.cols(), 6);
      std::vector<double> in_order;
      for (const std::size_t k : reduction.order) in_order.push_back(c[k]);
      const double error = std::pow(norm(test::difference(test::times(A, c), y)), 2.0);
      const double reduced = std::pow(norm(test::difference(test::times(*reduction.M, in_order), reduction.b)), 2.0);
      EXPECT_NEAR(reduced + reduction.rest, error, 1e-12 * error);
    }
  }
}

TEST(DictionaryRows, RefuseToStoreWhatIsNoNumber) {
  FeatureWeights W;
  W.append(std::vector<std::uint32_t>{0}, std::vector<double>{1e300});
  Matrix X(4, 1);
  X(2, 0) = 1e300;
  const DictionaryRows rows(std::make_shared<Dictionary>(make_dictionary(W, Basis::fourier)), std::move(X), {}, true);
  EXPECT_THROW((void)rows.dense(), std::invalid_argument);
  EXPECT_THROW((void)rows.combine({0}, std::vector<double>{1.0}), std::invalid_argument);
}

}  // namespace dictionary_rows_test
}  // namespace shrimp
