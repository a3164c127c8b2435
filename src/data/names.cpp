#include "data/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace shrimp {
namespace {

std::string lower(const std::string& text) {
  std::string result = text;
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::vector<std::size_t>> cost(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost.back().back();
}

}  // namespace

std::optional<std::size_t> find_name(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 12;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), shown));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "),
                     names.size() > shown ? fmt::format(", … ({} in all)", names.size()) : "");
}

std::string suggest_names(const std::vector<std::string>& names, const std::string& wanted, std::string_view what) {
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
  return fmt::format("The {} are {}.", what, list_names(names));
}

}  // namespace shrimp
