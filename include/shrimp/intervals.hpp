// How sure a model is: intervals about predictions, and bands about the curves of its terms.
//
// An interval of the level p is  sum ± q(p)·s(x)  in the form in which the target was fitted, brought to the target's
// own units. s(x) is the model's (shrimp/model.hpp: Uncertainty); q(p) is the smallest number of deviations that
// reaches a share p of rows that the fit had not seen, or were left out of it, with the correction for their number
// that makes split conformal prediction cover (J. Lei et al., J. Am. Stat. Assoc. 113, 2018).
//
// Beyond the limits that a model holds its inputs within it knows nothing: there
//   s(x)² = noise² + ‖Fᵀφ(x)‖² + spread² Σ_j S_j δ_j²,
// δ_j being how many deviations of the training rows input j lies outside, S_j the share of the terms that look at it:
// an input goes on to move the target as much, a deviation of its own, as it does inside, nobody knows which way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// One number a row of X, in the target's own units. Lower and upper are where the target itself is expected: where it
/// was fitted as a logarithm, the prediction is a mean and need not lie in the middle.
struct PredictionIntervals {
  std::vector<double> prediction;
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Throws OptionError unless 0 < level < 1, ModelFileError where the model does not tell how sure it is, and
/// std::invalid_argument if X has another number of columns than the model inputs.
[[nodiscard]] PredictionIntervals predict_intervals(const Model& model, MatrixView X, double level, int threads = 0);

/// The deviation of the target about each prediction, in its own units. Throws as predict_intervals does.
[[nodiscard]] std::vector<double> predict_standard_deviations(const Model& model, MatrixView X, int threads = 0);

/// One sentence where the model's rows are too few to tell this level; "" elsewhere.
[[nodiscard]] std::string level_warning(const Model& model, double level);

/// Throws as predict_intervals does, for a level or a model of which there can be no intervals. `source` names the
/// model.
void require_intervals(const Model& model, double level, const std::string& source);

/// Whether the model tells how sure its coefficients are: without, there are intervals about predictions at most.
[[nodiscard]] bool knows_coefficients(const Model& model);

/// A term's curve, and where it lies, point by point, with a probability of `level`: how noise moves the coefficients
/// is in it, terms that were not found are not.
struct TermBand {
  std::vector<double> value;
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Points have a column for each of the term's variables, which ascend, in the inputs' own units. Lower and upper are
/// the value where the model does not know its coefficients. Throws std::invalid_argument where points have another
/// number of columns or the model has no marginals, and OptionError unless 0 < level < 1.
[[nodiscard]] TermBand term_band(const Model& model, const std::vector<std::uint32_t>& variables, MatrixView points,
                                 double level = 0.9, int threads = 0);

}  // namespace shrimp
