// Explanation of a fitted model: contributions of terms, gradient and formula.
#pragma once

#include <string>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// Contributions of terms to predictions, in units of the target. Column 0 is the constant, and column 1 + k is the
/// contribution of model.terms[k]. A row sums to the prediction, up to rounding and before clipping to the target's
/// limits.
///
/// If the target was transformed, contributions are on the transformed scale. A row then sums to log y or √y before the
/// bias correction (shrimp/scaling.hpp). Contributions are the components f_u of the functional ANOVA
/// (docs/reference/model-file.md); each has mean zero over the marginals of its inputs. Throws std::invalid_argument if
/// the number of columns of X differs, or if the model has no marginals.
[[nodiscard]] Matrix term_values(const Model& model, MatrixView X, int threads = 0);

/// Gradient: ∂f/∂x_j in column j, in units of the target per unit of the input, for all transforms. One-sided
/// derivatives are returned where f is not differentiable: the left one at kinks of relu, the right one at knots of
/// rank transforms. The value is 0 at kinks of a Laplacian kernel and beyond the limits or knots of an input. Throws
/// std::invalid_argument if the number of columns of X differs.
[[nodiscard]] Matrix gradient(const Model& model, MatrixView X, int threads = 0);

/// The model as a formula of its untransformed inputs, such as `y = 1.5 + 2*cos(0.3*x1 - 0.1) + …`, with `digits`
/// significant digits (1 … 17). Names with other characters than ASCII letters, digits and underscores, and names of
/// functions, are put in backquotes; backquotes in names are doubled.
///
/// e2(a, b, c) = ab + ac + bc is an elementary symmetric polynomial; step(t) is 1 if t > 0, else 0. Transformed inputs
/// are log(x), log(-x) or rank(x). rank(x) is the fraction of training rows below x plus half of those equal to x,
/// interpolated between knots. Transformed targets are `y = 1.02*exp(…)` or `y = max(0, …)^2 + 0.1`.
[[nodiscard]] std::string equation(const Model& model, int digits = 6);

/// A short formula: the constant, then one line for each of the `terms` largest terms, then the number of omitted
/// terms. Each line has as few functions as reproduce the term's values to `digits` digits (1 … 17). After # follow the
/// term's name, its fraction of variance, the number of basis functions that the line replaces, and its precision if
/// lower.
///
/// Terms of more than four inputs, and terms without a short approximation, are named without a formula. Categories are
/// written as [x = level], which is 1 at the level and 0 elsewhere. Transforms are written as in `equation`; the
/// inverse transform of the target has a separate line. Throws std::invalid_argument if the model has no marginals.
[[nodiscard]] std::string short_equation(const Model& model, std::size_t terms, int digits = 3);

}  // namespace shrimp
