#include "explain/hidden_effects.hpp"

#include <algorithm>
#include <cmath>

#include "features/normal_quantile.hpp"

namespace shrimp {
namespace {

// As the search has them (grow/screen.hpp, grow/grow.cpp, fit/grow_and_prune.cpp): functions of an input, the level of
// chance, and the rows that all terms are looked for in.
constexpr double functions_of_an_input = 4.0;
constexpr double level = 0.004;
constexpr double most_rows_searched = 4000.0;

// Wilson and Hilferty (1931).
double chi_square_quantile(double degrees, double upper_tail) {
  const double spread = 2.0 / (9.0 * degrees);
  return degrees * std::pow(1.0 - spread - normal_quantile(upper_tail) * std::sqrt(spread), 3);
}

// The root of (λ + K − c)² = z² (2K + 4λ) above c − K.
double detectable_noncentrality(double degrees, double sets) {
  constexpr double z = 1.6448536269514722;
  const double beyond = chi_square_quantile(degrees, std::min(0.5, level / std::max(1.0, sets))) - degrees;
  const double half = beyond + 2.0 * z * z;
  return half + std::sqrt(half * half - beyond * beyond + 2.0 * z * z * degrees);
}

void raise(SobolIndex& index, double hidden) { index.high = std::max(*index.high, std::min(1.0, hidden)); }

}  // namespace

HiddenShares hidden_shares(const Model& model, double variance) {
  const auto rows = model.results.find("rows");
  if (!model.uncertainty || rows == model.results.end() || !(variance > 0.0)) return {};
  const auto inputs = static_cast<double>(model.inputs.size());
  const double noise = model.uncertainty->noise;
  const double unit = noise * noise / std::min(rows->second, most_rows_searched) / variance;
  const double pair = functions_of_an_input * functions_of_an_input;
  return {unit * detectable_noncentrality(functions_of_an_input, inputs),
          unit * detectable_noncentrality(pair, 0.5 * inputs * (inputs - 1.0))};
}

void make_room_for_hidden_effects(Sensitivity& found, const Model& model) {
  if (model.method != "auto") return;
  const double scale = model.scaling.target_scale;
  const HiddenShares hidden = hidden_shares(model, found.variance / (scale * scale));
  for (InputSensitivity& input : found.inputs) {
    if (input.total.value != 0.0) continue;
    raise(input.first, hidden.of_one);
    raise(input.total, std::max(hidden.of_one, hidden.of_two));
  }
}

}  // namespace shrimp
