// The p-values that a model reports with its terms (Term::p_value).
#pragma once

#include "fit/selection.hpp"

namespace shrimp {

/// Sets the p-value of each term of up to three inputs: the probability, where the term has no effect given the other
/// terms, that the test of any candidate term (fit/term_tests.hpp) is as significant. It is adjusted for all candidates
/// of the term's order and for the orders that were searched. No term has one in models of other methods, in exact
/// fits, where less than 1e-4 of the variance is unexplained, and beside a kernel term of many inputs, which could take
/// the place of any other term.
void add_p_values(Model& model, const ModelFrame& frame, const Choice& choice);

}  // namespace shrimp
