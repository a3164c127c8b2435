#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "data/names.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp {
namespace {

constexpr const char* way_out =
    "Give uniform, normal or empirical for all inputs, or distributions by name: x1=uniform(0,1),x2=normal(3,0.5).";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

[[noreturn]] void refuse(const std::string& what) { throw OptionError(fmt::format("{}\n{}", what, way_out)); }

// At commas outside of quotes and parentheses.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  int depth = 0;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && !quoted && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (quoted) refuse(fmt::format("inputs {}: a quote is not closed.", text));
  return parts;
}

double number(const std::string& text, const std::string& law) {
  char* end = nullptr;
  const std::string own = trimmed(text);
  const double value = std::strtod(own.c_str(), &end);
  if (own.empty() || *end != '\0' || !std::isfinite(value))
    refuse(fmt::format("distribution {}: \"{}\" is not a number.", law, own));
  return value;
}

InputLaw::Kind kind_of(const std::string& name, const std::string& law) {
  if (name == "uniform") return InputLaw::Kind::uniform;
  if (name == "normal") return InputLaw::Kind::normal;
  if (name == "empirical") return InputLaw::Kind::empirical;
  refuse(fmt::format("there is no distribution {}.", law));
}

InputLaw parse_law(const std::string& text) {
  const std::size_t open = text.find('(');
  InputLaw law;
  law.kind = kind_of(trimmed(text.substr(0, open)), text);
  if (open == std::string::npos) return law;
  if (text.back() != ')') refuse(fmt::format("distribution {}: its parenthesis is not closed.", text));
  const std::vector<std::string> numbers = split(std::string_view(text).substr(open + 1, text.size() - open - 2));
  if (law.kind == InputLaw::Kind::empirical) refuse(fmt::format("distribution {}: empirical takes no numbers.", text));
  if (numbers.size() != 2)
    refuse(fmt::format("distribution {} has {}, but it needs two numbers.", text, numbers.size()));
  law.first = number(numbers[0], text);
  law.second = number(numbers[1], text);
  if (law.kind == InputLaw::Kind::uniform && !(*law.first < *law.second)) {
    refuse(fmt::format("distribution {}: the upper limit {} is not above the lower limit {}.", text, *law.second,
                       *law.first));
  }
  if (law.kind == InputLaw::Kind::normal && !(*law.second > 0.0)) {
    refuse(fmt::format("distribution {}: the standard deviation {} is not above 0.", text, *law.second));
  }
  return law;
}

// The text before the last = that is no part of a law: names may have that sign.
std::size_t end_of_name(const std::string& part) {
  const std::size_t quote = part.rfind('"');
  const std::size_t found = part.rfind('=', part.find('(', quote == std::string::npos ? 0 : quote));
  return found != std::string::npos && quote != std::string::npos && found < quote ? std::string::npos : found;
}

std::string unquoted(const std::string& text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  std::string name;
  for (std::size_t k = 1; k + 1 < text.size(); ++k) {
    name += text[k];
    if (text[k] == '"' && text[k + 1] == '"') ++k;
  }
  return name;
}

}  // namespace

std::vector<InputLaw> parse_input_laws(std::string_view text, const Model& model) {
  std::vector<InputLaw> laws(model.inputs.size());
  if (trimmed(text).empty()) return laws;
  std::vector<bool> named(laws.size(), false);
  std::optional<InputLaw> common;
  for (const std::string& part : split(text)) {
    const std::size_t end = end_of_name(part);
    const std::string given = trimmed(std::string_view(part).substr(end == std::string::npos ? 0 : end + 1));
    if (given.empty()) refuse(fmt::format("inputs {}: a distribution is missing.", text));
    const InputLaw law = parse_law(given);
    if (end == std::string::npos) {
      if (common) refuse(fmt::format("inputs {}: two distributions are given for all inputs.", text));
      common = law;
      continue;
    }
    const std::string name = unquoted(trimmed(std::string_view(part).substr(0, end)));
    const auto place = find_name(model.inputs, name);
    if (!place) {
      throw OptionError(fmt::format("the model has no input \"{}\".\n{}", name, suggest_names(model.inputs, name)));
    }
    if (named[*place]) refuse(fmt::format("input \"{}\" has two distributions.", name));
    named[*place] = true;
    laws[*place] = law;
  }
  for (std::size_t j = 0; common && j < laws.size(); ++j) {
    if (!named[j]) laws[j] = *common;
  }
  return laws;
}

}  // namespace shrimp
