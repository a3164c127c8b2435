// What a fit's options mean for the search of terms and for its end, and what of that end a fit chooses.
#pragma once

#include <vector>

#include "fit/selection.hpp"
#include "grow/finish.hpp"
#include "grow/grow.hpp"

namespace shrimp {

// Of the budget; the other half is for searches again without parts of the rows, whether they come or not: a model must
// not depend on how its error is told.
inline constexpr double share_of_search = 0.5;

// Beyond this, a round of exact fits on the most rows that are grown on takes a good part of the default budget.
inline constexpr std::size_t most_exact_columns = 6000;

/// Thrown where the budget of seconds is spent: what is not done yet is left out.
struct SecondsAreOver {};

/// For whoever gets a model of which something was left out.
inline constexpr const char* seconds_are_over_warning =
    "the budget of seconds ended the fit early: columns may not be pruned, and the error may be that of the rows by "
    "which the model was chosen, which is a little too good. Give more seconds.";

/// Throws OptionError where options name inputs that are not there, or include what they exclude.
GrowOptions grow_options(const ModelFrame& frame);

/// `include`: terms that keep their columns.
FinishOptions finish_options(const ModelFrame& frame, const std::vector<Support>& include);

/// The rows that folds hold out while a model is pruned.
HeldOutParts held_out_by_folds(const ModelFrame& frame);

/// The model that a search ended with; how good it is, the caller knows.
Choice choice_of_model(const Finished& finished);

}  // namespace shrimp
