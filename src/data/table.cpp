#include "shrimp/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/names.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

Dataset split_target(Table table, const std::string& target, const std::string& source) {
  const auto column = find_name(table.names, target);
  if (!column) {
    throw OptionError(fmt::format("{} has no column \"{}\" to use as target.\n{}", source, target,
                                  suggest_names(table.names, target)));
  }
  if (table.names.size() < 2) {
    throw OptionError(
        fmt::format("{} has no column besides the target \"{}\".\nGive at least one input.", source, target));
  }
  Dataset data;
  data.target = target;
  data.warnings = std::move(table.warnings);
  data.y.assign(table.values.col(*column).begin(), table.values.col(*column).end());
  data.X = Matrix::uninitialized(table.values.rows(), table.names.size() - 1);
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    if (j == *column) continue;
    std::ranges::copy(table.values.col(j), data.X.col(data.inputs.size()).begin());
    data.inputs.push_back(table.names[j]);
  }
  return data;
}

Matrix select_columns(const Table& table, const std::vector<std::string>& names, const std::string& source) {
  std::vector<std::string> missing;
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    if (const auto column = find_name(table.names, name)) {
      columns.push_back(*column);
    } else {
      missing.push_back(fmt::format("\"{}\"", name));
    }
  }
  if (!missing.empty()) {
    throw DataError(fmt::format("{} lacks the column{} {}.\nIt has {}.", source, missing.size() > 1 ? "s" : "",
                                fmt::join(missing, ", "), fmt::join(table.names, ", ")));
  }
  Matrix selected = Matrix::uninitialized(table.values.rows(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::ranges::copy(table.values.col(columns[k]), selected.col(k).begin());
  }
  return selected;
}

}  // namespace shrimp
