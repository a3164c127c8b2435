// Corollary "Generalization Bounds for Order-q Functions".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "shrimp/errors.hpp"
#include "theory/basis_pursuit.hpp"
#include "theory/checks.hpp"

namespace shrimp {
namespace {

void check(const OrderQOptions& options, double supports) {
  require_order(options.q, options.d);
  require_count("K", static_cast<double>(options.K));
  if (static_cast<double>(options.K) > supports) {
    throw OptionError(fmt::format("K {} is above the number of supports, C({},{}) = {}.\nGive fewer terms.", options.K,
                                  options.d, options.q, supports));
  }
  require_positive("gamma", options.gamma);
  require_positive("sigma", options.sigma);
  require_between_0_and_1("delta", options.delta);
  require_not_negative("nu", options.nu);
  require_not_negative("norm", options.norm);
  require_positive("epsilon", options.epsilon);
  if (options.m) require_count("m", *options.m);
  require_positive("C", options.C);
  if (options.N) require_count("N", *options.N);
  if (options.N && *options.N < supports) {
    throw OptionError(
        fmt::format("N {} is fewer than the C({},{}) = {} supports.\nGive at least one feature per support.",
                    *options.N, options.d, options.q, supports));
  }
  if (!(options.pruning_factor >= 1.0 && std::isfinite(options.pruning_factor))) {
    throw OptionError(fmt::format("pruning-factor {} is less than 1.\nThe paper's is 3.", options.pruning_factor));
  }
}

SizeRules size_rules(const OrderQOptions& options, double supports) {
  const auto d = static_cast<double>(options.d);
  const auto q = static_cast<double>(options.q);
  const double scale = options.gamma * options.sigma;
  const double delta = options.delta;
  SizeRules rules;
  rules.unit = supports;
  rules.root = [=](double m) {
    return 1.0 + 4.0 * scale * d * std::sqrt(1.0 + std::sqrt(12.0 / d * std::log(m / delta))) +
           std::sqrt(q / 2.0 * std::log(d / delta));
  };
  rules.samples = [=](double N) {
    return 4.0 * std::pow(2.0 * scale * scale + 1.0, std::max(2.0 * q - d, 0.0)) *
           std::pow(scale * scale + 1.0, std::min(2.0 * q, 2.0 * d - 2.0 * q)) * (2.0 * std::log(N) - std::log(delta));
  };
  return rules;
}

DictionarySetting setting_of(const OrderQOptions& options, double supports) {
  const SizeRules rules = size_rules(options, supports);
  std::optional<double> N = options.N;
  if (N) N = std::floor(*N / supports) * supports;
  DictionarySetting setting;
  setting.dimension = static_cast<double>(options.q);
  setting.dimension_name = "q";
  setting.spread = std::pow(options.gamma * options.sigma, 2);
  setting.delta = options.delta;
  setting.sizes = settle_sizes(options.epsilon, N, options.m, rules);
  setting.s = setting.sizes.N / supports * static_cast<double>(options.K);
  setting.N_required = 4.0 * std::pow(rules.root(setting.sizes.m) / setting.sizes.epsilon, 2);
  setting.m_required = rules.samples(setting.sizes.N);
  setting.spread_formula = "γ²σ² ≥ ((√41(2s-1)/2)^(2/q) - 1)/2 with s = nK";
  setting.N_formula = "N ≥ 4/ε² · (1 + 4γσd√(1+√(12/d·log(m/δ))) + √(q/2·log(d/δ)))²";
  setting.m_formula = "m ≥ 4(2γ²σ²+1)^max(2q-d,0) (γ²σ²+1)^min(2q,2d-2q) log(N²/δ)";
  setting.C = options.C;
  setting.factor = options.pruning_factor * std::sqrt(2.0);
  setting.factor_formula = fmt::format("{:g} · 2D · √2, from the proof", options.pruning_factor);
  return setting;
}

}  // namespace

ErrorBound order_q_bound(const OrderQOptions& options) {
  const double supports = real_binomial(options.d, options.q);
  check(options, supports);
  const DictionarySetting setting = setting_of(options, supports);
  const auto& [epsilon, N, m] = setting.sizes;
  ErrorBound result;
  const double C = describe_dictionary(setting, result);

  const double E = 2.0 * options.nu;
  const double radius = std::sqrt(epsilon * epsilon * supports * options.norm * options.norm + E * E);
  const double miss = radius == 0.0 ? 0.0 : C * radius;
  // C' in the corollary: the proof's 2 + 8^¼ … over its 2.
  const double C_prime = std::pow(8.0, 0.25) / 2.0;
  const double sampling = std::sqrt(setting.s) * std::pow(std::log(1.0 / options.delta) / m, 0.25);
  result.bound = 2.0 * miss * (1.0 + C_prime * sampling);
  for (TheoryConstant constant : std::initializer_list<TheoryConstant>{
           {"supports", supports, "C(d,q)"},
           {"n", N / supports, "features for each support"},
           {"K", static_cast<double>(options.K), "terms of f"},
           {"E", E, "2ν, the noise"},
           {"eta", std::sqrt(2.0) * radius, "√(2ε²C(d,q)|||f|||² + 2E²), the radius of basis pursuit"},
           {"C_prime", C_prime, "C' = 8^(1/4)/2, from the proof"},
           {"big_O", 2.0 * C, "2C, the constant in the corollary's O"},
           {"coefficient_error", miss, "C√(ε²C(d,q)|||f|||² + E²), a bound of ‖c♯|S♯ - c*‖"},
           {"sampling_factor", sampling, "√s·(log(1/δ)/m)^(1/4)"},
           {"trivial_bound", 2.0 * options.norm, "2|||f|||: |f*| and |f♯| are each at most |||f|||"}}) {
    result.constants.push_back(std::move(constant));
  }
  return result;
}

}  // namespace shrimp
