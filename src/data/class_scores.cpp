#include "data/class_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace shrimp {
namespace {

void check_sizes(std::span<const double> predicted, std::span<const double> y) {
  if (predicted.size() != y.size())
    throw std::invalid_argument("the number of predictions differs from the number of rows.");
  if (y.empty()) throw std::invalid_argument("the table has no rows.");
}

std::vector<std::size_t> ascending(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

// By the ranks of class 1, those of ties being their mean (Mann and Whitney).
double area_under_curve(std::span<const double> probability, std::span<const double> y) {
  const std::vector<std::size_t> order = ascending(probability);
  double ranks = 0.0;
  double ones = 0.0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double tied_ones = 0.0;
    for (; last < order.size() && probability[order[last]] == probability[order[first]]; ++last) {
      tied_ones += y[order[last]];
    }
    ranks += tied_ones * 0.5 * static_cast<double>(first + 1 + last);
    ones += tied_ones;
    first = last;
  }
  const double zeros = static_cast<double>(y.size()) - ones;
  return (ranks - 0.5 * ones * (ones + 1.0)) / (ones * zeros);
}

}  // namespace

std::vector<CalibrationBin> calibration_bins(std::span<const double> probability, std::span<const double> y) {
  check_sizes(probability, y);
  constexpr std::size_t most = 10;
  const std::vector<std::size_t> order = ascending(probability);
  std::vector<CalibrationBin> bins;
  for (std::size_t k = 0, at = 0; k < most && at < order.size(); ++k) {
    const std::size_t end = (k + 1) * order.size() / most;
    CalibrationBin bin;
    while (at < order.size() && (at < end || (bin.rows > 0 && probability[order[at]] == probability[order[at - 1]]))) {
      bin.probability += probability[order[at]];
      bin.share += y[order[at]];
      ++bin.rows;
      ++at;
    }
    if (bin.rows == 0) continue;
    bin.probability /= static_cast<double>(bin.rows);
    bin.share /= static_cast<double>(bin.rows);
    bins.push_back(bin);
  }
  return bins;
}

ClassScores score_classes(std::span<const double> probability, std::span<const double> y) {
  check_sizes(probability, y);
  constexpr double edge = 1e-15;
  const auto m = static_cast<double>(y.size());
  ClassScores scores;
  scores.rows = y.size();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double p = std::clamp(probability[i], edge, 1.0 - edge);
    scores.log_loss -= (y[i] * std::log(p) + (1.0 - y[i]) * std::log1p(-p)) / m;
    scores.accuracy += ((probability[i] > 0.5) == (y[i] == 1.0) ? 1.0 : 0.0) / m;
    scores.brier += (y[i] - probability[i]) * (y[i] - probability[i]) / m;
  }
  scores.auc = area_under_curve(probability, y);
  for (const CalibrationBin& bin : calibration_bins(probability, y)) {
    scores.calibration_error += static_cast<double>(bin.rows) / m * std::abs(bin.share - bin.probability);
  }
  return scores;
}

MultiClassScores score_several_classes(MatrixView probabilities, std::span<const double> y) {
  check_sizes(std::span<const double>(probabilities.data, probabilities.rows), y);
  constexpr double edge = 1e-15;
  const auto m = static_cast<double>(y.size());
  MultiClassScores scores;
  scores.rows = y.size();
  std::vector<double> largest(y.size());
  std::vector<double> is_right(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto own = static_cast<std::size_t>(y[i]);
    std::size_t best = 0;
    for (std::size_t k = 0; k < probabilities.cols; ++k) {
      const double p = probabilities(i, k);
      if (p > probabilities(i, best)) best = k;
      const double gap = (k == own ? 1.0 : 0.0) - p;
      scores.brier += gap * gap / m;
    }
    scores.log_loss -= std::log(std::max(probabilities(i, own), edge)) / m;
    largest[i] = probabilities(i, best);
    is_right[i] = best == own ? 1.0 : 0.0;
    scores.accuracy += is_right[i] / m;
  }
  for (std::size_t k = 0; k < probabilities.cols; ++k) {
    std::vector<double> is_own(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) is_own[i] = y[i] == static_cast<double>(k) ? 1.0 : 0.0;
    scores.auc += area_under_curve(probabilities.col(k), is_own) / static_cast<double>(probabilities.cols);
  }
  for (const CalibrationBin& bin : calibration_bins(largest, is_right)) {
    scores.calibration_error += static_cast<double>(bin.rows) / m * std::abs(bin.share - bin.probability);
  }
  return scores;
}

double poisson_deviance(std::span<const double> expected, std::span<const double> counts) {
  check_sizes(expected, counts);
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double logarithm = counts[i] > 0.0 ? counts[i] * std::log(counts[i] / expected[i]) : 0.0;
    sum += 2.0 * (logarithm - counts[i] + expected[i]);
  }
  return sum / static_cast<double>(counts.size());
}

}  // namespace shrimp
