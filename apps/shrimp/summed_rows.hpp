// Tables summed up for a model, and what a refit with them tells: for summarize, merge, update, simplify and fit
// --summary.
#pragma once

#include <string>

#include "shrimp/fit.hpp"
#include "shrimp/table.hpp"
#include "shrimp/update.hpp"
#include "update/locked_summary.hpp"

namespace shrimp::cli {

struct RowsToSum {
  std::string data;     ///< The table.
  std::string target;   ///< "": the model's own.
  std::string weights;  ///< The column of weights; "": none.
  std::string fold;
  std::size_t folds = 1;  ///< Rows are dealt out to so many.
  int threads = 0;
  bool quiet = false;
};

/// The rows of a table, matched by the model's names; warnings go to standard error.
ModelSummary sum_up_table(const Model& model, const RowsToSum& rows);

/// The rows of a fit, in five folds of the kind that the fit held out, with the model as its own.
ModelSummary sum_up_fit(const Model& model, const Dataset& train, const FitOptions& options);

/// The same block by block; of a series, runs of rows_of_a_block are held out together.
ModelSummary sum_up_fit(const Model& model, RowBlocks& train, const FitOptions& options);

/// Warns where tables of `added`, which `file` names, are in `all` already.
void warn_of_repeated_tables(const ModelSummary& all, const ModelSummary& added, const std::string& file, bool quiet);

/// The lock of a summary file, with a line on standard error where another program holds it.
LockedSummary lock_summary(const std::string& file, bool quiet);

/// Errors under the loss of a model that is not fitted by squared error: "log loss 0.31 ± 0.02"; empty if unknown.
struct LossErrors {
  std::string validation;
  std::string training;
};
[[nodiscard]] LossErrors loss_errors(const Model& model);

/// The same as keys of a JSON object; none for squared error.
void add_loss_json(const Model& model, Json& object);

/// Rows, folds and errors of a model that was fitted again, for people or as one JSON object.
std::string refit_text(const Model& model, const ModelSummary& summary, bool json);

}  // namespace shrimp::cli
