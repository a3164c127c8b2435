// What the theorem and its corollary share: how many features and samples, how coherent the dictionary may be, and how
// far basis pursuit then misses.
#pragma once

#include <functional>
#include <optional>

#include "shrimp/theory.hpp"

namespace shrimp {

/// ε, N and m, those not given being the least (N a multiple of `unit`) that the conditions allow:
/// N ≥ 4/ε² · root(m)² and m ≥ samples(N).
struct Sizes {
  double epsilon = 0.0;
  double N = 0.0;
  double m = 0.0;
};
struct SizeRules {
  std::function<double(double m)> root;
  std::function<double(double N)> samples;
  double unit = 1.0;
};
Sizes settle_sizes(std::optional<double> epsilon, std::optional<double> N, std::optional<double> m,
                   const SizeRules& rules);

/// What conditions and constants both statements list in the same way.
struct DictionarySetting {
  double dimension = 1.0;  ///< d in the theorem, q in the corollary, with its name.
  std::string_view dimension_name;
  double s = 1.0;
  double spread = 0.0;  ///< γ²σ²
  double delta = 0.0;
  Sizes sizes;
  double N_required = 0.0;
  double m_required = 0.0;
  std::string spread_formula, N_formula, m_formula;
  std::optional<double> C;  ///< From the options.
  double factor = 0.0;      ///< C over 2D where C is read off the proof.
  std::string factor_formula;
};

/// Appends the conditions and the constants up to C, which it returns.
double describe_dictionary(const DictionarySetting& setting, ErrorBound& result);

}  // namespace shrimp
