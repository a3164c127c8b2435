#include "data/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace shrimp {
namespace {

std::string lower(const std::string& text) {
  std::string result = text;
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// Levenshtein distance: insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::size_t> find_name(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string suggest_names(const std::vector<std::string>& names, const std::string& wanted) {
  constexpr std::size_t most = 3;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(lower(name), lower(wanted));
    if (distance <= std::max<std::size_t>(1, wanted.size() / 3)) near.emplace_back(distance, name);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> quoted;
  for (std::size_t k = 0; k < std::min(near.size(), most); ++k) quoted.push_back(fmt::format("\"{}\"", near[k].second));
  if (!quoted.empty()) return fmt::format("Did you mean {}?", fmt::join(quoted, " or "));
  constexpr std::size_t shown = 12;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), shown)));
  return fmt::format("The columns are {}{}.", fmt::join(first, ", "), names.size() > shown ? ", …" : "");
}

}  // namespace shrimp
