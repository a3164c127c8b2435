// Fits of tables that are read block by block, and what they share with those of tables in memory.
#pragma once

#include <cstddef>
#include <memory>

#include "fit/selection.hpp"

namespace shrimp {

/// Whether a table of so many rows is one that the method looks at in parts.
bool is_long(std::size_t rows, std::size_t inputs, const FitOptions& options);

/// Scaling, forms, limits and the rows themselves, in scaled units. `validation` and `test`, where there are any, have
/// to have the target's form, too.
std::shared_ptr<ModelFrame> frame_of(const Dataset& train, const FitOptions& options, const Dataset* validation,
                                     const Dataset* test, const FitObserver& observer);

FitResult make_result(const ModelFrame& frame, Choice choice);

}  // namespace shrimp
