#include "grow/term_block.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "data/present.hpp"
#include "features/normal_quantile.hpp"
#include "random/philox.hpp"

namespace shrimp {
namespace {

// The step of the lattice: powers of the root of x^(q+1) = x + 1, which generalises the golden ratio.
double lattice_root(std::size_t q) {
  double root = 1.5;
  for (int k = 0; k < 60; ++k) root = std::pow(1.0 + root, 1.0 / static_cast<double>(q + 1));
  return root;
}

}  // namespace

std::optional<double> widest_jump(std::span<const double> x, std::span<const double> r) {
  constexpr std::size_t fewest_beside = 5;  // Fewer rows would show a jump where there is noise.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_missing(x[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return x[i]; });
  const double mean = std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(r.size());
  std::optional<double> place;
  double largest = 0.0;
  double below = 0.0;
  for (std::size_t k = 1; k + fewest_beside <= order.size(); ++k) {
    below += r[order[k - 1]] - mean;
    const double before = x[order[k - 1]];
    const double after = x[order[k]];
    if (k < fewest_beside || !(before < after)) continue;
    const auto rows = static_cast<double>(k) * static_cast<double>(order.size() - k);
    const double size = below * below / rows;
    if (!(size > largest)) continue;
    largest = size;
    place = before + 0.5 * (after - before);
  }
  return place;
}

std::size_t columns_of_a_weight(const TermShape& term) { return term.is_fixed() ? 1 : 2; }

std::size_t weights_of(const TermShape& term) {
  if (term.linear()) return term.variables.size();
  if (term.jumps()) return term.thresholds.size();
  if (term.by_level()) return term.levels;
  if (term.count > 0) return term.count;
  switch (term.variables.size()) {
    case 1:
      return 16;
    case 2:
      return 48;
    default:
      return 96;
  }
}

Dictionary draw_term(const TermShape& term, std::size_t count, std::span<const double> deviations, std::uint64_t seed,
                     const std::shared_ptr<const InputKinds>& kinds) {
  Dictionary dictionary;
  if (kinds) dictionary.marginals = {kinds, &kinds->marginals};
  const std::size_t q = term.variables.size();
  if (term.linear()) {
    for (std::uint32_t l = 0; l < q; ++l) {
      const double slope = 1.0 / deviations[term.variables[l]];
      dictionary.weights.append(std::span(&term.variables[l], 1), std::span(&slope, 1));
      dictionary.rows.push_back(l);
      dictionary.functions.push_back(Function::identity);
    }
    return dictionary;
  }
  if (term.jumps()) {
    const double slope = 1.0 / deviations[term.variables.front()];
    for (std::uint32_t k = 0; k < term.thresholds.size(); ++k) {
      dictionary.weights.append(term.variables, std::span(&slope, 1));
      dictionary.weights.phases.push_back(-slope * term.thresholds[k]);
      dictionary.rows.push_back(k);
      dictionary.functions.push_back(Function::step);
    }
    return dictionary;
  }
  if (term.by_level()) {
    constexpr double one = 1.0;
    for (std::uint32_t level = 0; level < term.levels; ++level) {
      dictionary.weights.append(term.variables, std::span(&one, 1));
      dictionary.weights.phases.push_back(-static_cast<double>(level));
      dictionary.rows.push_back(level);
      dictionary.functions.push_back(Function::level);
    }
    return dictionary;
  }
  PhiloxStream random(seed, Stream::lattice, support_id(term.variables));
  std::vector<double> place(q);
  std::vector<double> step(q);
  const double root = lattice_root(q);
  for (std::size_t l = 0; l < q; ++l) {
    place[l] = random.uniform();
    step[l] = std::pow(root, -static_cast<double>(l + 1));
  }
  std::vector<double> w(q);
  for (std::size_t k = 0; k < count; ++k) {
    double shrink = 1.0;
    if (term.smoothness > 0) {
      double chi_square = 0.0;
      PhiloxStream tail(seed, Stream::lattice, support_id(term.variables), static_cast<std::uint32_t>(k + 1));
      for (int n = 0; n < term.smoothness; ++n) chi_square += std::pow(normal_quantile(tail.uniform()), 2);
      shrink = std::sqrt(chi_square / term.smoothness);
    }
    for (std::size_t l = 0; l < q; ++l) {
      place[l] += step[l];
      place[l] -= std::floor(place[l]);
      // w and −w give the same columns: the first weight is taken positive.
      const double u = l == 0 ? 0.5 + 0.5 * place[l] : place[l];
      const double inside = std::min(std::max(u, 1e-12), 1.0 - 1e-12);
      if (kinds && kinds->is_category(term.variables[l])) {
        w[l] = std::numbers::pi * (2.0 * inside - 1.0);
        continue;
      }
      w[l] = term.scales[l] * normal_quantile(inside) / shrink / deviations[term.variables[l]];
    }
    dictionary.weights.append(term.variables, w);
  }
  for (const Function function : {Function::cos, Function::sin}) {
    for (std::uint32_t k = 0; k < count; ++k) {
      dictionary.rows.push_back(k);
      dictionary.functions.push_back(function);
    }
  }
  return dictionary;
}

double column_scale(const TermShape& term, std::size_t count) {
  return term.linear() || term.by_level() ? term.amplitude : term.amplitude / std::sqrt(static_cast<double>(count));
}

}  // namespace shrimp
