// How well N random features approximate their kernel: the uniform bound, and the error of a given dictionary.
//
// Rahimi and Recht's bound is quoted in the paper's appendix with σ where their theorem has σ_p, σ_p² = E‖w‖², which is
// qσ² for q entries of variance σ². The default here is σ_p = σ√q.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "theory/checks.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

void check(const KernelErrorOptions& options) {
  require_count("N", options.N);
  require_order(options.q, options.d);
  require_positive("sigma", options.sigma);
  require_positive("diameter", options.diameter);
  require_between_0_and_1("delta", options.delta);
  require_positive("epsilon", options.epsilon);
  require_positive("sigma-p", options.sigma_p);
  require_positive("leading-constant", options.leading_constant);
  if (options.m) require_count("m", static_cast<double>(*options.m), 2.0);
}

// union · constant · (σ_p diam/ε)² · exp(−features·ε²/(4(dimension+2))), by its logarithm.
struct UniformBound {
  double dimension = 1.0;
  double features = 1.0;   // In the mean that is bounded.
  double log_front = 0.0;  // log(union · constant · (σ_p diam)²)

  [[nodiscard]] double log_probability(double epsilon) const {
    return log_front - 2.0 * std::log(epsilon) - features * epsilon * epsilon / (4.0 * (dimension + 2.0));
  }

  // The ε at which the probability is δ; it falls with ε.
  [[nodiscard]] double epsilon_at(double delta) const {
    double low = -100.0;
    double high = 100.0;
    for (int k = 0; k < 200; ++k) {
      const double middle = (low + high) / 2.0;
      (log_probability(std::exp(middle)) > std::log(delta) ? low : high) = middle;
    }
    return std::exp(high);
  }

  // The fewest features for which the probability at ε is δ.
  [[nodiscard]] double features_at(double epsilon, double delta) const {
    const double excess = log_front - 2.0 * std::log(epsilon) - std::log(delta);
    return std::max(1.0, std::ceil(4.0 * (dimension + 2.0) / (epsilon * epsilon) * excess));
  }
};

// Features to blocks of this many: the matrix of one block stays small.
constexpr std::size_t block = 256;

FeatureWeights rows_of(const FeatureWeights& W, std::size_t begin, std::size_t end) {
  FeatureWeights part;
  for (std::size_t j = begin; j < end; ++j) part.append(W.support(j), W.weights(j));
  return part;
}

}  // namespace

ErrorBound kernel_error_bound(const KernelErrorOptions& options) {
  check(options);
  const auto d = static_cast<double>(options.d);
  const auto q = static_cast<double>(options.q);
  const double supports = real_binomial(options.d, options.q);
  const double sigma_p = options.sigma_p.value_or(options.sigma * std::sqrt(q));
  const double reach = sigma_p * options.diameter;
  const double log_front = std::log(options.leading_constant) + 2.0 * std::log(reach);
  // Either one net over R^d, or one over R^q for each support and a union bound over supports.
  const UniformBound whole{d, options.N, log_front};
  const UniformBound each{q, options.N / supports, log_front + std::log(supports)};
  const double epsilon =
      options.epsilon.value_or(std::min(whole.epsilon_at(options.delta), each.epsilon_at(options.delta)));
  const double whole_log = whole.log_probability(epsilon);
  const double each_log = each.log_probability(epsilon);
  const double N_whole = whole.features_at(epsilon, options.delta);
  const double N_each = each.features_at(epsilon, options.delta) * supports;
  const double failure = std::exp(std::min(whole_log, each_log));
  const double N_required = std::min(N_whole, N_each);
  const double printed =
      std::exp(std::log(options.leading_constant) + 2.0 * std::log(options.sigma * options.diameter / epsilon) -
               options.N * epsilon * epsilon / (4.0 * (d + 2.0)));

  ErrorBound result;
  result.bound = epsilon;
  result.probability = std::max(0.0, 1.0 - failure);
  result.conditions = {
      at_most("error within reach", "ε ≤ σ_p·diam", reach, epsilon),
      at_most("number of features", fmt::format("probability of a larger error ≤ δ (N ≥ {:.6g})", N_required),
              options.delta, failure)};
  // Bisection stops a rounding away from δ.
  if (!options.epsilon) result.conditions.back().holds = failure <= options.delta * (1.0 + 1e-6);
  result.constants = {{"epsilon", epsilon, options.epsilon ? "ε, as given" : "ε, the least that N affords"},
                      {"N", options.N, "weight vectors"},
                      {"N_required", N_required, "the fewest that ε and δ allow"},
                      {"sigma_p", sigma_p, options.sigma_p ? "√E‖w‖², as given" : "√E‖w‖² = σ√q"},
                      {"reach", reach, "σ_p·diam; the bound wants ε below"},
                      {"supports", supports, "C(d,q)"},
                      {"failure_whole", std::exp(whole_log), "probability of a larger error, by a net over R^d"},
                      {"failure_each", std::exp(each_log), "the same, by nets over R^q and a union over supports"},
                      {"failure_published", printed, "the same, as the paper prints it, with σ for σ_p"},
                      {"failure", failure, "the smaller of the first two"}};
  if (options.m) {
    const auto m = static_cast<double>(*options.m);
    const double on_rows = std::sqrt(2.0 * std::log(m * (m - 1.0) / options.delta) / options.N);
    result.constants.push_back({"epsilon_on_rows", on_rows, "√(2log(m(m-1)/δ)/N): on m given rows alone (Hoeffding)"});
  }
  return result;
}

