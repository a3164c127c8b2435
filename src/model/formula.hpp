// What formulas are written with: names that read as one, and numbers.
#pragma once

#include <string>

namespace shrimp {

/// A name as it stands where it is a word of ASCII letters, digits and underscores and means nothing else in a formula;
/// other names between backquotes, those within doubled.
std::string formula_name(const std::string& name);

/// Throws OptionError unless they are 1 … 17.
void check_digits(int digits);

/// So many significant digits.
std::string formula_number(double value, int digits);

/// " + 2*" or " - 2*"
std::string signed_factor(double value, const std::string& size_text);

}  // namespace shrimp
