#include "theory/basis_pursuit.hpp"

#include <cmath>
#include <limits>

#include "shrimp/errors.hpp"
#include "theory/checks.hpp"

namespace shrimp {
namespace {

const double isometry_limit = 4.0 / std::sqrt(41.0);

}  // namespace

BasisPursuitConstants basis_pursuit_constants(double delta_2s) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(delta_2s < isometry_limit)) return {infinity, infinity, infinity, infinity};
  const double denominator = std::sqrt(1.0 - delta_2s * delta_2s) - delta_2s / 4.0;
  BasisPursuitConstants constants;
  constants.rho = delta_2s / denominator;
  constants.tau = std::sqrt(1.0 + delta_2s) / denominator;
  constants.C = (1.0 + constants.rho) * (1.0 + constants.rho) / (1.0 - constants.rho);
  constants.D = (3.0 + constants.rho) * constants.tau / (1.0 - constants.rho);
  return constants;
}

double allowed_coherence(std::size_t s) { return isometry_limit / (2.0 * static_cast<double>(s) - 1.0); }

double provable_sparsity(double coherence) {
  // The largest s with (2s − 1)·coherence < 4/√41.
  return std::max(0.0, std::ceil((isometry_limit / coherence + 1.0) / 2.0) - 1.0);
}

Sizes settle_sizes(std::optional<double> epsilon, std::optional<double> N, std::optional<double> m,
                   const SizeRules& rules) {
  if (!epsilon && !N) {
    throw OptionError(
        "epsilon and N are both missing.\nGive the error or the number of features; each follows from the "
        "other.");
  }
  // N asks for log m and m for log N: from below both only grow, by less and less.
  Sizes sizes{0.0, N.value_or(1.0), m.value_or(1.0)};
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds; ++round) {
    const double before = sizes.m;
    if (!N) sizes.N = std::ceil(4.0 * std::pow(rules.root(sizes.m) / *epsilon, 2) / rules.unit) * rules.unit;
    if (!m) sizes.m = std::ceil(rules.samples(sizes.N));
    if (sizes.m == before) break;
  }
  sizes.epsilon = epsilon ? *epsilon : 2.0 * rules.root(sizes.m) / std::sqrt(sizes.N);
  return sizes;
}

double describe_dictionary(const DictionarySetting& setting, ErrorBound& result) {
  const auto& [epsilon, N, m] = setting.sizes;
  const double odd = 2.0 * setting.s - 1.0;
  const double spread_required = (std::pow(std::sqrt(41.0) * odd / 2.0, 2.0 / setting.dimension) - 1.0) / 2.0;
  const double mean = std::pow(2.0 * setting.spread + 1.0, -setting.dimension / 2.0);
  // Hoeffding's inequality for real and imaginary part, over all pairs of columns.
  const double deviation = 2.0 * std::sqrt((2.0 * std::log(N) - std::log(setting.delta)) / m);
  const double coherence = mean + deviation;
  const double delta_2s = odd * coherence;
  const BasisPursuitConstants stability = basis_pursuit_constants(delta_2s);
  const double C = setting.C.value_or(setting.factor * 2.0 * stability.D);

  result.conditions = {at_least("spread of the frequencies", setting.spread_formula, spread_required, setting.spread),
                       at_least("number of features", setting.N_formula, setting.N_required, N),
                       at_least("number of samples", setting.m_formula, setting.m_required, m),
                       below("confidence", "5δ < 1", 0.2, setting.delta)};
  // The theorem's "≤" lets the isometry constant reach 4/√41, where the constant C of the proof is infinite.
  if (!setting.C) {
    result.conditions.push_back(
        below("coherence, for a finite C",
              "(2γ²σ²+1)^(-" + std::string(setting.dimension_name) + "/2) + 2√(log(N²/δ)/m) < 4/(√41(2s-1))",
              isometry_limit / odd, coherence));
  }
  result.constants = {{"epsilon", epsilon, "ε, how well N features approximate f, in units of its norm"},
                      {"N", N, "features"},
                      {"N_required", setting.N_required, "the fewest features that ε allows"},
                      {"m", m, "samples"},
                      {"m_required", setting.m_required, "the fewest samples that the theorem allows"},
                      {"s", setting.s, "coefficients kept"},
                      {"variance_product", setting.spread, "γ²σ²"},
                      {"variance_product_required", spread_required, "the least γ²σ²"},
                      {"coherence_mean", mean, "(2γ²σ²+1)^(-dimension/2), the mean over inputs and weights"},
                      {"coherence_deviation", deviation, "2√(log(N²/δ)/m), how far m samples stray from it"},
                      {"coherence_bound", coherence, "their sum, the coherence that the proof counts on"},
                      {"coherence_allowed", isometry_limit / odd, "4/(√41(2s-1))"},
                      {"delta_2s", delta_2s, "(2s-1) times the coherence, a bound of the restricted isometry constant"},
                      {"rho", stability.rho, "ρ of the robust null space property"},
                      {"tau", stability.tau, "τ of the robust null space property"},
                      {"D", stability.D, "(3+ρ)τ/(1-ρ): basis pursuit misses by at most 2Dη"},
                      {"C", C, setting.C ? "as given" : setting.factor_formula}};
  result.probability = std::max(0.0, 1.0 - 5.0 * setting.delta);
  return C;
}

}  // namespace shrimp
