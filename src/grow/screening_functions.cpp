#include "grow/screening_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "data/present.hpp"
#include "linalg/dense.hpp"
#include "random/philox.hpp"

namespace shrimp {
namespace {

// Ranks in (0, 1), equal values sharing the middle of theirs.
std::vector<double> ranks(std::span<const double> x) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_missing(x[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return x[i]; });
  std::vector<double> result(x.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && x[order[last]] == x[order[first]]) ++last;
    const double middle = 0.5 * static_cast<double>(first + last) / static_cast<double>(order.size());
    for (std::size_t k = first; k < last; ++k) result[order[k]] = middle;
    first = last;
  }
  return result;
}

// The mean of the others in the place of missing values.
void fill_with_mean(std::span<double> u, std::span<const double> x) {
  if (!any_missing(x)) return;
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    sum += is_missing(x[i]) ? 0.0 : u[i];
    count += is_missing(x[i]) ? 0.0 : 1.0;
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (is_missing(x[i])) u[i] = sum / std::max(1.0, count);
  }
}

// Centred, orthogonal to the functions before it and of mean square 1; zero where there is nothing left, as for an
// input of few values.
void orthonormalize(Matrix& U, std::size_t first, std::size_t column) {
  const auto m = static_cast<double>(U.rows());
  const std::span<double> u = U.col(column);
  const double mean = std::accumulate(u.begin(), u.end(), 0.0) / m;
  for (double& value : u) value -= mean;
  for (std::size_t other = first; other < column; ++other) {
    const std::span<const double> v = U.col(other);
    add_scaled(u, -std::inner_product(u.begin(), u.end(), v.begin(), 0.0) / m, v);
  }
  const double size = std::sqrt(squared_norm(u) / m);
  for (double& value : u) value = size > 1e-6 ? value / size : 0.0;
}

// Up to one level more than there are functions, indicators of all but the last; else signs drawn at random.
std::vector<double> function_of_levels(std::size_t levels, std::size_t which, std::size_t functions, SignName name) {
  std::vector<double> values(levels, 0.0);
  if (levels <= functions + 1) {
    if (which < levels) values[which] = 1.0;
    return values;
  }
  PhiloxStream random(name.seed, Stream::signs, ~static_cast<std::uint64_t>(name.input),
                      static_cast<std::uint32_t>(which));
  for (double& value : values) value = random.uniform() < 0.5 ? -1.0 : 1.0;
  return values;
}

}  // namespace

void make_screening_functions(std::span<const double> x, std::size_t levels, SignName name, Matrix& U,
                              std::size_t first, std::size_t count) {
  const std::vector<double> F = levels > 0 ? std::vector<double>() : ranks(x);
  for (std::size_t a = 0; a < count; ++a) {
    const std::span<double> u = U.col(first + a);
    if (levels > 0) {
      const std::vector<double> of_levels = function_of_levels(levels, a, count, name);
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = is_missing(x[i]) ? 0.0 : of_levels[static_cast<std::size_t>(x[i])];
      }
    } else {
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = std::cos(std::numbers::pi * static_cast<double>(a + 1) * F[i]);
      }
    }
    fill_with_mean(u, x);
    orthonormalize(U, first, first + a);
  }
}

}  // namespace shrimp
