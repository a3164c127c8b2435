#include "help_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace shrimp::cli {
namespace {

constexpr std::size_t widest_names = 22;

// Where texts start: after the longest names of the page that are not too wide.
std::size_t text_column(const HelpPage& page) {
  std::size_t widest = 0;
  for (const HelpGroup& group : page.groups) {
    for (const HelpEntry& entry : group.entries) {
      if (entry.names.size() <= widest_names) widest = std::max(widest, entry.names.size());
    }
  }
  return widest + 4;
}

}  // namespace

std::string lay_out(const HelpPage& page) {
  const std::size_t column = text_column(page);
  std::string text = wrap(page.summary, 0, 0) + "\n\nUsage: " + wrap(page.usage, 9, 7) + "\n";
  for (const HelpGroup& group : page.groups) {
    text += fmt::format("\n{}:\n", group.title);
    for (const HelpEntry& entry : group.entries) {
      const bool fits = entry.names.size() + 4 <= column;
      text += fmt::format("  {:<{}}", entry.names, fits ? column - 2 : 0);
      if (!fits) text += "\n" + std::string(column, ' ');
      text += wrap(entry.text + (entry.text.ends_with('.') ? "" : "."), column, column) + "\n";
    }
  }
  if (!page.ending.empty()) text += "\n" + wrap(page.ending, 0, 0) + "\n";
  return text;
}

}  // namespace shrimp::cli
