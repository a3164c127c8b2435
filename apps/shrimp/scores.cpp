#include "scores.hpp"

#include <cmath>

namespace shrimp::cli {

Scores score(std::span<const double> predicted, std::span<const double> y) {
  Scores scores{y.size()};
  const auto count = static_cast<double>(y.size());
  double mean = 0.0;
  for (const double value : y) mean += value / count;
  double variance = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = predicted[i] - y[i];
    scores.mse += error * error / count;
    scores.mae += std::abs(error) / count;
    variance += (y[i] - mean) * (y[i] - mean) / count;
  }
  scores.r2 = variance > 0.0 ? 1.0 - scores.mse / variance : std::nan("");
  return scores;
}

}  // namespace shrimp::cli
