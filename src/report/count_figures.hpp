// Pictures of predicted counts next to those that were observed.
#pragma once

#include <span>
#include <string>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// Largest observed count that count_frequency_figure draws.
inline constexpr double largest_drawn_count = 200.0;

/// How many rows have each count, and how many the model expects to have it: Σ_i P(k | μ_i), P being Poisson. No count
/// is above largest_drawn_count.
[[nodiscard]] std::string count_frequency_figure(const Model& model, std::span<const double> expected,
                                                 std::span<const double> counts);

/// Pearson's statistic per row, the mean of (y − μ)²/μ: about 1 where the variance of the counts is their mean.
[[nodiscard]] double dispersion(std::span<const double> expected, std::span<const double> counts);

}  // namespace shrimp::report
