#include "data/warp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/present.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_knots = 512;
constexpr double next_to_nothing = std::numeric_limits<double>::min();

// All different values with their mid-ranks.
Warp all_ranks(std::span<const double> x, std::span<const double> weights) {
  std::vector<std::pair<double, double>> seen;
  double total = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_missing(x[i])) continue;
    seen.emplace_back(x[i], weights.empty() ? 1.0 : weights[i]);
    total += seen.back().second;
  }
  std::ranges::sort(seen);
  Warp warp{.kind = Warp::Kind::rank, .values = {}, .ranks = {}};
  double below = 0.0;
  for (std::size_t i = 0; i < seen.size();) {
    const double value = seen[i].first;
    double own = 0.0;
    for (; i < seen.size() && seen[i].first == value; ++i) own += seen[i].second;
    const double rank = (below + 0.5 * own) / total;
    below += own;
    // A weight that is nothing beside the others, or zero, makes no rank of its own.
    if (!(own > 0.0) || !(rank > (warp.ranks.empty() ? 0.0 : warp.ranks.back())) || !(rank < 1.0)) continue;
    warp.values.push_back(value);
    warp.ranks.push_back(rank);
  }
  return warp;
}

// Ranks evenly spread take the nearest knot above them. Several with the same one stand before a jump, a value of many
// rows, and take the foot of the jump, too.
Warp thinned(const Warp& all) {
  const double first = all.ranks.front();
  const double last = all.ranks.back();
  std::vector<bool> kept(all.ranks.size(), false);
  for (std::size_t k = 0; k < most_knots; ++k) {
    const double rank = std::min(last, first + (last - first) * static_cast<double>(k) / (most_knots - 1));
    const auto above = static_cast<std::size_t>(std::ranges::lower_bound(all.ranks, rank) - all.ranks.begin());
    kept[kept[above] ? above - 1 : above] = true;
  }
  kept.back() = true;
  Warp warp{.kind = Warp::Kind::rank, .values = {}, .ranks = {}};
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (!kept[k]) continue;
    warp.values.push_back(all.values[k]);
    warp.ranks.push_back(all.ranks[k]);
  }
  return warp;
}

// Halves where the gap between two numbers is none that there is.
double share_of_gap(double lower, double at, double upper) {
  if (std::isfinite(upper - lower)) return (at - lower) / (upper - lower);
  return (0.5 * at - 0.5 * lower) / (0.5 * upper - 0.5 * lower);
}

// The curve through the points (from, to), from ascending; constant beyond them.
double interpolated(std::span<const double> from, std::span<const double> to, double at) {
  if (!(at > from.front())) return to.front();
  if (at >= from.back()) return to.back();
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(from, at) - from.begin());
  const double share = share_of_gap(from[above - 1], at, from[above]);
  return (1.0 - share) * to[above - 1] + share * to[above];
}

double signed_size(const Warp& warp, double x) { return warp.negative ? -x : x; }

double log_of(const Warp& warp, double x) { return std::log(std::max(signed_size(warp, x), next_to_nothing)); }

double rank_slope(const Warp& warp, double x) {
  const std::vector<double>& values = warp.values;
  if (!(x >= values.front()) || !(x <= values.back())) return 0.0;
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(values, x) - values.begin());
  const std::size_t upper = std::min(above, values.size() - 1);
  return (warp.ranks[upper] - warp.ranks[upper - 1]) / (values[upper] - values[upper - 1]);
}

// A knot comes back as it was, though its rank was rounded on the way.
double of_rank(const Warp& warp, double rank) {
  constexpr double rounding = 1e-12;
  const auto above = std::ranges::lower_bound(warp.ranks, rank - rounding);
  if (above != warp.ranks.end() && std::abs(*above - rank) <= rounding) {
    return warp.values[static_cast<std::size_t>(above - warp.ranks.begin())];
  }
  return interpolated(warp.ranks, warp.values, rank);
}

}  // namespace

Warp rank_warp(std::span<const double> x, std::span<const double> weights) {
  Warp warp = all_ranks(x, weights);
  if (warp.values.size() < 2) return {};
  return warp.values.size() > most_knots ? thinned(warp) : warp;
}

bool can_take_log(std::span<const double> x) {
  if (x.empty()) return false;
  const auto [lowest, highest] = range_of_present(x);
  return lowest < highest && (lowest > 0.0 || highest < 0.0);
}

Warp log_warp(std::span<const double> x) {
  return {.kind = Warp::Kind::log, .negative = range_of_present(x).first < 0.0, .values = {}, .ranks = {}};
}

double warped(const Warp& warp, double x) {
  if (is_missing(x)) return x;
  switch (warp.kind) {
    case Warp::Kind::log:
      return log_of(warp, x);
    case Warp::Kind::rank:
      return interpolated(warp.values, warp.ranks, x);
    case Warp::Kind::none:
      break;
  }
  return x;
}

void warp_in_place(const Warp& warp, std::span<double> x) {
  if (warp.kind == Warp::Kind::none) return;
  for (double& value : x) value = warped(warp, value);
}

double warp_slope(const Warp& warp, double x) {
  switch (warp.kind) {
    case Warp::Kind::log:
      return signed_size(warp, x) > next_to_nothing ? 1.0 / x : 0.0;
    case Warp::Kind::rank:
      return rank_slope(warp, x);
    case Warp::Kind::none:
      break;
  }
  return 1.0;
}

double unwarped(const Warp& warp, double z) {
  switch (warp.kind) {
    case Warp::Kind::log:
      return signed_size(warp, std::clamp(std::exp(z), next_to_nothing, std::numeric_limits<double>::max()));
    case Warp::Kind::rank:
      return of_rank(warp, z);
    case Warp::Kind::none:
      break;
  }
  return z;
}

bool descends(const Warp& warp) { return warp.kind == Warp::Kind::log && warp.negative; }

std::string_view name_of(Warp::Kind kind) {
  switch (kind) {
    case Warp::Kind::log:
      return "log";
    case Warp::Kind::rank:
      return "rank";
    case Warp::Kind::none:
      break;
  }
  return "none";
}

const Warp& warp_of(const Scaling& scaling, std::size_t j) {
  static const Warp none;
  return scaling.input_warps.empty() ? none : scaling.input_warps[j];
}

}  // namespace shrimp
