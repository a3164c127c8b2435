#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "data/present.hpp"
#include "data/row_weights.hpp"
#include "linalg/dense.hpp"
#include "shrimp/table.hpp"

namespace shrimp {
namespace {

std::vector<std::uint64_t> hashes(const Dataset& data) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15U;
  std::vector<std::uint64_t> hash(data.y.size(), 0);
  const auto mix = [&](std::size_t i, double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value + 0.0);  // −0 is 0.
    hash[i] = std::rotl((hash[i] ^ bits) * multiplier, 29);
  };
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    for (std::size_t i = 0; i < data.y.size(); ++i) mix(i, data.X(i, j));
  }
  for (std::size_t i = 0; i < data.y.size(); ++i) mix(i, data.y[i]);
  for (std::size_t i = 0; i < data.groups.size(); ++i) mix(i, data.groups[i]);
  return hash;
}

// Whether row a comes before row b.
bool precedes(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    // A missing cell comes last.
    if (is_missing(data.X(a, j)) != is_missing(data.X(b, j))) return is_missing(data.X(b, j));
    if (!is_missing(data.X(a, j)) && data.X(a, j) != data.X(b, j)) return data.X(a, j) < data.X(b, j);
  }
  if (data.y[a] != data.y[b]) return data.y[a] < data.y[b];
  return !data.groups.empty() && data.groups[a] < data.groups[b];
}

bool repeats(const Dataset& data) {
  std::vector<std::uint64_t> hash = hashes(data);
  std::ranges::sort(hash);
  return std::ranges::adjacent_find(hash) != hash.end();
}

bool are_equal(std::span<const double> weights) {
  return std::ranges::all_of(weights, [&](double weight) { return weight == weights.front(); });
}

// Only what weights say of rows beside each other counts. Whole numbers are repetitions and stay so: of a table written
// twice, one copy is left.
void make_relative(std::vector<double>& weights) {
  constexpr double largest_count = 9007199254740992.0;  // 2⁵³: above it, every number is whole.
  const bool counts = std::ranges::all_of(
      weights, [](double weight) { return weight == std::floor(weight) && weight <= largest_count; });
  double unit = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  if (counts) {
    std::uint64_t divisor = 0;
    for (const double weight : weights) divisor = std::gcd(divisor, static_cast<std::uint64_t>(weight));
    unit = static_cast<double>(divisor);
  }
  for (double& weight : weights) weight /= unit;
}

// Different rows, each by the first of its kind, in the order of their values.
struct DifferentRows {
  std::vector<std::size_t> first;
  std::vector<double> weights;
};

DifferentRows different_rows(const Dataset& data) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    if (weight_of(data, i) > 0.0) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return precedes(data, a, b); });
  DifferentRows rows;
  for (const std::size_t i : order) {
    if (rows.first.empty() || precedes(data, rows.first.back(), i)) {
      rows.first.push_back(i);
      rows.weights.push_back(0.0);
    }
    rows.weights.back() += weight_of(data, i);
  }
  return rows;
}

bool have_same_inputs(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    const bool same = is_missing(data.X(a, j)) ? is_missing(data.X(b, j)) : data.X(a, j) == data.X(b, j);
    if (!same) return false;
  }
  return true;
}

// Of the inputs that come more than once, whether most come with different targets. Rows are sorted by inputs first,
// then by targets.
bool targets_differ_where_inputs_repeat(const Dataset& rows) {
  std::size_t repeated = 0;
  std::size_t differing = 0;
  for (std::size_t begin = 0, end = 0; begin < rows.y.size(); begin = end) {
    double count = 0.0;
    for (end = begin; end < rows.y.size() && have_same_inputs(rows, begin, end); ++end) count += rows.weights[end];
    if (count > 1.0) ++repeated;
    if (rows.y[begin] != rows.y[end - 1]) ++differing;
  }
  return 2 * differing > repeated;
}

Dataset rows_at(Dataset data, std::span<const std::size_t> at) {
  data.X = gather_rows(data.X, at);
  std::vector<double> y;
  for (const std::size_t i : at) y.push_back(data.y[i]);
  data.y = std::move(y);
  if (!data.groups.empty()) {
    std::vector<std::uint32_t> groups;
    for (const std::size_t i : at) groups.push_back(data.groups[i]);
    data.groups = std::move(groups);
  }
  return data;
}

}  // namespace

bool has_repeated_rows(const Dataset& data) { return !data.weights.empty() || repeats(data); }

Dataset merge_repeated_rows(Dataset data) {
  // What is wrong with the data is said by the fit.
  if (data.X.rows() != data.y.size() || (!data.weights.empty() && data.weights.size() != data.y.size())) return data;
  if (!data.groups.empty() && data.groups.size() != data.y.size()) return data;
  if (std::ranges::any_of(data.weights, [](double weight) { return !(weight >= 0.0); })) return data;
  if (!has_repeated_rows(data)) return data;

  DifferentRows rows = different_rows(data);
  if (rows.first.size() < 2) {
    // One row repeated: its copies stay, and weights of equal rows say nothing.
    std::vector<std::size_t> weighted;
    for (std::size_t i = 0; i < data.y.size(); ++i) {
      if (weight_of(data, i) > 0.0) weighted.push_back(i);
    }
    data = rows_at(std::move(data), weighted);
    data.weights.clear();
    return data;
  }
  if (are_equal(rows.weights)) {
    rows.weights.clear();
    std::ranges::sort(rows.first);
  } else {
    make_relative(rows.weights);
  }
  data = rows_at(std::move(data), rows.first);
  data.weights = std::move(rows.weights);
  return data;
}

Dataset repeat_observations(Dataset merged) {
  constexpr double most = 1 << 20;
  const double rows = std::accumulate(merged.weights.begin(), merged.weights.end(), 0.0);
  const bool counts = std::ranges::all_of(merged.weights, [](double weight) { return weight == std::floor(weight); });
  if (merged.weights.empty() || !counts || rows > most || !targets_differ_where_inputs_repeat(merged)) return merged;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < merged.y.size(); ++i) at.insert(at.end(), static_cast<std::size_t>(merged.weights[i]), i);
  merged.weights.clear();
  return rows_at(std::move(merged), at);
}

}  // namespace shrimp
