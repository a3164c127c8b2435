#include "kinds.hpp"

namespace shrimp::python {

std::vector<InputColumn> columns_of_kinds(const Kinds& kinds) {
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
