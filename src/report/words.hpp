// Numbers and names as people read them on a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// Four digits and a minus sign: 0.1234, −12.3, 1.2e−08; "unknown" where it is not finite.
[[nodiscard]] std::string number_text(double value);
/// 45.2 %; below a tenth of a percent "< 0.1 %".
[[nodiscard]] std::string percent_text(double share);
/// "1 row", "12 rows"
[[nodiscard]] std::string count_text(std::size_t number, const char* noun);

/// Numbers of one axis, all with the decimals that tell a thousandth of their range. As JavaScript reads them.
[[nodiscard]] std::vector<std::string> plain_numbers(std::span<const double> values);

/// Hyphens become minus signs.
[[nodiscard]] std::string with_minus_sign(std::string text);
[[nodiscard]] std::vector<std::string> with_minus_signs(std::vector<std::string> numbers);

/// What the terms add up to: y, log(y), sqrt(y), or the log odds of a class.
[[nodiscard]] std::string fitted_target(const Model& model);

/// What came out of the fit under this name; NaN where the model does not tell.
[[nodiscard]] double result_of(const Model& model, const std::string& name);

/// The second class of a model of two, "up", or "fails=1" where the name by itself is a number.
[[nodiscard]] std::string class_text(const Model& model, std::size_t which = 1);

/// Number of rows of the fit before equal rows were merged; NaN where the file does not have it.
[[nodiscard]] double fitted_rows(const Model& model);

/// The part of the variance over the training rows that is covariance between terms, where it is worth a word: more
/// than a twentieth, and the inputs depend on each other by more than a sample of independent inputs shows (at the
/// level .01, where the model tells). Else 0.
[[nodiscard]] double notable_covariance(const Model& model);

}  // namespace shrimp::report
