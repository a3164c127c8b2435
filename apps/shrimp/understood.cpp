#include "understood.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "data/dates.hpp"
#include "data/encode.hpp"
#include "data/name_index.hpp"
#include "data/names.hpp"
#include "data/present.hpp"

namespace shrimp::cli {
namespace {

enum class Sort { number, category, date, constant, left_out };

struct Understood {
  Sort sort = Sort::number;
  std::string detail;
};

std::string missing_text(std::span<const double> cells) {
  const auto count = std::ranges::count_if(cells, is_missing);
  return count == 0 ? "" : fmt::format("; {} missing", count);
}

// The largest first.
std::string levels_text(std::span<const double> cells, const std::vector<std::string>& levels) {
  constexpr std::size_t most_told = 3;
  std::vector<std::size_t> rows(levels.size(), 0);
  for (const double code : cells) {
    if (!is_missing(code)) ++rows[static_cast<std::size_t>(code)];
  }
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t level) { return rows[level]; });
  std::vector<std::string> told;
  for (const std::size_t level : order) {
    if (told.size() < most_told) told.push_back(fmt::format("{} ({})", levels[level], rows[level]));
  }
  return fmt::format("{} level{}: {}{}", levels.size(), levels.size() == 1 ? "" : "s", fmt::join(told, ", "),
                     levels.size() > most_told ? ", …" : "");
}

Understood understand(const Dataset& train, std::size_t j, const NameIndex& kept) {
  const InputColumn column = train.columns.empty() ? InputColumn() : train.columns[j];
  const auto cells = train.X.col(j);
  const auto [lowest, highest] = range_of_present(cells);
  const bool is_read = train.X.rows() > 0;
  if (is_read && !kept.has(train.inputs[j])) {
    if (present(cells).empty()) return {Sort::left_out, "all cells are missing"};
    const bool is_flag = kept.has(fmt::format("missing({})", train.inputs[j]));
    return {Sort::left_out, levels_text(cells, column.levels) + missing_text(cells) +
                                (is_flag ? "; an indicator of missing cells is an input" : "")};
  }
  if (column.is_category()) {
    if (!is_read) return {Sort::category, ""};
    if (lowest == highest && !any_missing(cells)) return {Sort::constant, column.levels.front()};
    return {Sort::category, levels_text(cells, column.levels) + missing_text(cells)};
  }
  const bool is_date = column.kind == ColumnKind::date;
  const auto text = [&](double value) { return is_date ? date_text(value) : fmt::format("{:.6g}", value); };
  if (is_read && lowest == highest && !any_missing(cells)) return {Sort::constant, text(lowest)};
  return {is_date ? Sort::date : Sort::number,
          is_read ? fmt::format("{} to {}{}", text(lowest), text(highest), missing_text(cells)) : ""};
}

std::vector<Understood> understand_all(const Dataset& train) {
  const std::vector<std::string> kept =
      train.X.rows() > 0 && needs_encoding(train) ? plan_inputs(train).inputs : train.inputs;
  std::vector<Understood> columns;
  const NameIndex names(kept);
  for (std::size_t j = 0; j < train.inputs.size(); ++j) columns.push_back(understand(train, j, names));
  return columns;
}

std::string name_of(Sort sort) {
  constexpr const char* names[] = {"number", "category", "date", "constant", "dropped"};
  return names[static_cast<std::size_t>(sort)];
}

}  // namespace

std::string understood_lines(const Dataset& train) {
  const std::vector<Understood> columns = understand_all(train);
  std::vector<std::vector<std::string>> by_sort(5);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::string text = train.inputs[j];
    if (columns[j].sort == Sort::category && !columns[j].detail.empty()) {
      const std::size_t levels = train.columns[j].levels.size();
      text += fmt::format(" ({} level{})", levels, levels == 1 ? "" : "s");
    }
    by_sort[static_cast<std::size_t>(columns[j].sort)].push_back(std::move(text));
  }
  std::string text;
  constexpr const char* plurals[] = {"numbers", "categories", "dates", "constant", "dropped"};
  for (std::size_t sort = 0; sort < by_sort.size(); ++sort) {
    if (by_sort[sort].empty()) continue;
    text += fmt::format("shrimp: {}: {}\n", plurals[sort],
                        sort == 0 ? fmt::format("{}", by_sort[0].size()) : list_names(by_sort[sort]));
  }
  return text;
}

std::string understood_table(const Dataset& train, const std::vector<std::string>& ignored) {
  const std::vector<Understood> columns = understand_all(train);
  std::size_t width = std::max<std::size_t>(6, train.target.size());
  for (const std::string& name : train.inputs) width = std::max(width, name.size());
  for (const std::string& name : ignored) width = std::max(width, name.size());
  std::string text = fmt::format("{:<{}}  {:<13}  {}\n", "column", width, "type", "values");
  const auto add = [&](const std::string& name, const std::string& sort, const std::string& detail) {
    text += detail.empty() ? fmt::format("{:<{}}  {}\n", name, width, sort)
                           : fmt::format("{:<{}}  {:<13}  {}\n", name, width, sort, detail);
  };
  for (std::size_t j = 0; j < columns.size(); ++j) {
    add(train.inputs[j], name_of(columns[j].sort), columns[j].detail);
  }
  const auto [lowest, highest] = range_of_present(train.y);
  add(train.target, "target", fmt::format("{:.6g} to {:.6g}", lowest, highest));
  for (const std::string& name : ignored) add(name, "ignored", "");
  return text;
}

}  // namespace shrimp::cli
