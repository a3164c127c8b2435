// Fit: standardise, draw features, prune, select and refit.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/classes.hpp"
#include "shrimp/model.hpp"
#include "shrimp/options.hpp"
#include "shrimp/path.hpp"
#include "shrimp/table.hpp"
#include "shrimp/table_blocks.hpp"
#include "shrimp/table_parts.hpp"

namespace shrimp {

struct FitResult {
  Model model;  ///< With loss multinomial, that of the first class; `class_model` has all of them.
  std::optional<ClassModel> class_model = {};  ///< With loss multinomial only.
  std::vector<int> order;                      ///< Orders of the selected dictionary.
  double prune_rate = 0.0;                     ///< Selected rate; 0 if the method does not prune.
  double ridge = 0.0;                          ///< λ of the selected step.
  double penalty = 0.0;                        ///< Selected λ or threshold, if the method has one.
  bool converged = true;                       ///< Whether the final fit reached the tolerance.
  double duality_gap = 0.0;                    ///< Relative duality gap of the final fit.
  std::size_t features_drawn = 0;
  std::size_t basis_functions_drawn = 0;
  /// Mean squared error on rows that the model was not fitted to. Method auto estimates it by partial nested
  /// cross-validation, on rows that were not used for model selection, with a standard error. With quick_error, for
  /// data without noise, and for other methods, it is the error on the validation rows that selected the model.
  double validation_mse = 0.0;
  std::optional<double> validation_se;
  double train_mse = 0.0;        ///< Error of the final model on all training rows.
  std::vector<PathRecord> path;  ///< Path of the selected dictionary and rate.
  std::size_t chosen = 0;        ///< Index into path.
  int threads = 1;
  std::string device = "cpu";  ///< Or the name of the GPU that computed the path.
  double seconds = 0.0;
  /// If the model has a kernel term: the low-order model without it, for comparison. Unknown for long tables.
  std::optional<Model> readable = {};
  std::vector<std::string> warnings;
  /// Warnings about the model itself, which programs print even in quiet mode. Examples: the model has no terms; one
  /// value determines nearly all of a column's variance.
  std::vector<std::string> alerts;
};

struct FitProgress {
  double done = 0.0;  ///< Completed fraction of the estimated work, 0 … 1.
  std::string what;   ///< Description of the current step.
  std::size_t basis_functions = 0;
  double validation_mse = 0.0;  ///< NaN if not yet known.
};

/// Callbacks that observe and stop a fit. All members are optional.
struct FitObserver {
  std::function<void(const FitProgress&)> on_step;
  /// Called at each new minimum of the validation error, with a function that builds this model. The function may be
  /// called from any thread while the inputs of the fit exist.
  std::function<void(std::function<Model()>)> on_better;
  /// Counterpart of on_better for loss multinomial.
  std::function<void(std::function<ClassModel()>)> on_better_classes = {};
  const std::atomic<bool>* stop = nullptr;  ///< If set to true, fit throws Interrupted after the current step.
};

/// Fits `train`. With `validation`, its rows select the model, which is fitted to all of `train`. Otherwise validation
/// rows are held out of `train`, and the selected columns are refitted to all rows. With folds, and for methods that do
/// more than select columns, the selected candidate is fitted again to all rows from the start.
///
/// Equal rows are merged and their weights added (merge_repeated_rows), except repeated observations of inputs with few
/// values (repeat_observations). Repeating a row is equivalent to doubling its weight; constant weights have no effect.
///
/// `test` only adds test_mse to the path. Throws DataError or OptionError before the fit starts if the input is invalid
/// or would not fit in memory.
[[nodiscard]] FitResult fit(const Dataset& train, const FitOptions& options, const Dataset* validation = nullptr,
                            const Dataset* test = nullptr, const FitObserver& observer = {});

/// Overload for tables that are read block by block. Method auto reads the table twice and samples rows at random. It
/// selects terms on the sample, computes sufficient statistics over all rows, and prunes and fits by these. Tables of
/// up to 50000 rows (fewer if memory is short), and all tables for other methods, are read into memory. `fit` of more
/// rows in memory behaves likewise. Weights of long tables are divided by their mean, and equal rows are not merged.
[[nodiscard]] FitResult fit(RowBlocks& train, const FitOptions& options, const FitObserver& observer = {});

/// Overload for partitioned tables: each partition returns sampled rows and sufficient statistics. Requires a method
/// for which fits_in_parts is true. The model equals that of the rows in their order, up to the order of summation.
[[nodiscard]] FitResult fit(TableParts& train, const FitOptions& options, const FitObserver& observer = {});

/// Whether the method can fit long tables block by block, as method auto does; other methods need all rows in memory.
[[nodiscard]] bool fits_in_parts(const FitOptions& options);

/// Peak memory of `fit` in bytes for m rows and d inputs, with A stored or recomputed.
[[nodiscard]] double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A = true);

}  // namespace shrimp
