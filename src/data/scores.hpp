// How far predictions are from the truth.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace shrimp {

struct Scores {
  std::size_t rows = 0;
  double mse = 0.0;
  double mae = 0.0;
  double r2 = 0.0;        ///< NaN where the target does not vary.
  double variance = 0.0;  ///< Of the target: the squared error of its mean.
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

/// 0.81, 0.99997, 1: two digits, or two of what is missing from 1.
std::string r2_text(double r2);

}  // namespace shrimp
