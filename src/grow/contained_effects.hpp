// Effects that interactions contain: a product kernel of several inputs also fits functions of fewer of them.
//
// They are the components of the functional ANOVA (model/components.hpp) of the fitted terms, inputs taken as
// independent with the rows' marginals.
#pragma once

#include <vector>

#include "grow/growing_fit.hpp"

namespace shrimp {

struct ContainedEffect {
  Support variables;
  double fraction = 0.0;  ///< Of the sum of the components' variances.
  bool has_term = false;  ///< Of its own.
};

/// Components that interactions contain, of at least `least_fraction` of the variance: fewest inputs first, then by
/// inputs.
std::vector<ContainedEffect> contained_effects(const GrowingFit& fit, double least_fraction);

/// Whether the term is an interaction whose random features also fit this effect of fewer inputs.
bool contains_effect(const TermShape& term, const Support& effect);

}  // namespace shrimp
