// What a fit's options mean for the search of terms and for its end, and what of that end a fit chooses.
#pragma once

#include <span>
#include <vector>

#include "fit/selection.hpp"
#include "grow/all_inputs.hpp"
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
    "the time budget ended the fit early: basis functions may not be pruned, and the reported error may be the "
    "slightly optimistic model-selection error. Give more seconds.";

/// Throws OptionError where options name inputs that are not there, or include what they exclude.
GrowOptions grow_options(const ModelFrame& frame);

/// `include`: terms that keep their columns.
FinishOptions finish_options(const ModelFrame& frame, const std::vector<Support>& include);

/// A kernel term's inputs and settings. Of very many inputs, only those that terms use are candidates (`in_terms`): a
/// length scale for each of the others could fit anything.
AllInputsOptions kernel_term_options(const ModelFrame& frame, const GrowOptions& grow, const Rows& rows,
                                     std::span<const std::uint32_t> in_terms);

/// Whether the options allow a kernel term.
bool may_take_kernel_term(const ModelFrame& frame, const GrowOptions& grow);

/// The rows that folds hold out while a model is pruned.
HeldOutParts held_out_by_folds(const ModelFrame& frame);

/// The model that a search ended with; how good it is, the caller knows.
Choice choice_of_model(const Finished& finished);

}  // namespace shrimp
