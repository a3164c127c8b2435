// Theorem "Generalization Bounds for Thresholded Basis Pursuit".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "shrimp/errors.hpp"
#include "theory/basis_pursuit.hpp"
#include "theory/checks.hpp"

namespace shrimp {
namespace {

void check(const GeneralizationOptions& options) {
  require_count("d", static_cast<double>(options.d));
  require_count("s", static_cast<double>(options.s));
  require_positive("gamma", options.gamma);
  require_positive("sigma", options.sigma);
  require_between_0_and_1("delta", options.delta);
  require_not_negative("nu", options.nu);
  require_not_negative("norm", options.norm);
  require_positive("epsilon", options.epsilon);
  if (options.N) require_count("N", *options.N);
  if (options.m) require_count("m", *options.m);
  require_not_negative("kappa-s1", options.kappa_s1);
  require_not_negative("kappa-s2", options.kappa_s2);
  require_not_negative("lambda-max", options.lambda_max);
  require_positive("C", options.C);
  if (!(options.pruning_factor >= 1.0 && std::isfinite(options.pruning_factor))) {
    throw OptionError(fmt::format("pruning-factor {} is less than 1.\nThe paper's is 3.", options.pruning_factor));
  }
}

SizeRules size_rules(const GeneralizationOptions& options) {
  const auto d = static_cast<double>(options.d);
  const double scale = options.gamma * options.sigma;
  const double delta = options.delta;
  SizeRules rules;
  rules.root = [=](double m) {
    return 1.0 + 4.0 * scale * d * std::sqrt(1.0 + std::sqrt(12.0 / d * std::log(m / delta))) +
           std::sqrt(0.5 * std::log(1.0 / delta));
  };
  rules.samples = [=](double N) {
    return 4.0 * std::pow(2.0 * scale * scale + 1.0, d) * (2.0 * std::log(N) - std::log(delta));
  };
  return rules;
}

DictionarySetting setting_of(const GeneralizationOptions& options) {
  const SizeRules rules = size_rules(options);
  DictionarySetting setting;
  setting.dimension = static_cast<double>(options.d);
  setting.dimension_name = "d";
  setting.s = static_cast<double>(options.s);
  setting.spread = std::pow(options.gamma * options.sigma, 2);
  setting.delta = options.delta;
  setting.sizes = settle_sizes(options.epsilon, options.N, options.m, rules);
  setting.N_required = 4.0 * std::pow(rules.root(setting.sizes.m) / setting.sizes.epsilon, 2);
  setting.m_required = rules.samples(setting.sizes.N);
  setting.spread_formula = "γ²σ² ≥ ((√41(2s-1)/2)^(2/d) - 1)/2";
  // The theorem has "="; more features do no harm to the approximation.
  setting.N_formula = "N ≥ 4/ε² · (1 + 4γσd√(1+√(12/d·log(m/δ))) + √(log(1/δ)/2))²";
  setting.m_formula = "m ≥ 4(2γ²σ²+1)^d log(N²/δ)";
  setting.C = options.C;
  setting.factor = options.pruning_factor;
  setting.factor_formula = fmt::format("{:g} · 2D, from the proof", options.pruning_factor);
  return setting;
}

}  // namespace

ErrorBound generalization_bound(const GeneralizationOptions& options) {
  check(options);
  const DictionarySetting setting = setting_of(options);
  const auto& [epsilon, N, m] = setting.sizes;
  if (setting.s > N) {
    throw OptionError(
        fmt::format("s {} is above the number of features, {}.\nGive fewer coefficients to keep.", options.s, N));
  }
  ErrorBound result;
  const double C = describe_dictionary(setting, result);

  const double f = options.norm;
  const double nu2 = options.nu * options.nu;
  const double kappa_s1 = options.kappa_s1.value_or((N - setting.s) / N * f);
  const double kappa_s2 = options.kappa_s2.value_or(epsilon * f);
  const double lambda_max = options.lambda_max.value_or(m * N);
  const double eta_prime =
      std::sqrt(2.0 * (epsilon * epsilon * f * f + 4.0 * nu2)) + std::sqrt(lambda_max / m) * kappa_s2;
  const double eta_tilde = 2.0 * std::sqrt(epsilon * epsilon * f * f + 2.0 * nu2 + kappa_s1 * kappa_s1);
  const double eta = std::min(eta_prime, eta_tilde);
  // Exactly 0 where basis pursuit is exact, even where C is infinite.
  const double miss = eta == 0.0 ? 0.0 : C * eta;
  const double sampling = std::pow(8.0 / m * std::log(1.0 / options.delta), 0.25);
  const double sampling_term = sampling * std::sqrt(2.0 * setting.s * miss * miss + kappa_s1 * kappa_s1);
  result.bound = sampling_term + 2.0 * miss + kappa_s1;
  for (TheoryConstant constant : std::initializer_list<TheoryConstant>{
           {"kappa_s1", kappa_s1, options.kappa_s1 ? "κ_{s,1}(c*), as given" : "κ_{s,1}(c*) ≤ (N-s)/N·‖f‖"},
           {"kappa_s2", kappa_s2, options.kappa_s2 ? "κ_{s,2}(c*), as given" : "κ_{s,2}(c*) ≤ ε‖f‖"},
           {"lambda_max", lambda_max, options.lambda_max ? "λ_max(A*A), as given" : "λ_max(A*A) ≤ mN"},
           {"eta_prime", eta_prime, "η' = √(2(ε²‖f‖²+4ν²)) + √(λ_max/m)·κ_{s,2}"},
           {"eta_tilde", eta_tilde, "η~ = 2√(ε²‖f‖²+2ν²+κ_{s,1}²)"},
           {"eta", eta, "min(η', η~), the radius of basis pursuit"},
           {"coefficient_error", miss, "Cη, a bound of ‖c♯|S♯ - c*_s‖"},
           {"sampling_factor", sampling, "(8/m·log(1/δ))^(1/4)"},
           {"sampling_term", sampling_term, "sampling factor · √(2s(Cη)² + κ_{s,1}²)"},
           {"trivial_bound", 2.0 * f, "2‖f‖: |f*| and |f♯| are each at most ‖f‖ wherever c*_s is feasible"}}) {
    result.constants.push_back(std::move(constant));
  }
  return result;
}

}  // namespace shrimp
