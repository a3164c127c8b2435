// Every device against the processor's own features and linear algebra, which have tests by themselves.
#include "linalg/device.hpp"

#include "features/device_features.hpp"
#include "linalg/cuda/why_not.hpp"
#include "linalg/devices.hpp"
#include "linalg/matrices.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace device_test {

using test::entries;
using test::expect_near;
using test::random_matrix;
using test::random_vector;

class DeviceOperations : public test::DeviceTest {
 protected:
  [[nodiscard]] DeviceMatrix vector_of(const std::vector<double>& x) const {
    return device().upload(MatrixView{x.data(), x.size(), 1, x.size()});
  }
  [[nodiscard]] std::vector<double> back(const DeviceMatrix& M) const { return entries(device().download(M)); }
  [[nodiscard]] DeviceIndices indices(const std::vector<std::size_t>& P) const {
    return device().upload(std::span<const std::size_t>(P));
  }
  [[nodiscard]] DeviceMatrix zeros(std::size_t rows, std::size_t cols) const {
    DeviceMatrix M = device().make(rows, cols);
    device().fill(M, 0.0);
    return M;
  }
};

std::vector<double> lower_triangle(const Matrix& G) {
  std::vector<double> values;
  for (std::size_t j = 0; j < G.cols(); ++j)
    values.insert(values.end(), G.col(j).begin() + static_cast<std::ptrdiff_t>(j), G.col(j).end());
  return values;
}

TEST_P(DeviceOperations, BringsBackWhatItWasGiven) {
  const Matrix M = random_matrix(37, 5, 1);
  EXPECT_EQ(back(device().upload(M)), entries(M));
  const MatrixView part{M.data() + 3, 20, 4, M.rows()};
  EXPECT_EQ(back(device().upload(part)), entries(Matrix(part)));
}

TEST_P(DeviceOperations, FeaturesOfEveryBasisAreThoseOfTheProcessor) {
  const Matrix X = random_matrix(531, 4, 2);
  for (const Basis basis :
       {Basis::fourier, Basis::cosine, Basis::sine, Basis::relu, Basis::tanh, Basis::identity, Basis::linear}) {
    FeatureOptions options;
    options.orders = {basis == Basis::linear ? 1 : 2};
    options.features = 50;
    options.basis = basis;
    const Dictionary dictionary = make_dictionary(draw_weights(4, options), basis);
    ASSERT_TRUE(has_device_features(dictionary));
    DeviceMatrix A = device().make(X.rows(), dictionary.columns());
    device().evaluate(device_features(dictionary), device().upload(X), 0, {}, A);
    expect_near(back(A), entries(evaluate(dictionary, X)), 4e-15);
  }
}

TEST_P(DeviceOperations, FeaturesOfSomeRowsAreWeightedAlike) {
  const Matrix X = random_matrix(300, 3, 3);
  const std::vector<double> factors = random_vector(300, 4);
  const Dictionary dictionary =
      make_dictionary(draw_weights(3, {}), Basis::fourier).subset(std::vector<std::size_t>{1, 5, 9990, 9995});
  DeviceMatrix A = device().make(100, dictionary.columns());
  device().evaluate(device_features(dictionary), device().upload(X), 150, vector_of(factors), A);
  const Matrix expected = evaluate(dictionary, X);
  const Matrix found = device().download(A);
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(found(i, k), factors[150 + i] * expected(150 + i, k), 4e-15);
  }
}

TEST_P(DeviceOperations, FindsWhatIsNoNumber) {
  Matrix A = random_matrix(1000, 7, 5);
  EXPECT_TRUE(device().all_finite(device().upload(A)));
  A(999, 6) = test::not_a_number;
  EXPECT_FALSE(device().all_finite(device().upload(A)));
}

