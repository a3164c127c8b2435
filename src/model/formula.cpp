#include "model/formula.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/warp.hpp"
#include "features/bases.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(const std::string& name) {
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

// Functions of columns, those of forms, and the elementary symmetric polynomials e1, e2, … of kernels.
bool is_function(const std::string& name) {
  if (name == "exp" || name == "abs" || name == "log" || name == "rank") return true;
  if (name.size() > 1 && name[0] == 'e' && std::ranges::all_of(name.substr(1), is_digit)) return true;
  return std::ranges::any_of(all_functions(),
                             [&](const FunctionRow& phi) { return phi.formula.starts_with(name + "("); });
}

}  // namespace

std::string formula_name(const std::string& name) {
  if (is_word(name) && !is_function(name)) return name;
  std::string quoted = "`";
  for (const char c : name) quoted += c == '`' ? std::string("``") : std::string(1, c);
  return quoted + "`";
}

std::string formula_input(const Model& model, std::size_t j) {
  const Warp& warp = warp_of(model.scaling, j);
  const std::string name = formula_name(model.inputs[j]);
  if (warp.kind == Warp::Kind::none) return name;
  return fmt::format("{}({}{})", name_of(warp.kind), warp.negative ? "-" : "", name);
}

std::string level_indicator(const Model& model, std::size_t j, std::size_t code) {
  return fmt::format("[{} = {}]", formula_name(model.inputs[j]), formula_name(model.columns[j].levels[code]));
}

FormulaFrame formula_frame(const Scaling& scaling, int digits) {
  const std::string correction = formula_number(scaling.target_correction, digits);
  switch (scaling.target_form) {
    case TargetForm::log:
      return {correction == "1" ? "exp(" : correction + "*exp(", ")"};
    case TargetForm::sqrt:
      return {"max(0, ", correction == "0" ? ")^2" : ")^2 + " + correction};
    case TargetForm::logit:
      return {"1/(1 + exp(-(", ")))"};
    case TargetForm::identity:
      break;
  }
  return {};
}

void check_digits(int digits) {
  if (digits < 1 || digits > 17) throw OptionError(fmt::format("digits {} is not allowed.\nGive 1 to 17.", digits));
}

std::string formula_number(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string signed_factor(double value, const std::string& size_text) {
  return fmt::format(" {} {}*", value < 0.0 ? '-' : '+', size_text);
}

}  // namespace shrimp
