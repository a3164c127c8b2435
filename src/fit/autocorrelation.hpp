// Whether the rows seem to be in an order that the fit was not told of.
#pragma once

#include <string>

#include "shrimp/model.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// A word where residuals of neighbouring rows resemble each other; "" where they do not. The rows are in the order in
/// which they were given.
std::string autocorrelation_warning(const Model& model, const Dataset& train, int threads);

}  // namespace shrimp
