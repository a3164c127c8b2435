// Inputs that no column looks at: what a model keeps of them would only take room in its file.
#pragma once

#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// One entry an input: whether a column looks at it.
std::vector<bool> used_inputs(const Dictionary& dictionary, std::size_t inputs);

/// Forms of the others are as if they had none.
void forget_unused_forms(Scaling& scaling, const Dictionary& dictionary);

/// The same, and their marginals have no values.
void forget_unused_inputs(Model& model);

}  // namespace shrimp
