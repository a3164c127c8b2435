// Few numbers that stand for many rows, as far as a model's columns go. They are made of parts of a table anywhere,
// merge in any order, and give the coefficients that a fit of those columns to all rows together gives.
//
// A summary holds no row: for each fold it has the triangle of the columns' QR factorisation (src/summary), in which
// what the columns are and how the target lies on them is kept to rounding, whatever their condition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// Throws DataError where sums do not give the coefficients of the model's method, and ModelFileError where its file is
/// too old to tell what they need. `source` names the model.
void require_refit(const Model& model, const std::string& source);

class ModelSummary {
 public:
  struct Content;  // src/update/summary_content.hpp

  explicit ModelSummary(std::unique_ptr<Content> content);
  ModelSummary(ModelSummary&&) noexcept;
  ModelSummary& operator=(ModelSummary&&) noexcept;
  ~ModelSummary();

  [[nodiscard]] std::size_t rows() const;    ///< Of weight above 0.
  [[nodiscard]] double weight() const;       ///< Of all rows together.
  [[nodiscard]] std::size_t folds() const;   ///< Number of folds that the reported error is estimated with.
  [[nodiscard]] std::size_t tables() const;  ///< Tables that were summed up; 0 for files before format version 2.

  /// Whether these are sums of the model's columns.
  [[nodiscard]] bool is_of_columns_of(const Model& model) const;

  /// Whether the model's coefficients are those that were last said to belong to this summary, or none were.
  [[nodiscard]] bool may_belong_to(const Model& model) const;
  void set_model(const Model& model);

  /// The number of tables that both summaries hold, so that merging them counts their rows twice. A table is known by
  /// its rows, whatever their order; tables with only some rows in common are not found, nor those of files before
  /// format version 2.
  [[nodiscard]] std::size_t tables_shared_with(const ModelSummary& other) const;

  /// The rows of another summary. Rows that are in both count twice. Throws std::invalid_argument where it is one of
  /// other columns.
  void merge(const ModelSummary& other);

  [[nodiscard]] const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

struct SummaryOptions {
  std::string source;  ///< Names the rows in messages.
  std::string fold;  ///< Rows of the same name are held out together, those of other summaries, too; "": by themselves.
  std::size_t folds = 1;  ///< ≥ 1: row i, or group i where groups are given, goes to fold i modulo this.
  int threads = 0;
};

/// Sums up rows, any number at a time: how they come in blocks makes no difference.
class SummaryMaker {
 public:
  /// The model must outlive it. Throws as require_refit does, and DataError where the sums do not fit in memory.
  SummaryMaker(const Model& model, SummaryOptions options);
  SummaryMaker(SummaryMaker&&) noexcept;
  ~SummaryMaker();

  /// X has the model's inputs. No weights: every row counts 1. Throws DataError where a weight is not 0 or more, or a
  /// target cannot take the form in which the model fits it.
  void add(MatrixView X, std::span<const double> y, std::span<const double> weights = {},
           std::span<const std::uint32_t> groups = {});

  [[nodiscard]] ModelSummary finish();

 private:
  class Sums;
  std::unique_ptr<Sums> sums_;
};

/// The model with the coefficients that a fit of its columns to the summary's rows gives, and with their errors: of
/// these rows, and of each fold by a fit to the others. What stays: terms with their shares, columns, forms, limits of
/// inputs. Throws DataError where the summary has no rows or is of other columns.
[[nodiscard]] Model refit(const Model& model, const ModelSummary& summary);

/// The highest that this program reads, and the one that it writes.
inline constexpr std::uint32_t summary_format_version = 2;

/// A summary as bytes; equal ones give equal bytes.
[[nodiscard]] std::string to_bytes(const ModelSummary& summary);

/// Throws ModelFileError, with `source` named, if the bytes are no valid summary.
[[nodiscard]] ModelSummary summary_from_bytes(std::string_view bytes, const std::string& source);

/// Written as save_model writes. "-" is standard output. Throws FileError.
void save_summary(const ModelSummary& summary, const std::string& path);
[[nodiscard]] ModelSummary load_summary(const std::string& path);

/// The same, and throws DataError where the sums are not of this model's columns or cannot be sums over rows of it.
[[nodiscard]] ModelSummary load_summary_of(const Model& model, const std::string& path);

}  // namespace shrimp
