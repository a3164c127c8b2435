// The course of a main effect in words, from its values over the input's marginal distribution.
#pragma once

#include <span>
#include <string>

namespace shrimp {

/// A main effect f at ascending values x of its input, which have these masses. `evenly` has f at even steps over the
/// input's range, where the effect may be discontinuous; empty elsewhere.
struct EffectValues {
  std::span<const double> x;
  std::span<const double> f;
  std::span<const double> masses;
  std::span<const double> evenly = {};
};

/// "increasing, linear", "decreasing, curved", "rises, then falls", "falls, then rises", "non-monotone", with "steps"
/// where discontinuities make the effect; "increasing" or "decreasing" of two values; "" where f does not vary.
[[nodiscard]] std::string describe_effect(const EffectValues& effect);

}  // namespace shrimp
