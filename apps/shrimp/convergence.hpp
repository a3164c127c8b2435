// Whether an iterative method came within its tolerance.
#pragma once

#include "shrimp/fit.hpp"

namespace shrimp::cli {

/// Throws std::runtime_error, with the gap reached and ways out, where it did not.
void require_convergence(const FitResult& result, const FitOptions& options);

}  // namespace shrimp::cli
