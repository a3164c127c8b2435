#include "data/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_set>

#include "data/csv_dialect.hpp"
#include "data/dates.hpp"
#include "data/names.hpp"
#include "data/present.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr double unknown_code = std::numeric_limits<double>::quiet_NaN();

const std::vector<std::string>& days_of_week() {
  static const std::vector<std::string> days = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                "Friday", "Saturday", "Sunday"};
  return days;
}

// By number where all are numbers.
void sort_levels(std::vector<std::string>& levels) {
  std::vector<std::pair<double, std::string>> keyed;
  bool numeric = true;
  for (const std::string& level : levels) {
    double number = 0.0;
    numeric = numeric && parse_number(level, '.', number);
    keyed.emplace_back(number, level);
  }
  if (!numeric) {
    for (auto& [number, level] : keyed) number = 0.0;
  }
  std::ranges::sort(keyed);
  for (std::size_t k = 0; k < levels.size(); ++k) levels[k] = std::move(keyed[k].second);
}

class Planner {
 public:
  explicit Planner(const Dataset& data) : data_(data), names_(data.inputs) {}

  InputPlan run() {
    for (std::size_t j = 0; j < data_.inputs.size(); ++j) {
      const InputColumn kind = data_.columns.empty() ? InputColumn() : data_.columns[j];
      if (std::ranges::all_of(data_.X.col(j), is_missing)) {
        leave_out(j, "has only missing cells");
      } else if (kind.is_category()) {
        add_category(j, kind);
      } else {
        add(data_.inputs[j], {.kind = kind.kind});
        if (kind.kind == ColumnKind::date && kind.date_parts) add_date_parts(j);
        add_missing(j);
      }
    }
    if (plan_.inputs.empty()) {
      throw DataError(fmt::format("{}: no usable input column remains.\nGive at least one input.",
                                  data_.source.empty() ? "training data" : data_.source));
    }
    return std::move(plan_);
  }

 private:
  void leave_out(std::size_t j, const std::string& why) {
    plan_.warnings.push_back(fmt::format("column \"{}\" {}; it is ignored.", data_.inputs[j], why));
  }

  void add(const std::string& wanted, InputColumn column) {
    std::string name = wanted;
    while (taken_.contains(name) || (column.part != InputColumn::Part::value && names_.has(name))) name += "'";
    taken_.insert(name);
    plan_.inputs.push_back(std::move(name));
    plan_.columns.push_back(std::move(column));
  }

  void add_date_parts(std::size_t j) {
    const std::string& name = data_.inputs[j];
    add(fmt::format("day of week({})", name), {.kind = ColumnKind::category,
                                               .part = InputColumn::Part::day_of_week,
                                               .column = name,
                                               .levels = days_of_week()});
    add(fmt::format("day of year({})", name), {.part = InputColumn::Part::day_of_year, .column = name});
  }

  // Columns whose cells are missing in the same rows share one input for that.
  bool add_missing(std::size_t j) {
    std::vector<bool> rows;
    for (const double value : data_.X.col(j)) rows.push_back(is_missing(value));
    const auto count = static_cast<std::size_t>(std::ranges::count(rows, true));
    const bool tells = count >= fewest_rows_of_a_level && rows.size() - count >= fewest_rows_of_a_level;
    if (!tells || !patterns_.insert(std::move(rows)).second) return false;
    const std::string& name = data_.inputs[j];
    add(fmt::format("missing({})", name), {.part = InputColumn::Part::missing, .column = name});
    return true;
  }

  void add_category(std::size_t j, const InputColumn& kind) {
    std::vector<std::size_t> rows(kind.levels.size(), 0);
    std::size_t without = 0;
    for (const double code : data_.X.col(j)) is_missing(code) ? ++without : ++rows[static_cast<std::size_t>(code)];
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t level) { return rows[level]; });
    InputColumn column{.kind = ColumnKind::category};
    for (const std::size_t level : order) {
      if (rows[level] == 0) continue;
      const bool own = rows[level] >= fewest_rows_of_a_level && column.levels.size() < most_levels;
      (own ? column.levels : column.pooled).push_back(kind.levels[level]);
    }
    if (column.levels.empty()) {
      const std::string why = fmt::format("has {} levels in {} rows, none with {} rows or more", column.pooled.size(),
                                          data_.X.rows(), fewest_rows_of_a_level);
      if (!add_missing(j)) return leave_out(j, why);
      plan_.warnings.push_back(fmt::format(
          "column \"{}\" {}; its levels are ignored, and an indicator of missing cells is used as an input.",
          data_.inputs[j], why));
      return;
    }
    sort_levels(column.levels);
    sort_levels(column.pooled);
    if (without >= fewest_rows_of_a_level) column.levels.emplace_back(missing_level);
    if (!column.pooled.empty()) column.levels.emplace_back(pooled_level);
    add(data_.inputs[j], std::move(column));
  }

  const Dataset& data_;
  NameIndex names_;
  InputPlan plan_;
  std::unordered_set<std::string> taken_;
  std::set<std::vector<bool>> patterns_;
};