TEST_P(DeviceOperations, ProductsWithSomeColumnsAreThoseOfTheProcessor) {
  for (const std::size_t rows : {3ul, 700ul, 20000ul}) {
    const Matrix A = random_matrix(rows, 300, 6);
    std::vector<std::size_t> P;
    for (std::size_t k = 1; k < 300; k += 2) P.push_back(k);
    const std::vector<double> z = random_vector(rows, 7);
    const std::vector<double> c = random_vector(P.size(), 8);
    const DeviceMatrix on_device = device().upload(A);
    DeviceMatrix products = device().make(P.size(), 1);
    DeviceMatrix sum = device().make(rows, 1);
    device().project(on_device, indices(P), vector_of(z), products);
    device().combine(on_device, indices(P), vector_of(c), sum);
    expect_near(back(products), project_columns(A, P, z), 1e-11);
    expect_near(back(sum), combine_columns(A, P, c), 1e-12);
  }
}

TEST_P(DeviceOperations, GramMatricesAreThoseOfTheProcessor) {
  const Matrix A = random_matrix(60, 90, 9);
  Matrix rows(60, 60);
  Matrix columns(90, 90);
  add_gram(rows, -0.5, A);
  add_gram_of_columns(columns, A);
  DeviceMatrix G = zeros(60, 60);
  DeviceMatrix H = zeros(90, 90);
  device().add_gram(G, -0.5, device().upload(A));
  device().add_gram_of_columns(H, device().upload(A));
  expect_near(lower_triangle(device().download(G)), lower_triangle(rows), 1e-12);
  expect_near(lower_triangle(device().download(H)), lower_triangle(columns), 1e-12);
}

TEST_P(DeviceOperations, GathersColumnsAndPartsOfSymmetricMatrices) {
  const Matrix A = random_matrix(50, 50, 10);
  const std::vector<std::size_t> P = {2, 3, 17, 49};
  DeviceMatrix part = device().make(50, 2);
  device().gather_columns(device().upload(A), indices(P), 1, part);
  EXPECT_EQ(back(part), entries(gather_columns(A, std::vector<std::size_t>{3, 17})));
  DeviceMatrix square = zeros(4, 4);
  device().gather_symmetric(device().upload(A), indices(P), square);
  const Matrix found = device().download(square);
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = j; i < 4; ++i) EXPECT_EQ(found(i, j), A(P[i], P[j]));
  }
}

TEST_P(DeviceOperations, GathersAndScalesRows) {
  Matrix A = random_matrix(300, 7, 16);
  const std::vector<double> d = random_vector(300, 17);
  const std::vector<std::size_t> P = {0, 3, 270, 299};
  DeviceMatrix part = device().make(4, 7);
  device().gather_rows(device().upload(A), indices(P), part);
  EXPECT_EQ(back(part), entries(gather_rows(A, P)));
  DeviceMatrix scaled = device().upload(A);
  device().scale_rows(scaled, vector_of(d));
  scale_rows(A, d);
  EXPECT_EQ(back(scaled), entries(A));
}

TEST_P(DeviceOperations, ProductsOfMatricesAreThoseOfTheProcessor) {
  const Matrix A = random_matrix(300, 20, 18);
  const Matrix B = random_matrix(300, 33, 19);
  DeviceMatrix C = device().make(20, 33);
  device().multiply_transposed(device().upload(A), device().upload(B), C);
  expect_near(back(C), entries(multiply_transposed(A, B)), 1e-12);
}

TEST_P(DeviceOperations, InvertsWhatItHasFactorisedAndSolvesFromTheRight) {
  const Matrix A = random_matrix(70, 90, 20);
  const std::vector<double> d(70, 0.5);
  DeviceMatrix G = zeros(70, 70);
  device().add_gram(G, 1.0, device().upload(A));
  device().add_to_diagonal(G, vector_of(d));
  Matrix expected(70, 70);
  add_gram(expected, 1.0, A);
  for (std::size_t i = 0; i < 70; ++i) expected(i, i) += 0.5;
  expect_near(
      device().diagonal(G),
      [&] {
        std::vector<double> diagonal;
        for (std::size_t i = 0; i < 70; ++i) diagonal.push_back(expected(i, i));
        return diagonal;
      }(),
      1e-12);
  const auto L = Cholesky::factor(std::move(expected));
  ASSERT_TRUE(device().factor(G, 0.0));
  Matrix B = random_matrix(70, 11, 21);
  DeviceMatrix rows = device().upload(transpose(B));
  device().solve_right(G, rows);
  L->solve_lower(B);
  expect_near(back(rows), entries(transpose(B)), 1e-12);
  device().invert(G);
  expect_near(lower_triangle(device().download(G)), lower_triangle(L->inverse()), 1e-12);
}

