// Kinds of columns as Python names them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shrimp/columns.hpp"

namespace shrimp::python {

/// The kind of each column, and its levels.
using Kinds = std::vector<std::pair<std::string, std::vector<std::string>>>;

inline std::vector<InputColumn> columns_of_kinds(const Kinds& kinds) {
  std::vector<InputColumn> columns;
  for (const auto& [name, levels] : kinds) {
    InputColumn column;
    if (name == "category") column.kind = ColumnKind::category;
    if (name == "date") column.kind = ColumnKind::date;
    column.levels = levels;
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace shrimp::python
