// What is kept of rows that a model is tested on.
#pragma once

#include <string>
#include <vector>

#include "data/scores.hpp"
#include "shrimp/report.hpp"

namespace shrimp {

/// One row that charts may show.
struct TestedRow {
  std::uint64_t key = 0;  ///< Rows of the smallest keys are kept.
  std::size_t row = 0;
  double predicted = 0.0;
  double observed = 0.0;
};

/// How many rows lie within their intervals of a level.
struct Coverage {
  double level = 0.0;
  std::size_t within = 0;
  double width = 0.0;  ///< Sum over all rows.
};

/// Whether quality is a mean over classes or counts of single rows, rather than squared errors.
[[nodiscard]] bool has_scores_of_rows(const Model& model);

struct TestRows::Content {
  const Model* model = nullptr;
  std::string source = {};
  RunningScores scores = {};
  std::size_t rows = 0;
  ClippedRows clipped = {};
  std::vector<Coverage> coverage = {};  ///< None where the model has no intervals.
  std::vector<TestedRow> kept = {};
  /// All rows, if has_scores_of_rows: their scores need them at once.
  std::vector<double> predicted = {};
  std::vector<double> observed = {};
  std::vector<double> exposure = {};  ///< Of counts; empty: 1 for each row.

  /// No exposures: 1 for each row.
  void add(MatrixView X, std::vector<double> prediction, std::span<const double> y,
           std::span<const double> own_exposure, int threads);

  /// Counts by the mean rate of all rows, whatever their inputs are: the baseline. 0 where every count is.
  [[nodiscard]] double baseline_rate() const;
  [[nodiscard]] std::vector<double> baseline_counts() const;

  /// In the order of the table.
  [[nodiscard]] std::vector<TestedRow> sample(std::size_t most) const;
};

}  // namespace shrimp
