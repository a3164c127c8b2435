#include "grow/null_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shrimp {

std::size_t NullScores::bin_of(double score) {
  const double bin = std::floor(score * static_cast<double>(bins_of_a_unit));
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(bins_of_a_unit * highest - 1)));
}

void NullScores::add(double score) { ++counts_[bin_of(score)]; }

void NullScores::merge(const NullScores& other) {
  for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += other.counts_[k];
}

double NullScores::chance(double score, std::size_t draws) const {
  // Their relative error is an eighth; further out the tail is extrapolated.
  constexpr std::size_t enough = 64;
  const std::size_t own = bin_of(score);
  std::size_t anchor = counts_.size();
  std::size_t above = 0;
  while (anchor > 0 && (above < enough || anchor > own)) above += counts_[--anchor];
  // Nothing is known of sets where none was looked at.
  if (above == 0) return 1.0;
  const double start = static_cast<double>(anchor) / static_cast<double>(bins_of_a_unit);
  const double expected =
      static_cast<double>(above) / static_cast<double>(draws) * std::exp(-std::max(0.0, score - start));
  return -std::expm1(-expected);
}

double chi_square_surprise(double x, std::size_t k) {
  const double half = 0.5 * x;
  if (k == 1) {
    return half < 600.0 ? -std::log(std::erfc(std::sqrt(half))) : half + 0.5 * std::log(std::numbers::pi * half);
  }
  double term = 1.0;
  double sum = 1.0;
  double scale = 0.0;
  for (std::size_t j = 1; j < k / 2; ++j) {
    term *= half / static_cast<double>(j);
    sum += term;
    if (sum > 1e200) {
      scale += std::log(1e200);
      sum /= 1e200;
      term /= 1e200;
    }
  }
  return half - std::log(sum) - scale;
}

}  // namespace shrimp
