// Prints docs/reference/options.md from the table of parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"

namespace {

// A bar would end the table's cell, stars would make text bold, and what follows a less-than sign would be taken for a
// tag.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') {
      result += "\\|";
    } else if (c == '*') {
      result += "\\*";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string methods_of(const shrimp::Parameter& parameter) {
  const auto names = shrimp::methods_that_take(parameter.name);
  return names.empty() ? "all" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int main() {
  fmt::print(
      "# Options of a fit\n\n"
      "Generated from the table of parameters by `make docs`; a test compares them.\n\n"
      "A value comes from the flag `--NAME`, else from the variable `SHRIMP_NAME`, else from `NAME = …` in the file "
      "that\n"
      "`--config` names (TOML), else it is the default. A method refuses what it does nothing with, but for `--order` "
      "and\n"
      "`--features`, which it passes over with a warning.\n");
  std::string_view group;
  for (const shrimp::Parameter& parameter : shrimp::fit_parameters()) {
    if (parameter.group != group) {
      group = parameter.group;
      fmt::print("\n## {}\n\n| option | value | default | what it does | methods |\n|---|---|---|---|---|\n", group);
    }
    fmt::print("| `--{}` | {} | {} | {} | {} |\n", parameter.name,
               escaped(parameter.range.empty() ? "switch" : parameter.range), parameter.fallback,
               escaped(parameter.help), methods_of(parameter));
  }
}