double order_q_kernel(std::span<const double> x, std::span<const double> y, std::size_t q, double sigma) {
  require_order(q, x.size());
  // The sum over supports is an elementary symmetric polynomial of the one-dimensional kernels. Taking the mean over
  // supports of the first inputs instead keeps every number between 0 and 1.
  std::vector<double> means(q + 1, 0.0);
  means[0] = 1.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double gap = sigma * (x[j] - y[j]);
    const double kernel = std::exp(-0.5 * gap * gap);
    const auto inputs = static_cast<double>(j + 1);
    for (std::size_t r = std::min(q, j + 1); r >= 1; --r) {
      // A support of r among j+1 inputs has the last one with probability r/(j+1).
      const double share = static_cast<double>(r) / inputs;
      means[r] = share * kernel * means[r - 1] + (1.0 - share) * means[r];
    }
  }
  return means[q];
}

KernelError kernel_error(const FeatureWeights& W, MatrixView X, std::size_t q, double sigma, int threads) {
  require_order(q, X.cols);
  require_positive("sigma", sigma);
  if (X.rows < 2 || W.size() == 0) {
    throw OptionError("the kernel's error is over pairs of rows and features.\nGive two rows and one feature or more.");
  }
  const ThreadScope scope(threads);
  require_memory(1.0 * sizeof(double) * static_cast<double>(X.rows) * static_cast<double>(X.rows + 2 * block));
  Matrix G(X.rows, X.rows);
  for (std::size_t begin = 0; begin < W.size(); begin += block) {
    const FeatureWeights part = rows_of(W, begin, std::min(begin + block, W.size()));
    add_gram(G, 1.0 / static_cast<double>(W.size()), evaluate(make_dictionary(part, Basis::fourier), X));
  }
  const Matrix rows = transpose(X);
  std::vector<KernelError> found(X.rows);
  parallel_for(X.rows, [&](std::size_t k) {
    for (std::size_t i = k + 1; i < X.rows; ++i) {
      const double error = std::abs(G(i, k) - order_q_kernel(rows.col(k), rows.col(i), q, sigma));
      double distance = 0.0;
      for (std::size_t j = 0; j < X.cols; ++j) distance += std::pow(rows(j, k) - rows(j, i), 2);
      found[k].root_mean_square += error * error;
      found[k].diameter = std::max(found[k].diameter, std::sqrt(distance));
      if (error > found[k].largest) found[k] = {error, found[k].root_mean_square, found[k].diameter, k, i};
    }
  });
  KernelError total;
  for (const KernelError& part : found) {
    const double squares = total.root_mean_square + part.root_mean_square;
    const double diameter = std::max(total.diameter, part.diameter);
    if (part.largest > total.largest) total = part;
    total.root_mean_square = squares;
    total.diameter = diameter;
  }
  const auto m = static_cast<double>(X.rows);
  total.root_mean_square = std::sqrt(total.root_mean_square / (m * (m - 1.0) / 2.0));
  return total;
}

}  // namespace shrimp
