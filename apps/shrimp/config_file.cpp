#include "config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "command_line.hpp"
#include "data/file.hpp"
#include "fit/term_names.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp::cli {
namespace {

std::map<std::string, TomlValue> parse(const std::string& text, const std::string& source) {
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

std::map<std::string, std::string> parse_config(const std::string& text, const std::string& source) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : parse(text, source)) {
    const auto known = std::ranges::find(fit_parameters(), name, &Parameter::name);
    if (known == fit_parameters().end()) {
      throw OptionError(fmt::format(
          "{} sets \"{}\", which is no parameter.\nSee shrimp fit --help-all for their names.", source, name));
    }
    if (value.texts.empty()) {
      throw OptionError(fmt::format("{} sets \"{}\" to nothing.\nGive a value, or leave it out.", source, name));
    }
    texts[name] = text_of(value);
  }
  return texts;
}

std::map<std::string, std::string> read_config(const std::string& path) {
  constexpr double most = 1024.0 * 1024.0;
  return path.empty() ? std::map<std::string, std::string>()
                      : parse_config(std::string(read_file(path, most).text()), path);
}

}  // namespace shrimp::cli
