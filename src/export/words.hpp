// Words and numbers of other languages. Names come from tables that anyone may have written: here they are made such
// that they stay where they stand.
#pragma once

#include <string>
#include <string_view>

namespace shrimp {

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Between double quotes, escaped as in JSON, C and Python: in one line, with neither a quote nor a comment's end in it
/// that would be read as one. Characters that change the direction of text or end lines become \uXXXX, bytes that are
/// no UTF-8 \ufffd.
[[nodiscard]] std::string quoted_name(std::string_view name);

/// The same for a comment of C: no slash stands beside a star or behind a question mark.
[[nodiscard]] std::string name_in_comment(std::string_view name);

/// Between double quotes, those within doubled. Throws OptionError for a name that SQL cannot have: none at all, or
/// with the character of code 0.
[[nodiscard]] std::string sql_name(std::string_view name);

/// A text as a literal that is this text, byte by byte. Both throw OptionError where it has the character of code 0,
/// which ends texts in C and in databases.
[[nodiscard]] std::string c_text(std::string_view text);
[[nodiscard]] std::string sql_text(std::string_view text);

/// As a word or between braces, in formulas; as text.
[[nodiscard]] std::string latex_name(std::string_view name);
[[nodiscard]] std::string latex_text(std::string_view text);

/// Throws OptionError unless a function may be called so: a word that is none of C's or Python's own, or of those that
/// exported functions call.
void check_function_name(const std::string& name);

/// The shortest text that is read back as this number, and as no integer: 0.1, 2.0, 1e+20.
[[nodiscard]] std::string exact_number(double value);

/// The same with an exponent, which keeps databases from reading a decimal; negative ones between brackets, for two
/// signs in a row would begin a comment.
[[nodiscard]] std::string sql_number(double value);

}  // namespace shrimp
