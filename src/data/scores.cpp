#include "data/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shrimp {

void RunningScores::add(std::span<const double> predicted, std::span<const double> y) {
  if (y.empty()) return;
  const auto count = static_cast<double>(y.size());
  double mean = 0.0;
  for (const double value : y) mean += value / count;
  double mse = 0.0;
  double mae = 0.0;
  double variance = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = predicted[i] - y[i];
    mse += error * error / count;
    mae += std::abs(error) / count;
    variance += (y[i] - mean) * (y[i] - mean) / count;
  }

  rows_ += y.size();
  const double share = count / static_cast<double>(rows_);
  const double shift = mean - mean_;
  mse_ = (1.0 - share) * mse_ + share * mse;
  mae_ = (1.0 - share) * mae_ + share * mae;
  variance_ = (1.0 - share) * variance_ + share * variance + share * (1.0 - share) * shift * shift;
  mean_ += share * shift;
  const auto [lowest, highest] = std::ranges::minmax(y);
  lowest_ = std::min(lowest_, lowest);
  highest_ = std::max(highest_, highest);
}

Scores RunningScores::scores() const {
  // What rounding leaves of the variance of equal values is not looked at.
  const bool varies = lowest_ < highest_ && variance_ > 0.0;
  return {rows_, mse_, mae_, varies ? 1.0 - mse_ / variance_ : std::nan(""), variance_};
}

Scores score(std::span<const double> predicted, std::span<const double> y) {
  RunningScores scores;
  scores.add(predicted, y);
  return scores.scores();
}

std::string r2_text(double r2) {
  if (!std::isfinite(r2)) return "unknown";
  constexpr double rounding = 1e-12;
  const double missing = std::abs(1.0 - r2);
  if (missing < rounding) return "1";
  return fmt::format("{:.{}f}", r2, std::max(2, 1 - static_cast<int>(std::floor(std::log10(missing)))));
}

}  // namespace shrimp