const char* name_of(ColumnKind kind) {
  return kind == ColumnKind::category ? "text" : kind == ColumnKind::date ? "dates" : "numbers";
}

}  // namespace

bool needs_encoding(const Dataset& data) {
  if (data.encoded) return false;
  const auto is_special = [](const InputColumn& column) { return column.kind != ColumnKind::number; };
  if (std::ranges::any_of(data.columns, is_special)) return true;
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    if (std::ranges::any_of(data.X.col(j), is_missing)) return true;
  }
  return false;
}

InputPlan plan_inputs(const Dataset& data) { return Planner(data).run(); }

InputEncoder::InputEncoder(std::vector<std::string> inputs, std::vector<InputColumn> columns,
                           const std::vector<std::string>& names, std::string source)
    : inputs_(std::move(inputs)), columns_(std::move(columns)), source_(std::move(source)) {
  columns_.resize(inputs_.size());
  Table table;
  table.names = names;
  table.values = Matrix(0, names.size());
  const std::vector<std::string> needed = columns_of_table(inputs_, columns_);
  (void)select_columns(table, needed, source_);
  const NameIndex places(names);
  state_.resize(inputs_.size());
  known_.resize(inputs_.size());
  missing_codes_.assign(inputs_.size(), unknown_code);
  tells_missing_.assign(inputs_.size(), false);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const InputColumn& column = columns_[k];
    state_[k].place = *places.find(column_name(k));
    for (std::size_t code = 0; code < column.levels.size(); ++code) {
      known_[k].try_emplace(column.levels[code], static_cast<double>(code));
    }
    const auto last = static_cast<double>(column.levels.size()) - 1.0;
    for (const std::string& level : column.pooled) known_[k].try_emplace(level, last);
    if (const auto level = known_[k].find(missing_level); level != known_[k].end()) missing_codes_[k] = level->second;
  }
  std::vector<bool> has_input_for_missing(names.size(), false);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (columns_[k].part == InputColumn::Part::missing) has_input_for_missing[state_[k].place] = true;
  }
  for (std::size_t k = 0; k < inputs_.size(); ++k) tells_missing_[k] = has_input_for_missing[state_[k].place];
}

const std::string& InputEncoder::column_name(std::size_t k) const {
  return columns_[k].column.empty() ? inputs_[k] : columns_[k].column;
}

void InputEncoder::check_kind(std::size_t k, const InputColumn& kind) const {
  const InputColumn& own = columns_[k];
  const bool needs_date = own.kind == ColumnKind::date || own.part == InputColumn::Part::day_of_week ||
                          own.part == InputColumn::Part::day_of_year;
  const ColumnKind wanted = needs_date ? ColumnKind::date : own.kind;
  if (own.part == InputColumn::Part::missing || kind.kind == wanted) return;
  if (wanted == ColumnKind::category && kind.kind == ColumnKind::number) return;
  throw DataError(fmt::format(
      "{}: column \"{}\" has {}, but the model needs {}.\nGive the column in the format of the training rows.", source_,
      column_name(k), name_of(kind.kind), name_of(wanted)));
}

double InputEncoder::code_of(std::size_t k, const std::string& level) const {
  const auto found = known_[k].find(level);
  return found == known_[k].end() ? unknown_code : found->second;
}

// Numbers in the place of text are levels by how they are written.
void InputEncoder::encode_levels(std::size_t k, std::span<const double> from, const InputColumn& kind,
                                 std::span<double> to) {
  constexpr std::size_t most_told = 3;
  Input& state = state_[k];
  while (state.codes.size() < kind.levels.size()) state.codes.push_back(code_of(k, kind.levels[state.codes.size()]));
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (is_missing(from[i])) {
      to[i] = missing_codes_[k];
      if (is_missing(to[i])) ++state.rows_missing;
      continue;
    }
    const bool named = kind.is_category();
    to[i] = named ? state.codes[static_cast<std::size_t>(from[i])] : code_of(k, fmt::format("{}", from[i] + 0.0));
    if (!is_missing(to[i])) continue;
    ++state.rows_unknown;
    const std::string level = named ? kind.levels[static_cast<std::size_t>(from[i])] : fmt::format("{}", from[i]);
    if (state.unknown.size() < most_told && !find_name(state.unknown, level)) state.unknown.push_back(level);
  }
}

