// Sufficient statistics of rows for a model's basis functions. They are computed for parts of a table and merged in any
// order. They give the coefficients of a fit of these basis functions to all rows together.
//
// Under another loss than squared error, they are those of the working responses near the model: the refit is one
// Newton step from the model. Where the table is at hand, compute them again at the new fit until it stands still.
//
// They contain no rows: each fold is represented by the triangular factor of the QR factorisation of the basis
// functions (src/ridge). It determines coefficients and errors up to rounding for any condition number.
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

/// Throws DataError if the method's coefficients do not follow from sufficient statistics. Throws ModelFileError if the
/// file of the model is too old to contain the required data. `source` names the model.
void require_refit(const Model& model, const std::string& source);

class ModelSummary {
 public:
  struct Content;  // src/update/summary_content.hpp

  explicit ModelSummary(std::unique_ptr<Content> content);
  ModelSummary(ModelSummary&&) noexcept;
  ModelSummary& operator=(ModelSummary&&) noexcept;
  ~ModelSummary();

  [[nodiscard]] std::size_t rows() const;    ///< Number of rows with weight above 0.
  [[nodiscard]] double weight() const;       ///< Total weight of all rows.
  [[nodiscard]] std::size_t folds() const;   ///< Number of folds that the reported error is estimated with.
  [[nodiscard]] std::size_t tables() const;  ///< Number of tables; 0 for files before format version 2.

  /// Whether the statistics are of the model's basis functions.
  [[nodiscard]] bool is_of_columns_of(const Model& model) const;

  /// Whether the model's coefficients are those last given to set_model, or set_model was not called.
  [[nodiscard]] bool may_belong_to(const Model& model) const;
  void set_model(const Model& model);

  /// Number of tables that both contain, whose rows would be counted twice after merging. A table is identified by its
  /// rows in any order. Tables with only some common rows are not detected, nor are those of files before format
  /// version 2.
  [[nodiscard]] std::size_t tables_shared_with(const ModelSummary& other) const;

  /// Adds the rows of other statistics. Common rows are counted twice. Throws std::invalid_argument if the basis
  /// functions differ.
  void merge(const ModelSummary& other);

  [[nodiscard]] const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

struct SummaryOptions {
  std::string source;  ///< Name of the rows in messages.
  std::string fold;    ///< Fold name: rows with equal names, also in other files, are held out together; empty means a
                       ///< separate fold.
  std::size_t folds = 1;  ///< ≥ 1: row i, or group i if groups are given, belongs to fold i modulo this.
  int threads = 0;
};

/// Builder of sufficient statistics from rows in blocks of any size; the division into blocks does not matter.
class SummaryMaker {
 public:
  /// The model must outlive the builder. Throws as require_refit does, and DataError if the statistics do not fit in
  /// memory.
  SummaryMaker(const Model& model, SummaryOptions options);
  SummaryMaker(SummaryMaker&&) noexcept;
  ~SummaryMaker();

  /// X has the model's inputs. Empty weights mean weight 1. Throws DataError if a weight is negative or not finite, or
  /// if a target is outside the domain of the model's transform.
  void add(MatrixView X, std::span<const double> y, std::span<const double> weights = {},
           std::span<const std::uint32_t> groups = {});

  [[nodiscard]] ModelSummary finish();

 private:
  class Sums;
  std::unique_ptr<Sums> sums_;
};

/// Refits the coefficients to the rows of the statistics, with errors on these rows and by cross-validation. Terms with
/// their fractions of variance, basis functions, transforms and limits are unchanged. Throws DataError if there are no
/// rows, or if the basis functions differ.
[[nodiscard]] Model refit(const Model& model, const ModelSummary& summary);

/// Format version that this program writes, and the highest that it reads.
inline constexpr std::uint32_t summary_format_version = 3;

/// Serialised statistics; equal statistics give equal bytes.
[[nodiscard]] std::string to_bytes(const ModelSummary& summary);

/// Throws ModelFileError, with `source` in the message, if the bytes are not valid statistics.
[[nodiscard]] ModelSummary summary_from_bytes(std::string_view bytes, const std::string& source);

/// Writes the file as save_model does. "-" is standard output. Throws FileError.
void save_summary(const ModelSummary& summary, const std::string& path);
[[nodiscard]] ModelSummary load_summary(const std::string& path);

/// Loads statistics and throws DataError if they are of different basis functions, or cannot be statistics of the
/// model.
[[nodiscard]] ModelSummary load_summary_of(const Model& model, const std::string& path);

}  // namespace shrimp
