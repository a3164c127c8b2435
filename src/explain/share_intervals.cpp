#include "explain/share_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "features/normal_quantile.hpp"
#include "random/philox.hpp"

namespace shrimp {
namespace {

double quantile(std::span<const double> sorted, double level) {
  const double place =
      std::clamp(level * static_cast<double>(sorted.size()) - 0.5, 0.0, static_cast<double>(sorted.size() - 1));
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

// A share is a square: noise adds to it, in draws to that of the estimate, and in the estimate to that of the truth.
// What is certain lies about the same way to either side. Of a share that noise alone could have made, draws tell how
// large it is at most; by as much as they are above the estimate, the truth may be below it.
void set_interval(SobolIndex& index, double centre, std::vector<double> values) {
  std::ranges::sort(values);
  const double below = centre - quantile(values, 0.5 - 0.5 * share_level);
  const double above = quantile(values, 0.5 + 0.5 * share_level) - centre;
  index.low = index.value - std::max({0.0, below, above});
  if (index.value >= 0.0) index.low = std::max(0.0, *index.low);
  index.high = index.value + std::max(0.0, above);
}

double share_of(const Sensitivity& found, const std::vector<std::uint32_t>& variables) {
  const auto own = std::ranges::find(found.terms, variables, &TermSensitivity::variables);
  return own == found.terms.end() ? 0.0 : own->fraction.value;
}

}  // namespace

std::vector<std::vector<double>> draw_coordinates(std::size_t count, std::size_t size) {
  std::vector<std::vector<double>> draws;
  for (std::size_t k = 0; k < count; k += 2) {
    PhiloxStream stream(0, Stream::sketch, k, 3);
    std::vector<double> z(size);
    for (double& value : z) value = normal_quantile(stream.uniform());
    draws.push_back(z);
    for (double& value : z) value = -value;
    draws.push_back(std::move(z));
  }
  return draws;
}

void set_intervals(Sensitivity& found, const Sensitivity& centre, const std::vector<Sensitivity>& draws) {
  std::map<std::vector<std::uint32_t>, std::vector<double>> terms;
  for (const TermSensitivity& term : found.terms) terms[term.variables];
  for (std::size_t d = 0; d < draws.size(); ++d) {
    for (const TermSensitivity& term : draws[d].terms) {
      const auto own = terms.find(term.variables);
      if (own != terms.end()) own->second.push_back(term.fraction.value);
    }
    for (auto& [variables, values] : terms) values.resize(d + 1, 0.0);
  }
  for (TermSensitivity& term : found.terms) {
    set_interval(term.fraction, share_of(centre, term.variables), terms[term.variables]);
  }
  for (std::size_t j = 0; j < found.inputs.size(); ++j) {
    std::vector<double> firsts;
    std::vector<double> totals;
    for (const Sensitivity& draw : draws) {
      firsts.push_back(draw.inputs[j].first.value);
      totals.push_back(draw.inputs[j].total.value);
    }
    set_interval(found.inputs[j].first, centre.inputs[j].first.value, std::move(firsts));
    set_interval(found.inputs[j].total, centre.inputs[j].total.value, std::move(totals));
  }
}

std::vector<FractionInterval> fraction_intervals(const Model& model, const Sensitivity& indices) {
  std::vector<FractionInterval> intervals(model.terms.size());
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    const auto own = std::ranges::find(indices.terms, model.terms[k].variables, &TermSensitivity::variables);
    if (own == indices.terms.end() || !own->fraction.low || !own->fraction.high) continue;
    const double shift = model.terms[k].fraction - own->fraction.value;
    intervals[k] = {std::clamp(*own->fraction.low + shift, 0.0, 1.0),
                    std::clamp(*own->fraction.high + shift, 0.0, 1.0)};
  }
  return intervals;
}

}  // namespace shrimp
