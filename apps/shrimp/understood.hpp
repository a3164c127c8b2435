// How the columns of a table were understood, for people.
#pragma once

#include <string>
#include <vector>

#include "shrimp/table.hpp"

namespace shrimp::cli {

/// A line for each kind of column that there is.
std::string understood_lines(const Dataset& train);

/// A line for each column; `ignored` ones last.
std::string understood_table(const Dataset& train, const std::vector<std::string>& ignored);

}  // namespace shrimp::cli
