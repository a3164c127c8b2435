// What a fitted model says: each term's part of a prediction, the slope, the formula.
#pragma once

#include <string>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// The prediction taken apart: column 0 is the constant, column 1 + k the part of model.terms[k], in the target's
/// units. Every row sums to the prediction, up to rounding and before it is brought inside the target's limits. Where
/// the target was fitted in another form, parts are in the units of that, and a row sums to log y, or √y, before the
/// correction: there is no sum that the prediction itself would be (shrimp/scaling.hpp). The parts are the components
/// of which the terms' shares are the variances (docs/reference/model-file.md): each averages to zero over the
/// marginals of its inputs. Throws std::invalid_argument if X has another number of columns, or the model has no
/// marginals.
[[nodiscard]] Matrix term_values(const Model& model, MatrixView X, int threads = 0);

/// ∂f/∂x_j in column j, in the target's own units per unit of the input, whatever forms they have. At a kink of relu,
/// the slope below it; at that of a Laplace kernel, 0; at a knot of ranks, that above it; beyond an input's limits or
/// its knots, 0. Throws std::invalid_argument if X has another number of columns.
[[nodiscard]] Matrix gradient(const Model& model, MatrixView X, int threads = 0);

/// The model as one formula of its inputs as they are: `y = 1.5 + 2*cos(0.3*x1 - 0.1) + …`, numbers with so many
/// significant digits (1 … 17). Names that are no words of ASCII letters, digits and underscores, or the names of
/// functions, stand between backquotes, and a backquote in them is doubled. e2(a, b, c) stands for ab + ac + bc, the
/// elementary symmetric polynomial, and step(t) for 1 where t is above 0, else 0. Inputs that enter by a form are
/// written so: log(x), log(-x), or rank(x), which is the share of training rows below x and half of those at it, read
/// off between the knots that the model keeps. A target that was fitted in another form is `y = 1.02*exp(…)` or `y =
/// max(0, …)^2 + 0.1`.
[[nodiscard]] std::string equation(const Model& model, int digits = 6);

/// The model in a few lines: the constant, then one for each of its so many largest terms, each by as few functions as
/// give its values to so many digits (1 … 17), then how many terms are left out. Behind # stands the term's name, its
/// share, how many columns the line stands for, and how near it comes where the digits promise more. A term of more
/// than four inputs, and one that few functions do not come near, is named without a formula. A category is written
/// by [x = level] alone, which is 1 at the level and 0 elsewhere. Forms of inputs and target are written as in
/// `equation`, what closes the target's on a line of its own. Throws std::invalid_argument if the model has no
/// marginals.
[[nodiscard]] std::string short_equation(const Model& model, std::size_t terms, int digits = 3);

}  // namespace shrimp
