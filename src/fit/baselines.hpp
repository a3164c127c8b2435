// Errors of two simple models on the rows on which a fit's own error was estimated: a constant and a linear model.
//
// The linear model has every number standardised, missing cells at the mean, values clipped to the training range, and
// an indicator for each level of a category. It is fitted under the loss of the fit, without a ridge where rows are
// plenty; elsewhere leave-one-out errors choose one (ridge/reweighted_ridge.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "objective/objective.hpp"
#include "shrimp/options.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// Rows on which an error was estimated, by their numbers in the training table: each part was held out once.
using HeldOutParts = std::vector<std::vector<std::size_t>>;

struct Baselines {
  double constant = 0.0;  ///< Mean loss; the mean squared error for the squared loss.
  double linear = 0.0;    ///< NaN where the linear model has too many columns to be worth its time.
};

/// Both models are fitted to `train` without a part, or to all of it, and evaluated on the part, or on `held`,
/// whichever is given. Losses are in the target's units, half of a deviance and of a squared error being one.
[[nodiscard]] Baselines baseline_losses(const Dataset& train, const HeldOutParts& parts, const Dataset* held,
                                        const LossFunction& loss, std::uint64_t seed);

/// Adds baseline_mean_… and baseline_linear_… under the key of the loss's metric. Adds nothing where no rows were held
/// out.
void add_baselines(const Dataset& train, const HeldOutParts& parts, const Dataset* held, const FitOptions& options,
                   std::map<std::string, double>& results);

}  // namespace shrimp
