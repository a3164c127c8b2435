// The components of a model's functional ANOVA (model/components.hpp) in rows of its inputs' own units.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "model/components.hpp"

namespace shrimp {

/// Calls body with each component of some rows at a time, from row `first` on, before it is brought to the target's
/// scale. Throws std::invalid_argument where X has another number of columns than the model inputs, or the model has no
/// marginals, from which `what` are taken.
void visit_components(
    const Model& model, MatrixView X, int threads, const char* what,
    const std::function<void(const Variables& variables, std::span<const double> component, std::size_t first)>& body);

}  // namespace shrimp
