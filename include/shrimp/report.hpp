// Report on a fitted model as one HTML page: quality, terms, effects, errors on test rows, and how it was fitted. The
// page is self-contained and needs no network.
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

/// Rows with observed targets and the model's predictions, added in blocks. Errors are over all rows. Charts show a
/// random sample, which does not depend on the blocks.
class TestRows {
 public:
  /// `source` is the name of the table on the page, such as "test.csv". The model must outlive the object.
  TestRows(const Model& model, std::string source);
  ~TestRows();
  TestRows(TestRows&& other) noexcept;
  TestRows& operator=(TestRows&& other) noexcept;
  TestRows(const TestRows&) = delete;
  TestRows& operator=(const TestRows&) = delete;

  /// X has the model's inputs as columns, in its order. Targets y are in their units; of two classes, 0 is the first
  /// and 1 the second. Throws std::invalid_argument if sizes differ, or if y is not a class of a classification model.
  void add(MatrixView X, std::span<const double> y, int threads = 0);

  /// Rows with counts y and exposures > 0, which multiply the predicted rates.
  void add(MatrixView X, std::span<const double> y, std::span<const double> exposure, int threads = 0);

  /// Rows with inputs outside the clipping range, as clipped_rows counts them.
  [[nodiscard]] const ClippedRows& clipped() const;

  struct Content;
  [[nodiscard]] const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

struct ReportOptions {
  const TestRows* test = nullptr;         ///< Test rows; null means that the page has only results of the fit.
  std::vector<PathRecord> path = {};      ///< The prune path; if empty, the page explains how to add it.
  std::size_t chosen = 0;                 ///< Index into path.
  std::string model_file = "model.json";  ///< Name of the model file in commands on the page.
  int threads = 0;                        ///< ≥ 0; 0 means all cores.
};

/// The page in UTF-8, below 1 MB. The twelve largest main effects and interactions of two inputs are visible, and
/// others are folded. Effects that would exceed the size are listed by name. Without marginals, the page has a note
/// instead of effect plots. Equal models, rows and options give equal bytes. Throws DataError if a name is not UTF-8,
/// and std::invalid_argument if `chosen` is not in `path`.
[[nodiscard]] std::string report_page(const Model& model, const ReportOptions& options = {});

}  // namespace shrimp
