// Prints docs/reference/options.md from the table of parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <string>

#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"

namespace {

// In Markdown a bar ends a table's cell, stars make text bold, and a less-than sign starts a tag.
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

// Help names pages by their file in the repository.
std::string with_links(const std::string& text) {
  static const std::regex page("docs/([a-z-]+)/([a-z-]+)[.]md");
  return std::regex_replace(text, page, "[$2](../$1/$2.md)");
}

std::string methods_of(const shrimp::Parameter& parameter) {
  const auto names = shrimp::methods_that_take(parameter.name);
  return names.empty() ? "all" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int main() {
  fmt::print(
      "# Options of a fit\n\n"
      "This page lists the options that `fit`, `path` and `compare` share, and the methods that use each. `make docs`\n"
      "generates it.\n\n"
      "The flag `--NAME` takes precedence over the variable `SHRIMP_NAME`, which takes precedence over `NAME = …` in "
      "the\n"
      "TOML file that `--config` names. An option that the method does not use is an error. Only `--order` and "
      "`--features`\n"
      "give a warning instead.\n");
  std::string_view group;
  for (const shrimp::Parameter& parameter : shrimp::fit_parameters()) {
    if (parameter.group != group) {
      group = parameter.group;
      fmt::print("\n## {}\n\n| option | value | default | description | methods |\n|---|---|---|---|---|\n", group);
    }
    fmt::print("| `--{}` | {} | {} | {} | {} |\n", parameter.name,
               escaped(parameter.range.empty() ? "switch" : parameter.range), parameter.fallback,
               with_links(escaped(parameter.help)), methods_of(parameter));
  }
}
