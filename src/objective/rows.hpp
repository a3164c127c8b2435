// For the files that define a row of type Objective.
#pragma once

#include "objective/objective.hpp"

namespace shrimp {

inline bool any_number(double) { return true; }

}  // namespace shrimp
