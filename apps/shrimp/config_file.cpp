#include "config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <ranges>
#include <string_view>

#include "command_line.hpp"
#include "data/file.hpp"
#include "fit/term_names.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp::cli {
namespace {

// Names of parameters stand alone or in a section. A reader of TOML may take time and memory by the square of the depth
// of names, and of the text's length.
void check_depth(std::string_view text, const std::string& source) {
  constexpr std::ptrdiff_t most_points = 2;
  for (const auto line : std::views::split(text, '\n')) {
    const std::string_view words(line.begin(), line.end());
    const bool is_section = words.substr(std::min(words.size(), words.find_first_not_of(" \t"))).starts_with('[');
    const std::size_t equals = words.find('=');
    if (!is_section && equals == std::string_view::npos) continue;  // Of a list.
    if (std::ranges::count(words.substr(0, equals), '.') <= most_points) continue;
    throw OptionError(
        fmt::format("{} has a name with more than {} dotted components.\nGive lines such as: features = 500", source,
                    most_points + 1));
  }
}

std::map<std::string, TomlValue> parse(const std::string& text, const std::string& source) {
  check_depth(text, source);
  try {
    return parse_toml(text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // Its own words speak of strings and places in them.
    throw OptionError(fmt::format("{} cannot be read as TOML.\nGive lines such as: features = 500", source));
  }
}

// What is no list is text as a flag would have it; the elements of a list are names, or numbers, which need no quotes.
std::string text_of(const TomlValue& value) {
  if (!value.is_list) return value.texts.front();
  std::vector<std::vector<std::string>> names;
  for (const std::string& text : value.texts) names.push_back({text});
  return write_terms(names);
}

}  // namespace

NamedValues parse_config(const std::string& text, const std::string& source) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : parse(text, source)) {
    if (find_parameter(name) == nullptr) {
      throw OptionError(fmt::format(
          "{} sets \"{}\", which is not a parameter.\nSee shrimp fit --help-all for the names of parameters.", source,
          name));
    }
    if (value.texts.empty()) {
      throw OptionError(
          fmt::format("{} sets \"{}\" without a value.\nGive a value, or remove the line.", source, name));
    }
    texts[name] = text_of(value);
  }
  try {
    NamedValues resolved = resolve_names(texts);
    for (std::string& warning : resolved.warnings) warning = fmt::format("{}: {}", source, warning);
    return resolved;
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}: {}", source, error.what()));
  }
}

namespace {

std::string text_of_config(const std::string& path) {
  constexpr double most = 256.0 * 1024.0;  // Bytes. Chosen by hand.
  try {
    return std::string(read_file(path, most).text());
  } catch (const DataError&) {
    throw DataError(fmt::format(
        "{} is larger than 256 KiB, the limit of config files.\nGive a file of options, or shorten its lists.",
        path == "-" ? "standard input" : path));
  }
}

}  // namespace

NamedValues read_config(const std::string& path) {
  return path.empty() ? NamedValues() : parse_config(text_of_config(path), path);
}

}  // namespace shrimp::cli
