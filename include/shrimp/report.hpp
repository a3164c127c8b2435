// A fitted model as one HTML page that a person reads from top to bottom: how good it is, what its terms are, how each
// acts, how far off it is on a table of its own, how it was made. The page needs nothing beside itself, neither network
// nor files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// Rows with known target beside what the model predicts for them, in blocks. Errors are of all rows; charts show some,
/// chosen at random, the same ones however the rows come.
class TestRows {
 public:
  /// `source` is what the page calls the table, as in "test.csv". The model must outlive it.
  TestRows(const Model& model, std::string source);
  ~TestRows();
  TestRows(TestRows&& other) noexcept;
  TestRows& operator=(TestRows&& other) noexcept;
  TestRows(const TestRows&) = delete;
  TestRows& operator=(const TestRows&) = delete;

  /// X has the model's inputs as columns, in its order; y is the target in its own units, and of two classes 0 for the
  /// first and 1 for the second. Throws std::invalid_argument where X has another number of columns, y has another
  /// number of rows, or y is no class of a model of classes.
  void add(MatrixView X, std::span<const double> y, int threads = 0);

  /// Rows with counts y, each counted over an exposure > 0, by which the model's rates are multiplied.
  void add(MatrixView X, std::span<const double> y, std::span<const double> exposure, int threads = 0);

  /// Rows with inputs outside the model's range, as clipped_rows counts them.
  [[nodiscard]] const ClippedRows& clipped() const;

  struct Content;
  [[nodiscard]] const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

struct ReportOptions {
  const TestRows* test = nullptr;         ///< What the model is judged by; none: the page has what the fit found alone.
  std::vector<PathRecord> path = {};      ///< The prune path; empty: the page says where to get it.
  std::size_t chosen = 0;                 ///< Index into path.
  std::string model_file = "model.json";  ///< What the page calls the model in the lines that load it.
  int threads = 0;                        ///< ≥ 0; 0: every core.
};

/// UTF-8, below 1 MB: of main effects and pairs the largest dozen stand open, others are folded, and what would make it
/// too long is named. A model without marginals has no curves, and the page says so. Equal models, rows and options
/// give equal bytes. Throws DataError where a name is not UTF-8, std::invalid_argument where `chosen` is not in `path`.
[[nodiscard]] std::string report_page(const Model& model, const ReportOptions& options = {});

}  // namespace shrimp