double kernel_of(const DeviceKernel& kernel, const Matrix& U, std::size_t i, const Matrix& V, std::size_t k) {
  const double root = std::sqrt(3.0);
  double value = kernel.variance;
  for (std::size_t l = 0; l < kernel.scales.size(); ++l) {
    const double r = kernel.scales[l] * std::abs(U(i, l) - V(k, l));
    if (kernel.law == DeviceLaw::normal) value *= std::exp(-0.5 * r * r);
    if (kernel.law == DeviceLaw::cauchy) value *= std::exp(-r);
    if (kernel.law == DeviceLaw::student_t) value *= (1.0 + root * r) * std::exp(-root * r);
  }
  return value;
}

constexpr DeviceLaw laws[] = {DeviceLaw::normal, DeviceLaw::student_t, DeviceLaw::cauchy};

TEST_P(DeviceOperations, KernelMatricesAreThoseOfTheirFormula) {
  const Matrix U = random_matrix(300, 3, 22);
  const Matrix V = random_matrix(40, 3, 23);
  for (const DeviceLaw law : laws) {
    const DeviceKernel kernel{law, {0.5, 1.5, 0.1}, 2.25};
    DeviceMatrix K = device().make(300, 40);
    device().evaluate(kernel, device().upload(U), device().upload(V), K);
    const Matrix found = device().download(K);
    for (std::size_t k = 0; k < 40; ++k) {
      for (std::size_t i = 0; i < 300; ++i) EXPECT_NEAR(found(i, k), kernel_of(kernel, U, i, V, k), 1e-14);
    }
  }
}

// By differences: Σ W ∂ log K/∂ log s is the change of Σ (α αᵀ − M) ∘ K.
TEST_P(DeviceOperations, SlopesOfKernelsAreThoseOfDifferences) {
  constexpr std::size_t m = 300;
  const Matrix U = random_matrix(m, 2, 24);
  const std::vector<double> alpha = random_vector(m, 25);
  Matrix M = random_matrix(m, m, 26);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < j; ++i) M(i, j) = test::not_a_number;  // The lower triangle counts.
  }
  for (const DeviceLaw law : laws) {
    const DeviceKernel kernel{law, {0.5, 1.5}, 2.25};
    const auto sum_of = [&](const DeviceKernel& moved) {
      double sum = 0.0;
      for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t i = j; i < m; ++i) {
          sum += (i == j ? 1.0 : 2.0) * (alpha[i] * alpha[j] - M(i, j)) * kernel_of(moved, U, i, U, j);
        }
      }
      return sum;
    };
    const DeviceMatrix there = device().upload(U);
    DeviceMatrix K = device().make(m, m);
    device().evaluate(kernel, there, there, K);
    const auto slopes = device().kernel_slopes(kernel, there, K, device().upload(M), vector_of(alpha));
    ASSERT_EQ(slopes.size(), 3U);
    EXPECT_NEAR(slopes[2], sum_of(kernel), 1e-9);
    for (std::size_t l = 0; l < 2; ++l) {
      constexpr double h = 1e-5;
      DeviceKernel above = kernel;
      DeviceKernel below = kernel;
      above.scales[l] *= std::exp(h);
      below.scales[l] *= std::exp(-h);
      EXPECT_NEAR(slopes[l], (sum_of(above) - sum_of(below)) / (2.0 * h), 1e-4);
    }
  }
}

