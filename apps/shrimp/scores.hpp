// How far predictions are from the truth.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace shrimp::cli {

struct Scores {
  std::size_t rows = 0;
  double mse = 0.0;
  double mae = 0.0;
  double r2 = 0.0;  ///< NaN where the target does not vary.
};

Scores score(std::span<const double> predicted, std::span<const double> y);

/// The same for rows that come block by block. Means are merged and not sums, which many rows would make large beside
/// what is added to them.
class RunningScores {
 public:
  void add(std::span<const double> predicted, std::span<const double> y);
  [[nodiscard]] Scores scores() const;

 private:
  std::size_t rows_ = 0;
  double mse_ = 0.0;
  double mae_ = 0.0;
  double mean_ = 0.0;      // Of the target.
  double variance_ = 0.0;  // Of the target, about its mean.
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace shrimp::cli
