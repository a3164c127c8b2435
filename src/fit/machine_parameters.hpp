// The rows of the table of parameters that say what of the machine a fit may use.
#pragma once

#include <vector>

#include "shrimp/parameters.hpp"

namespace shrimp {

std::vector<Parameter> machine_parameters();

}  // namespace shrimp