TEST_P(DeviceOperations, SolvesPositiveDefiniteEquationsAndRefusesOthers) {
  const Matrix A = random_matrix(40, 80, 11);
  DeviceMatrix G = zeros(40, 40);
  device().add_gram(G, 1.0, device().upload(A));
  DeviceMatrix indefinite = zeros(40, 40);
  device().add_gram(indefinite, -1.0, device().upload(A));
  EXPECT_FALSE(device().factor(indefinite, 1.0));
  Matrix expected(40, 40);
  add_gram(expected, 1.0, A);
  for (std::size_t i = 0; i < 40; ++i) expected(i, i) += 0.25;
  std::vector<double> x = random_vector(40, 12);
  DeviceMatrix b = vector_of(x);
  ASSERT_TRUE(device().factor(G, 0.25));
  device().solve(G, b);
  Cholesky::factor(std::move(expected))->solve(x);
  expect_near(back(b), x, 1e-12);
}

TEST_P(DeviceOperations, BringsEquationsToATriangleWithTheSameErrors) {
  for (const std::size_t rows : {30ul, 30ul + 500ul}) {
    const Matrix A = random_matrix(rows, 30, 13);
    const std::vector<double> y = random_vector(rows, 14);
    const DeviceTriangle triangle = device().reduce(device().upload(A), vector_of(y));
    const std::vector<double> c = random_vector(30, 15);
    std::vector<double> gap = test::times(A, c);
    for (std::size_t i = 0; i < rows; ++i) gap[i] -= y[i];
    std::vector<double> small = test::times(triangle.R, c);
    for (std::size_t i = 0; i < 30; ++i) small[i] -= triangle.b[i];
    EXPECT_NEAR(squared_norm(small) + triangle.rest, squared_norm(gap), 1e-10 * squared_norm(gap));
    EXPECT_EQ(triangle.R(29, 0), 0.0);
  }
}

TEST_P(DeviceOperations, MovesPartsOfVectors) {
  DeviceMatrix to = zeros(5, 1);
  device().copy(vector_of({1.0, 2.0, 3.0, 4.0}), 1, to, 2, 3);
  device().add_scaled(to, 2.0, vector_of({1.0, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(back(to), (std::vector{2.0, 2.0, 2.0, 3.0, 4.0}));
  EXPECT_NEAR(device().norm(to), std::sqrt(37.0), 1e-14);
}

TEST_P(DeviceOperations, SaysWhenThereIsNoRoom) {
  const std::shared_ptr<Device> small = scarce(1000000);
  EXPECT_LE(small->free_bytes(), 1000000u);
  const DeviceMatrix fits = small->make(1000, 100);
  EXPECT_THROW((void)small->make(1000, 100), DeviceMemoryError);
  EXPECT_LE(small->free_bytes(), 200000u);
}

SHRIMP_TEST_EVERY_DEVICE(DeviceOperations);

TEST(DeviceSearch, SaysInOneSentenceWhyThereIsNone) {
  EXPECT_EQ(cuda::why_not({0, 13000, 0, "insufficient driver"}), "this machine has no NVIDIA driver.");
  EXPECT_EQ(cuda::why_not({12040, 13000, 0, "insufficient driver"}),
            "the NVIDIA driver of this machine is too old: it knows CUDA 12.4, and this build needs 13.0.");
  EXPECT_EQ(cuda::why_not({13000, 13000, 0, ""}), "the driver finds no NVIDIA GPU on this machine.");
  EXPECT_EQ(cuda::why_not({13000, 13000, 1, "all busy"}), "the NVIDIA GPU cannot be used: all busy.");
  EXPECT_EQ(cuda::why_not({13000, 13000, 1, ""}), "");
  const DeviceSearch search = find_device();
  EXPECT_EQ(search.device == nullptr, !search.why_not.empty());
  EXPECT_FALSE(device_description().empty());
}

}  // namespace device_test
}  // namespace shrimp
