#include "shrimp/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "data/name_index.hpp"
#include "data/names.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

void require_target(const Table& table, const std::string& target, const std::string& source) {
  if (find_name(table.names, target)) return;
  std::vector<std::string> names = table.names;
  names.insert(names.end(), table.left_out.begin(), table.left_out.end());
  throw OptionError(
      fmt::format("{} has no column \"{}\" to use as target.\n{}", source, target, suggest_names(names, target)));
}

Dataset split_target(Table table, const std::string& target, const std::string& source) {
  require_target(table, target, source);
  const std::size_t column = *find_name(table.names, target);
  if (table.names.size() < 2) {
    throw OptionError(
        fmt::format("{} has no column other than the target \"{}\".\nGive at least one input.", source, target));
  }
  Dataset data;
  data.source = source;
  data.target = target;
  data.warnings = std::move(table.warnings);
  data.y.assign(table.values.col(column).begin(), table.values.col(column).end());
  data.X = Matrix::uninitialized(table.values.rows(), table.names.size() - 1);
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    if (j == column) continue;
    std::ranges::copy(table.values.col(j), data.X.col(data.inputs.size()).begin());
    data.inputs.push_back(table.names[j]);
    if (!table.columns.empty()) data.columns.push_back(std::move(table.columns[j]));
  }
  return data;
}

namespace {

// Its values; it is no input any more.
std::vector<double> take_input(Dataset& data, const std::string& column, const char* use, const std::string& source) {
  const auto found = find_name(data.inputs, column);
  if (!found) {
    throw OptionError(fmt::format("{} has no column \"{}\" to use as {}.\n{}", source, column, use,
                                  suggest_names(data.inputs, column)));
  }
  if (data.inputs.size() < 2)
    throw OptionError(fmt::format("{} has no input other than the {} \"{}\".", source, use, column));
  std::vector<double> values(data.X.col(*found).begin(), data.X.col(*found).end());
  Matrix X = Matrix::uninitialized(data.X.rows(), data.X.cols() - 1);
  for (std::size_t j = 0; j < X.cols(); ++j) std::ranges::copy(data.X.col(j < *found ? j : j + 1), X.col(j).begin());
  data.X = std::move(X);
  data.inputs.erase(data.inputs.begin() + static_cast<std::ptrdiff_t>(*found));
  if (!data.columns.empty()) data.columns.erase(data.columns.begin() + static_cast<std::ptrdiff_t>(*found));
  return values;
}

}  // namespace

Dataset take_weights(Dataset data, const std::string& column, const std::string& source) {
  if (!column.empty()) data.weights = take_input(data, column, "weights", source);
  return data;
}

Dataset take_exposure(Dataset data, const std::string& column, const std::string& source) {
  if (column.empty()) return data;
  data.exposure = take_input(data, column, "exposure", source);
  data.exposure_column = column;
  return data;
}

Dataset take_groups(Dataset data, const std::string& column, const std::string& source) {
  if (column.empty()) return data;
  std::map<double, std::uint32_t> numbers;
  for (const double value : take_input(data, column, "groups", source)) {
    data.groups.push_back(numbers.try_emplace(value, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return data;
}

namespace {

[[noreturn]] void refuse_missing(const Table& table, const std::vector<std::string>& missing,
                                 const std::string& source) {
  std::vector<std::string> quoted;
  for (const std::string& name : missing) quoted.push_back(fmt::format("\"{}\"", name));
  std::vector<std::string> present = table.names;
  present.insert(present.end(), table.left_out.begin(), table.left_out.end());
  throw DataError(fmt::format("{} lacks the column{} {}.\nIt has {}.", source, missing.size() > 1 ? "s" : "",
                              list_names(quoted), list_names(present)));
}

}  // namespace

Matrix select_columns(const Table& table, const std::vector<std::string>& names, const std::string& source) {
  std::vector<std::string> missing;
  std::vector<std::size_t> columns;
  const NameIndex places(table.names);
  for (const std::string& name : names) {
    if (const auto column = places.find(name)) {
      columns.push_back(*column);
    } else {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) refuse_missing(table, missing, source);
  Matrix selected = Matrix::uninitialized(table.values.rows(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::ranges::copy(table.values.col(columns[k]), selected.col(k).begin());
  }
  return selected;
}

}  // namespace shrimp
