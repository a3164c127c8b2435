#include "ridge/row_errors.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "data/grouped_rows.hpp"

namespace shrimp {
namespace {

// Standard error of the mean of the values. Sums over groups are independent of each other.
double deviation_of_mean(const std::function<double(std::size_t)>& value, std::size_t count, double mean,
                         const std::vector<std::size_t>* starts) {
  const auto m = static_cast<double>(count);
  double squares = 0.0;
  for (std::size_t first = 0, group = 0; first < count; ++group) {
    const std::size_t last = starts != nullptr ? (*starts)[group + 1] : first + 1;
    double sum = 0.0;
    for (; first < last; ++first) sum += value(first) - mean;
    squares += sum * sum;
  }
  return std::sqrt(squares) / m;
}

}  // namespace

double RowErrors::standard_error() const {
  return deviation_of_mean([&](std::size_t i) { return squares[i]; }, squares.size(), mean, starts.get());
}

double RowErrors::standard_error_beside(const RowErrors& other) const {
  const auto of_row = [&](std::size_t i) { return other.squares[i] - squares[i]; };
  return deviation_of_mean(of_row, squares.size(), other.mean - mean, starts.get());
}

bool RowErrors::clearly_below(const RowErrors& other, double deviations) const {
  if (!(mean < other.mean)) return false;
  if (std::isinf(other.mean)) return true;
  return other.mean - mean > deviations * standard_error_beside(other);
}

void RowErrors::group(const std::vector<std::uint32_t>& groups) {
  const GroupOrder grouped(groups);
  if (!grouped.starts) return;
  std::vector<double> sorted;
  for (const std::size_t i : grouped.order) sorted.push_back(squares[i]);
  squares = std::move(sorted);
  starts = grouped.starts;
}

}  // namespace shrimp
