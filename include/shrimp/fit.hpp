// From a data set to a chosen model: standardise, draw, prune, select, refit.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/model.hpp"
#include "shrimp/options.hpp"
#include "shrimp/path.hpp"
#include "shrimp/table.hpp"
#include "shrimp/table_blocks.hpp"
#include "shrimp/table_parts.hpp"

namespace shrimp {

struct FitResult {
  Model model;
  std::vector<int> order;    ///< The orders of the chosen dictionary.
  double prune_rate = 0.0;   ///< The chosen rate; 0 where the method does not prune.
  double ridge = 0.0;        ///< The λ of the chosen step.
  double penalty = 0.0;      ///< The chosen λ or threshold, where the method has one.
  bool converged = true;     ///< Whether the final fit came within the tolerance.
  double duality_gap = 0.0;  ///< The relative duality gap of the final fit.
  std::size_t features_drawn = 0;
  std::size_t basis_functions_drawn = 0;
  /// On rows that the model was not fitted to. By method auto, where there is noise, it is that of rows that took no
  /// part in finding terms, shapes, ridge or columns, and has its standard error with it; elsewhere, and with
  /// quick_error, that of the rows by which the model was chosen.
  double validation_mse = 0.0;
  std::optional<double> validation_se;
  double train_mse = 0.0;        ///< Of the final model on all training rows.
  std::vector<PathRecord> path;  ///< Of the chosen dictionary and rate.
  std::size_t chosen = 0;        ///< Index into path.
  int threads = 1;
  std::string device = "cpu";  ///< Or the name of the card that the path was computed on.
  double seconds = 0.0;
  /// Where the model has a kernel term: the model of low order and without one that it was compared with. Not known for
  /// long tables.
  std::optional<Model> readable = {};
  std::vector<std::string> warnings;
  /// Warnings about the model itself, which programs also print when they are quiet: it has no terms, or one value has
  /// nearly all of a column's variance.
  std::vector<std::string> alerts;
};

struct FitProgress {
  double done = 0.0;  ///< Share of the estimated work, 0 … 1.
  std::string what;   ///< What is being fitted, for people.
  std::size_t basis_functions = 0;
  double validation_mse = 0.0;  ///< NaN where it is not known yet.
};

/// How a caller watches and stops a fit. Every member may be left empty.
struct FitObserver {
  std::function<void(const FitProgress&)> on_step;
  /// Called when a step has the least validation error so far, with a maker of that model, which may
  /// be called from any thread until the fit's inputs are gone.
  std::function<void(std::function<Model()>)> on_better;
  const std::atomic<bool>* stop = nullptr;  ///< Set it, and fit throws Interrupted after the current step.
};

/// Fits `train`. With `validation`, its rows choose and all of `train` is fitted; else the rows to choose
/// by are taken out of `train`, and the chosen columns are fitted again to all of it.
/// With folds, and for methods that are more than a choice of columns, the chosen candidate is fitted again to all
/// rows from the start.
/// Equal rows count as one with the sum of their weights (merge_repeated_rows), but for those that few values of the
/// inputs make equal (repeat_observations): repeating a row and doubling its weight give the same model, and weights
/// that are all the same the model of none.
/// `test` only adds test_mse to the path.
/// Throws DataError or OptionError before any work if the input is bad or would not fit in memory.
[[nodiscard]] FitResult fit(const Dataset& train, const FitOptions& options, const Dataset* validation = nullptr,
                            const Dataset* test = nullptr, const FitObserver& observer = {});

/// The same for a table that is read block by block. Method auto reads it twice and keeps some rows, chosen at random:
/// terms are found on these, then columns are summed up over all rows, and sums choose how many columns stay and fit
/// them. A table of up to 50000 rows (fewer where memory is short) is kept whole, as by the other methods any table is.
/// `fit` of more rows in memory is the same. Weights of long tables count in units of their mean, and rows that repeat
/// are not merged.
[[nodiscard]] FitResult fit(RowBlocks& train, const FitOptions& options, const FitObserver& observer = {});

/// The same for a table whose parts lie elsewhere and are asked in the place of being read: some rows come here, those
/// that the other fit would keep, and sums over all others. It is for methods that fits_in_parts alone. The model is
/// that of the rows in their order, but for the order of sums.
[[nodiscard]] FitResult fit(TableParts& train, const FitOptions& options, const FitObserver& observer = {});

/// Whether the method of these options looks at long tables in parts, as method auto does; others need all rows at
/// once.
[[nodiscard]] bool fits_in_parts(const FitOptions& options);

/// Bytes that `fit` needs at its peak for m rows and d inputs, with A kept or recomputed.
[[nodiscard]] double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A = true);

}  // namespace shrimp
