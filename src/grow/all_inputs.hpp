// A term of all inputs that matter, for targets that no sum of functions of few inputs tells.
//
// Laws are compared by the evidence on a few hundred rows, the best one's scales tuned on more, inputs that change
// nothing left out, and the result judged by predicting every row from all others: by itself, and beside the terms that
// were found. An input that is missing stands at its mean. Categories of more than two levels have no place in it, for
// nothing says which of their levels are near each other. A scale for every input can fit noise, also under such
// errors: what decides are rows by which nothing was tuned, those beyond the rows for tuning or, of few rows, folds
// whose scales the other folds tell.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/rows.hpp"
#include "grow/finish.hpp"
#include "grow/kernel_shape.hpp"
#include "ridge/row_errors.hpp"

namespace shrimp {

struct AllInputsOptions {
  Support candidates;              ///< Inputs that it may look at.
  std::size_t most_inputs = 0;     ///< Of them; 0: no limit.
  std::optional<Law> law;          ///< None: chosen.
  std::optional<double> noise;     ///< Its variance in units of the target's; none: chosen.
  bool only_beside_terms = false;  ///< Not by itself.
  bool judged = true;              ///< Whether `judged_rows` and `judged_errors` are wanted.
  std::uint64_t seed = 0;
  std::shared_ptr<Device> device = {};  ///< For kernel matrices; null: the processor.
};

struct AllInputs {
  KernelShape shape;
  std::vector<double> deviations;                ///< Of all inputs: what scales are measured in.
  bool beside_terms = false;                     ///< Whether the columns of the terms stay.
  RowErrors errors;                              ///< Of the rows given, each left out, in the units of y².
  double evidence_gain = 0.0;                    ///< Over what there is without it.
  std::vector<std::size_t> judged_rows;          ///< Ascending.
  RowErrors judged_errors;                       ///< Of these, which tuned nothing.
  std::vector<double> alpha;                     ///< K⁻¹y for these rows, y in units of its deviation.
  std::shared_ptr<const InputKinds> kinds = {};  ///< Those of the rows.
};

/// `terms` has the columns of the terms found, with their scales; no columns: nothing was found. None where there are
/// too few rows or inputs, or rounding decides.
std::optional<AllInputs> find_all_inputs(const Rows& rows, const Finished& terms, const AllInputsOptions& options,
                                         const std::function<bool()>& is_over);

/// A kernel with one length scale for all candidates, chosen by leave-one-out errors: where an ARD kernel has too many
/// length scales for the rows, this one has none to overfit with. None as above.
std::optional<KernelShape> find_isotropic_kernel(const Rows& rows, const AllInputsOptions& options,
                                                 const std::function<bool()>& is_over);

/// Standard deviations of the inputs, in whose units a kernel has its length scales.
std::vector<double> kernel_units(MatrixView X);

/// Columns of terms in some rows, scaled as their prior variance wants it.
Matrix scaled_columns(const Finished& terms, MatrixView X);

}  // namespace shrimp
