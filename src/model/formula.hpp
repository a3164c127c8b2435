// What formulas are written with: names that read as one, and numbers.
#pragma once

#include <string>

#include "shrimp/model.hpp"

namespace shrimp {

/// A name as it stands where it is a word of ASCII letters, digits and underscores and means nothing else in a formula;
/// other names between backquotes, those within doubled.
std::string formula_name(const std::string& name);

/// Input j as it enters the features: by its name, or log(x), log(-x) or rank(x).
std::string formula_input(const Model& model, std::size_t j);

/// [color = red]: 1 where category j has the level of this code, else 0.
std::string level_indicator(const Model& model, std::size_t j, std::size_t code);

/// What a formula of the target has around the sum: nothing, or "1.02*exp(" and ")", or "max(0, " and ")^2 + 0.1".
struct FormulaFrame {
  std::string before;
  std::string after;
};

FormulaFrame formula_frame(const Scaling& scaling, int digits);

/// Throws OptionError unless they are 1 … 17.
void check_digits(int digits);

/// So many significant digits.
std::string formula_number(double value, int digits);

/// " + 2*" or " - 2*"
std::string signed_factor(double value, const std::string& size_text);

}  // namespace shrimp
