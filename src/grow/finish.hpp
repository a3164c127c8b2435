// From terms to a model: features on the terms' inputs, pruned by magnitude.
//
// Where the growth found no noise, many features are fitted exactly (src/path), held-out rows choose the step, terms
// without columns leave, and features are drawn anew on the others while that helps. Where the data are noisy, the
// features with which the terms were found are pruned under the same ridge, and folds or held-out rows choose.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "grow/grow.hpp"
#include "linalg/device.hpp"
#include "path/equations.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// constant + Σ coefficients·columns, in the units of the rows.
struct Finished {
  Dictionary dictionary;
  std::vector<double> coefficients;
  std::vector<double> scales;  ///< Of the columns where λ counts; none: 1.
  double constant = 0.0;
  double error = 0.0;  ///< By which it was chosen, in the units of y².
  double ridge = 0.0;
  double rate = 0.0;  ///< The pruning rate that it was chosen at.
  std::size_t features_drawn = 0;
  std::size_t basis_functions_drawn = 0;
  std::vector<PathRecord> records;
  std::size_t chosen = 0;
  double work = 0.0;  ///< Operations that it took.
  RowErrors held;     ///< Of the rows that `error` is the mean of, in their order: those held out, or each row.
};

struct FinishOptions {
  std::vector<double> prune_rates = {0.2};
  double rank_tolerance = 0.0;
  std::size_t folds = 5;            ///< ≥ 2; at most the rows.
  std::size_t most_columns = 6000;  ///< Of exact fits.
  bool one_standard_error = false;  ///< The smallest model within one standard error of the best.
  std::vector<Support> include;     ///< Terms that keep their columns.
  /// Operations after which no further round of exact fits begins. Fits with ridge are bounded by themselves.
  double budget = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 0;
  std::shared_ptr<Device> device;  ///< For sums of many columns over rows; null: the processor.
};

/// The grown terms as they are: one solution of the normal equations.
Finished fit_terms(const Rows& rows, const Grown& grown, std::uint64_t seed,
                   const std::shared_ptr<Device>& device = nullptr);

/// Whether exact fits are worth a try: the growth has found no noise, so that λ went down to where rounding holds it.
/// Up to a hundred times that is tried: λ moves in steps, and the first exact fit tells for little.
bool may_be_exact(const Grown& grown);

/// How far, as a share, an exact fit must be below another's error on so many held-out rows.
double exact_share_to_beat(std::size_t held_out);

/// Chosen by the errors on `validation`, or by folds where it is null; with `test`, its errors are recorded.
Finished finish_with_ridge(const Rows& rows, const Rows* validation, const Rows* test, const Grown& grown,
                           const FinishOptions& options, const GrowObserver& observer);

/// The same columns and ridge, fitted to other rows.
Finished refit_with_ridge(Finished model, const Rows& rows, const std::shared_ptr<Device>& device = nullptr);

struct RowsToFinish {
  const Rows& train;
  const Rows& held;  ///< To choose by.
  const Rows& all;   ///< The chosen columns are fitted to these.
  const Rows* test;  ///< Null: none.
};

/// Fits `train` and is chosen by the errors on `held`; then the chosen columns are fitted to `all`. It gives up where
/// its first fit, of all columns, is not below `error_to_beat`: pruning gains too little then for what is asked of it.
/// Then it has no coefficients.
Finished finish_exactly(const RowsToFinish& rows, const Grown& grown, double error_to_beat,
                        const FinishOptions& options, const GrowObserver& observer);

}  // namespace shrimp
