// A model's terms: the components of its functional ANOVA (model/components.hpp), and how much each of them varies.
//
// A term's share is its component's part of the sum of their variances over the training rows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

struct TermShares {
  std::vector<Term> terms;  ///< Largest share first.
  /// The share of all components of more than three inputs. None where no column looks at as many, and where some
  /// columns are not taken apart.
  std::optional<double> above_three = {};
  /// The part of the variance of the sum that is covariance between components; none where the sum does not vary.
  std::optional<double> covariance = {};
};

/// Terms of Σ_k c_k φ_k on the (scaled) training inputs X. Marginals are those of X; row i counts weights[i] times (no
/// weights: once).
TermShares make_terms(const Dictionary& dictionary, const std::vector<Marginal>& marginals, MatrixView X,
                      std::span<const double> weights, std::span<const double> coefficients);

/// Columns on more inputs have a component on fewer by the sample alone: the mean of a function over m rows misses its
/// expectation by a variance of 1/m of its own. A term without columns whose share is below two standard errors of that
/// is none, and counts to the first term that has all its inputs, as in term_values.
std::vector<Term> without_what_the_sample_made(std::vector<Term> terms, std::size_t m);

/// The terms of a model that has lost some of those it had: their shares over inputs that are independent with its
/// marginals, without p-values, which take rows. What was no term before, and has no columns, counts to a larger one.
TermShares terms_after_loss(const Model& model, const std::vector<Term>& before);

}  // namespace shrimp
