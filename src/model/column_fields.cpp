#include "model/column_fields.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace shrimp {
namespace {

template <class Name>
struct Named {
  Name value;
  const char* name;
};

constexpr std::array kinds = {Named<ColumnKind>{ColumnKind::number, "number"},
                              Named<ColumnKind>{ColumnKind::category, "category"},
                              Named<ColumnKind>{ColumnKind::date, "date"}};
using Part = InputColumn::Part;
constexpr std::array parts = {Named<Part>{Part::value, "value"}, Named<Part>{Part::missing, "missing"},
                              Named<Part>{Part::day_of_week, "day_of_week"},
                              Named<Part>{Part::day_of_year, "day_of_year"}};

template <class Table, class Value>
const char* name_in(const Table& table, Value value) {
  return std::ranges::find_if(table, [&](const auto& row) { return row.value == value; })->name;
}

template <class Table>
auto read_name(const Reader& reader, const char* key, const Table& table) {
  if (!reader.has(key)) return table.front().value;
  const std::string name = reader.text(key);
  const auto found = std::ranges::find_if(table, [&](const auto& row) { return row.name == name; });
  if (found == table.end()) reader.fail(fmt::format("has a \"{}\" that this program does not know: {}", key, name));
  return found->value;
}

InputColumn read_column(const Reader& reader) {
  InputColumn column;
  column.kind = read_name(reader, "type", kinds);
  column.part = read_name(reader, "part", parts);
  if (reader.has("column")) column.column = reader.text("column");
  if (reader.has("levels")) column.levels = reader.texts("levels");
  if (reader.has("pooled")) column.pooled = reader.texts("pooled");
  if (column.is_category() != !column.levels.empty()) reader.fail("has levels, and is no category, or has none and is");
  if (column.levels.empty() && !column.pooled.empty()) reader.fail("has \"pooled\" levels without others");
  const std::set<std::string> different(column.levels.begin(), column.levels.end());
  if (different.size() != column.levels.size()) reader.fail("has the same level twice");
  if (column.part != Part::value && column.column.empty()) reader.fail("is a part of no column");
  return column;
}

}  // namespace

std::vector<Json> columns_to_json(const std::vector<InputColumn>& columns) {
  std::vector<Json> list;
  for (const InputColumn& column : columns) {
    Json& json = list.emplace_back(Json::object());
    if (column.kind != ColumnKind::number) json["type"] = name_in(kinds, column.kind);
    if (column.part != Part::value) json["part"] = name_in(parts, column.part);
    if (!column.column.empty()) json["column"] = column.column;
    if (!column.levels.empty()) json["levels"] = column.levels;
    if (!column.pooled.empty()) json["pooled"] = column.pooled;
  }
  return list;
}

void read_columns(const Reader& reader, Model& model, const std::string& source) {
  if (!reader.has("columns")) return;
  const Json& columns = reader.array("columns");
  if (columns.size() != model.inputs.size()) reader.fail("has another number of columns than inputs");
  for (std::size_t j = 0; j < columns.size(); ++j) {
    model.columns.push_back(read_column(Reader(columns[j], fmt::format("column {}", j), source)));
  }
}

}  // namespace shrimp