Matrix InputEncoder::encode(MatrixView values, const std::vector<InputColumn>& kinds) {
  Matrix X = Matrix::uninitialized(values.rows, inputs_.size());
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const InputColumn kind = kinds.empty() ? InputColumn() : kinds[state_[k].place];
    const auto from = values.col(state_[k].place);
    const auto to = X.col(k);
    // A column without a cell is of no kind.
    if (!std::ranges::all_of(from, is_missing)) check_kind(k, kind);
    switch (columns_[k].part) {
      case InputColumn::Part::missing:
        std::ranges::transform(from, to.begin(), [](double value) { return is_missing(value) ? 1.0 : 0.0; });
        break;
      case InputColumn::Part::day_of_week:
        std::ranges::transform(from, to.begin(), [](double day) { return is_missing(day) ? day : day_of_week(day); });
        break;
      case InputColumn::Part::day_of_year:
        std::ranges::transform(from, to.begin(), [](double day) { return is_missing(day) ? day : day_of_year(day); });
        break;
      case InputColumn::Part::value:
        if (columns_[k].is_category()) {
          encode_levels(k, from, kind, to);
        } else {
          std::ranges::copy(from, to.begin());
          if (!tells_missing_[k]) {
            state_[k].rows_missing += static_cast<std::size_t>(std::ranges::count_if(from, is_missing));
          }
        }
    }
  }
  return X;
}

std::vector<std::string> InputEncoder::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& state = state_[k];
    const auto rows = [](std::size_t count) { return fmt::format("{} row{}", count, count == 1 ? "" : "s"); };
    if (state.rows_unknown > 0) {
      std::vector<std::string> quoted;
      for (const std::string& level : state.unknown) quoted.push_back(fmt::format("\"{}\"", level));
      warnings.push_back(
          fmt::format("{}: {} of \"{}\" {} a level that the training rows did not contain ({}); {} the mean effect.",
                      source_, rows(state.rows_unknown), column_name(k), state.rows_unknown == 1 ? "has" : "have",
                      list_names(quoted), state.rows_unknown == 1 ? "it gets" : "they get"));
    }
    if (state.rows_missing > 0) {
      warnings.push_back(
          fmt::format("{}: {} lack{} \"{}\", which was missing in few training rows or none; {} the mean effect.",
                      source_, rows(state.rows_missing), state.rows_missing == 1 ? "s" : "", column_name(k),
                      state.rows_missing == 1 ? "it gets" : "they get"));
    }
  }
  return warnings;
}

Dataset encode(Dataset data, const std::vector<std::string>& inputs, const std::vector<InputColumn>& columns) {
  InputEncoder encoder(inputs, columns, data.inputs, data.source.empty() ? "the data" : data.source);
  data.X = encoder.encode(data.X, data.columns);
  data.inputs = inputs;
  data.columns = columns;
  data.encoded = true;
  return data;
}

Dataset encode_inputs(Dataset data) {
  if (!needs_encoding(data)) return data;
  InputPlan plan = plan_inputs(data);
  data = encode(std::move(data), plan.inputs, plan.columns);
  data.warnings.insert(data.warnings.end(), plan.warnings.begin(), plan.warnings.end());
  return data;
}

std::vector<std::string> columns_of_table(const std::vector<std::string>& inputs,
                                          const std::vector<InputColumn>& columns) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::string& name = columns.empty() || columns[k].column.empty() ? inputs[k] : columns[k].column;
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

void ask_for(const std::vector<std::string>& inputs, const std::vector<InputColumn>& columns, CsvOptions& options) {
  options.kinds = true;
  std::set<std::string> read;  // Columns of which more matters than whether a cell is missing.
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].part == InputColumn::Part::missing) continue;
    read.insert(columns[k].column.empty() ? inputs[k] : columns[k].column);
    if (columns[k].part == InputColumn::Part::value && columns[k].is_category()) {
      options.categorical.push_back(inputs[k]);
    }
  }
  for (const InputColumn& column : columns) {
    if (column.part == InputColumn::Part::missing && !read.contains(column.column)) {
      options.presence.push_back(column.column);
    }
  }
}

}  // namespace shrimp
