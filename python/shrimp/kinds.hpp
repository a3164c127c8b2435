// How the columns of a table are understood, as Python tells it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shrimp/columns.hpp"

namespace shrimp::python {

/// The kind of each column, "number", "category" or "date", and its levels.
using Kinds = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<InputColumn> columns_of_kinds(const Kinds& kinds);

}  // namespace shrimp::python
