#include "fit/parameter_text.hpp"

#include <cmath>

#include "shrimp/errors.hpp"

namespace shrimp {

void refuse(std::string_view name, const std::string& text, std::string_view range) {
  throw OptionError(fmt::format("{} \"{}\" is not allowed.\nGive {}.", name, text, range));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool is_not_negative(double value) { return value >= 0.0 && std::isfinite(value); }

bool parse_switch(std::string_view name, const std::string& text) {
  if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "off" || text == "no" || text == "0") return false;
  refuse(name, text, "true or false");
}

}  // namespace shrimp
