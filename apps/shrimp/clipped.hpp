// A word about rows outside the training range.
#pragma once

#include "shrimp/model.hpp"

namespace shrimp::cli {

/// To standard error, unless quiet or there are none.
void print_clipped(const Model& model, MatrixView X, bool quiet);

}  // namespace shrimp::cli
