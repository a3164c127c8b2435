// Values of parameters as text: what flags, variables, config files, Python and model files have in common.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shrimp {

/// Leaves the choice to the method.
inline constexpr std::string_view automatic = "auto";

/// Throws OptionError: `name` may not be `text`; `range` says what it may be.
[[noreturn]] void refuse(std::string_view name, const std::string& text, std::string_view range);

std::vector<std::string> split(const std::string& text, char separator);

bool parse_switch(std::string_view name, const std::string& text);

bool is_not_negative(double value);

/// False where the text is not a number and nothing else.
template <typename Number>
bool parse(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

template <typename Value, std::size_t count>
Value choose(std::string_view name, const std::string& text,
             const std::pair<Value, std::string_view> (&choices)[count]) {
  std::vector<std::string_view> names;
  for (const auto& [value, choice] : choices) {
    if (choice == text) return value;
    names.push_back(choice);
  }
  refuse(name, text, fmt::format("one of {}", fmt::join(names, ", ")));
}

template <typename Value, std::size_t count>
std::string name_of(Value wanted, const std::pair<Value, std::string_view> (&choices)[count]) {
  for (const auto& [value, choice] : choices) {
    if (value == wanted) return std::string(choice);
  }
  return "";
}

// Numbers separated by commas, each of which `legal` allows; "auto" is none.
template <typename Number, typename Legal>
std::vector<Number> parse_candidates(std::string_view name, const std::string& text, std::string_view range,
                                     const Legal& legal) {
  if (text == automatic) return {};
  std::vector<Number> numbers;
  for (const std::string& part : split(text, ',')) {
    Number number = 0;
    if (!parse(part, number) || !legal(number)) refuse(name, text, range);
    numbers.push_back(number);
  }
  return numbers;
}

template <typename Number>
std::string write_candidates(const std::vector<Number>& numbers) {
  return numbers.empty() ? std::string(automatic) : fmt::format("{}", fmt::join(numbers, ","));
}

}  // namespace shrimp
