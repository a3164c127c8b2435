#include <algorithm>
#include <bit>
#include <cstdint>

#include "shrimp/table.hpp"

namespace shrimp {
namespace {

double weight_of(const Dataset& data, std::size_t row) { return data.weights.empty() ? 1.0 : data.weights[row]; }

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
  return hash;
}

// Whether row a comes before row b.
bool precedes(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    if (data.X(a, j) != data.X(b, j)) return data.X(a, j) < data.X(b, j);
  }
  return data.y[a] < data.y[b];
}

bool repeats(const Dataset& data) {
  std::vector<std::uint64_t> hash = hashes(data);
  std::ranges::sort(hash);
  return std::ranges::adjacent_find(hash) != hash.end();
}

}  // namespace

bool has_repeated_rows(const Dataset& data) { return !data.weights.empty() || repeats(data); }

Dataset merge_repeated_rows(Dataset data) {
  // What is wrong with the data is said by the fit.
  if (data.X.rows() != data.y.size() || (!data.weights.empty() && data.weights.size() != data.y.size())) return data;
  if (std::ranges::any_of(data.weights, [](double weight) { return !(weight >= 0.0); })) return data;
  if (std::ranges::all_of(data.weights, [](double weight) { return weight == 1.0; })) data.weights.clear();
  if (!has_repeated_rows(data)) return data;

  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    if (weight_of(data, i) > 0.0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return precedes(data, a, b); });
  std::vector<std::size_t> kept;
  std::vector<double> weights;
  for (const std::size_t i : order) {
    if (kept.empty() || precedes(data, kept.back(), i)) {
      kept.push_back(i);
      weights.push_back(0.0);
    }
    weights.back() += weight_of(data, i);
  }
  if (kept.size() < 2) return data;

  Matrix X = Matrix::uninitialized(kept.size(), data.X.cols());
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    for (std::size_t k = 0; k < kept.size(); ++k) X(k, j) = data.X(kept[k], j);
  }
  std::vector<double> y;
  for (const std::size_t i : kept) y.push_back(data.y[i]);
  data.X = std::move(X);
  data.y = std::move(y);
  data.weights = std::move(weights);
  return data;
}

}  // namespace shrimp
