#include "data/classes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

std::string name_of_class(double value, std::span<const std::string> levels) {
  return levels.empty() ? fmt::format("{}", value) : levels[static_cast<std::size_t>(value)];
}

// As numbers where all of them are, else by their characters.
void sort_names(std::vector<std::string>& names) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& name : names) {
    char* end = nullptr;
    const double number = std::strtod(name.c_str(), &end);
    if (!name.empty() && *end == '\0') numbers.emplace_back(number, name);
  }
  std::ranges::sort(names);
  if (numbers.size() != names.size()) return;
  std::ranges::sort(numbers);
  std::ranges::transform(numbers, names.begin(), &std::pair<double, std::string>::second);
}

// Names of the different values in ascending order, of text that of its characters; the first few where they are many.
std::vector<std::string> different_classes(const Dataset& data, std::span<const std::string> levels,
                                           std::size_t enough) {
  std::set<double> values;
  for (const double value : data.y) {
    if (values.size() < enough) values.insert(value);
  }
  std::vector<std::string> names;
  for (const double value : values) names.push_back(name_of_class(value, levels));
  if (!levels.empty()) sort_names(names);
  return names;
}

// A cell that is missing has no class.
void check_there(std::span<const double> values, const std::string& place, std::size_t first_row) {
  const auto missing = std::ranges::find_if(values, [](double value) { return std::isnan(value); });
  if (missing == values.end()) return;
  throw DataError(fmt::format("{} row {}: the class is missing.\nDrop the row, or give its class.", place,
                              first_row + static_cast<std::size_t>(missing - values.begin()) + 1));
}

void check_several(const std::vector<std::string>& names, const Dataset& data) {
  if (names.size() >= 2) return;
  throw DataError(
      fmt::format("{}: the target \"{}\" has only the class {}, but two are needed.\nGive rows of two classes.",
                  data.source, data.target, fmt::join(names, "")));
}

}  // namespace

void name_classes(Dataset& data, std::span<const std::string> levels) {
  check_there(data.y, data.source, 0);
  constexpr std::size_t enough = 6;
  std::vector<std::string> names = different_classes(data, levels, enough);
  check_several(names, data);
  if (names.size() > 2) {
    const bool more = names.size() > 5;
    if (more) names.resize(5);
    throw DataError(fmt::format(
        "{}: the target \"{}\" has {} classes, {}{}, but loss logistic needs two.\nUse loss multinomial, or "
        "give a column of 0 and 1 for one class against the rest.",
        data.source, data.target, more ? "more than five" : fmt::format("{}", names.size()), fmt::join(names, ", "),
        more ? ", …" : ""));
  }
  data.y = class_numbers(data.y, levels, names, data.source);
  data.classes = std::move(names);
}

void name_all_classes(Dataset& data, std::span<const std::string> levels) {
  check_there(data.y, data.source, 0);
  std::vector<std::string> names = different_classes(data, levels, data.y.size());
  check_several(names, data);
  data.y = class_numbers(data.y, levels, names, data.source);
  data.classes = std::move(names);
}

std::vector<double> class_numbers(std::span<const double> values, std::span<const std::string> levels,
                                  const std::vector<std::string>& classes, const std::string& place,
                                  std::size_t first_row) {
  check_there(values, place, first_row);
  std::map<double, double> known;
  std::vector<double> numbers;
  for (const double value : values) {
    auto found = known.find(value);
    if (found == known.end()) {
      const std::string name = name_of_class(value, levels);
      const auto which = std::ranges::find(classes, name);
      if (which == classes.end()) {
        throw DataError(fmt::format(
            "{} row {}: \"{}\" is not one of the model's classes, {}.\nDrop the row, or fit a model to "
            "rows of this class, too.",
            place, first_row + numbers.size() + 1, name, fmt::join(classes, classes.size() == 2 ? " and " : ", ")));
      }
      found = known.emplace(value, static_cast<double>(which - classes.begin())).first;
    }
    numbers.push_back(found->second);
  }
  return numbers;
}

}  // namespace shrimp
