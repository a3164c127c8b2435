// Proposition "Bounds on Eigenvalues of Gram Matrix" and the remark after it.
//
// The proof of the bound on λ_1 has two slips, and the printed bound is above the mean of λ_1 in random draws:
//   - it takes X_1/√N for a unit vector, but ‖X_1‖² = m, so that 1/N² should be 1/(N m);
//   - E exp(i⟨x_k − x_j, w_1 − w_l⟩) is (4γ²σ²+1)^(−q/2): no square root is taken, so the power is not −q/4.
// Mended, with z = X_1/√m:  E λ_1 ≥ 1 + (m−1)/N + (N−1)(m−1)/N · (4γ²σ²+1)^(−q/2).
//
// That mean is for w_1 and w_l on the same inputs. If they share only r of their q inputs, the other 2(q−r) bring
// (2γ²σ²+1)^(−1/2) each. The mean over all l ≠ 1 is used, for n = N/C(d,q) weights on each support.
#include <cmath>

#include <fmt/format.h>

#include "linalg/dense.hpp"
#include "linalg/tridiagonal.hpp"
#include "shrimp/errors.hpp"
#include "theory/checks.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

void check(const EigenvalueOptions& options) {
  require_count("m", static_cast<double>(options.m));
  require_count("N", static_cast<double>(options.N));
  require_order(options.q, options.d);
  require_positive("gamma", options.gamma);
  require_positive("sigma", options.sigma);
  require_between_0_and_1("p", options.p);
}

// The mean of E exp(i⟨x_k − x_j, w_1 − w_l⟩) over the other weights w_l.
double mean_coupling(const EigenvalueOptions& options) {
  const auto q = static_cast<double>(options.q);
  const double spread = std::pow(options.gamma * options.sigma, 2);
  const double same = std::pow(4.0 * spread + 1.0, -q / 2.0);
  const double supports = real_binomial(options.d, options.q);
  if (supports == 1.0 || options.N == 1) return same;
  const auto N = static_cast<double>(options.N);
  const double on_same_support = std::max(N / supports - 1.0, 0.0) / (N - 1.0);
  double elsewhere = 0.0;
  for (std::size_t shared = 0; shared < options.q; ++shared) {
    const auto r = static_cast<double>(shared);
    const double share =
        real_binomial(options.q, shared) * real_binomial(options.d - options.q, options.q - shared) / (supports - 1.0);
    elsewhere += share * std::pow(4.0 * spread + 1.0, -r / 2.0) * std::pow(2.0 * spread + 1.0, -(q - r));
  }
  return on_same_support * same + (1.0 - on_same_support) * elsewhere;
}

}  // namespace

EigenvalueBounds eigenvalue_bounds(const EigenvalueOptions& options) {
  check(options);
  const auto m = static_cast<double>(options.m);
  const auto N = static_cast<double>(options.N);
  const auto q = static_cast<double>(options.q);
  const double base = 4.0 * std::pow(options.gamma * options.sigma, 2) + 1.0;
  const double decay = std::pow(base, -q / 4.0);
  const double coupling = mean_coupling(options);
  const double c = N / m;

  EigenvalueBounds result;
  result.largest_at_least = 1.0 + (m - 1.0) / N + (N - 1.0) * (m - 1.0) / N * coupling;
  result.largest_at_least_printed = 2.0 - (N - 1.0) * m / (N * N) + (N - 1.0) * (m * m - m) / (N * N) * decay;
  result.smallest_at_most = (N - m + 1.0) / N * (1.0 + std::sqrt(m * m - m) * decay);
  result.smallest_at_most_printed = (c - 1.0) / c + 1.0 / m + ((c - 1.0) / c * m + 1.0) * decay;
  result.remark_at_most = std::pow(m, options.p) * decay + std::pow(m, options.p - 1.0);
  result.remark_probability = 1.0 - std::pow(m, -options.p);
  result.conditions = {at_most("more features than samples", "m ≤ N", N, m)};
  result.constants = {{"c", c, "N/m"},
                      {"base", base, "4γ²σ²+1"},
                      {"decay", decay, "(4γ²σ²+1)^(-q/4), what conditioning hangs on"},
                      {"coupling", coupling, "E exp(i⟨x_k-x_j, w_1-w_l⟩), the mean over w_l"},
                      {"largest_at_least", result.largest_at_least, "E λ_1 ≥, the proof mended"},
                      {"largest_at_least_published", result.largest_at_least_printed, "E λ_1 ≥, as printed (wrong)"},
                      {"smallest_at_most", result.smallest_at_most, "E λ_m ≤, from the proof"},
                      {"smallest_at_most_published", result.smallest_at_most_printed, "E λ_m ≤, as printed"},
                      {"remark_at_most", result.remark_at_most, "λ_m ≤ where N = m, the remark"},
                      {"remark_probability", result.remark_probability, "1 - m^(-p), how surely"}};
  return result;
}

GramEigenvalues draw_gram_eigenvalues(const EigenvalueOptions& options, std::uint64_t seed, int threads) {
  check(options);
  const ThreadScope scope(threads);
  FeatureOptions features;
  features.orders = {static_cast<int>(options.q)};
  features.features = options.N;
  features.sigma2 = options.sigma * options.sigma;
  features.seed = seed;
  if (count_weights(options.d, features) != options.N) {
    throw OptionError(
        fmt::format("N {} is no multiple of the C({},{}) = {} supports.\nGive a multiple, so that each "
                    "support takes as many.",
                    options.N, options.d, options.q, real_binomial(options.d, options.q)));
  }
  const std::size_t m = options.m;
  require_memory(1.0 * sizeof(double) * static_cast<double>(m) * static_cast<double>(6 * options.N + 4 * m));
  const Matrix A = evaluate(make_dictionary(draw_weights(options.d, features), Basis::fourier),
                            normal_rows(m, options.d, options.gamma, seed));
  // A complex matrix C + iS acts as the real [C −S; S C]: the same eigenvalues, each twice.
  Matrix B = Matrix::uninitialized(2 * m, 2 * options.N);
  for (std::size_t j = 0; j < options.N; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      B(i, j) = B(m + i, options.N + j) = A(i, j);
      B(m + i, j) = A(i, options.N + j);
      B(i, options.N + j) = -A(i, options.N + j);
    }
  }
  Matrix G(2 * m, 2 * m);
  add_gram(G, 1.0 / static_cast<double>(options.N), B);
  std::vector<double> unused(2 * m);
  const std::vector<double> eigenvalues = tridiagonalize(std::move(G), unused).eigenvalues;
  return {eigenvalues.back(), eigenvalues.front()};
}

}  // namespace shrimp
