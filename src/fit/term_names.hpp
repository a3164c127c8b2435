// Names of inputs and of terms as text: `a,"b, c",d*e`. Flags, variables, config files, Python and model files have it
// in common.
//
// A comma ends a name, and in terms a star joins two. Double quotes hold a name together that has such characters, a
// space at its ends or a quote, which is then doubled: "a*b"*c is a term of the inputs `a*b` and c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/supports.hpp"

namespace shrimp {

/// The names of a list. Throws OptionError, which begins with `option`, where a name is empty or a quote is not closed.
[[nodiscard]] std::vector<std::string> parse_names(std::string_view option, const std::string& text);

inline constexpr std::string_view term_range = "inputs or terms separated by commas, as in x1*x3,x2, or none";

/// The terms of a list, each by the names of its inputs; "none" is none. Text without quotes stays one name even where
/// it has a star, as the name of an input may: find_term knows.
[[nodiscard]] std::vector<std::vector<std::string>> parse_terms(std::string_view option, const std::string& text);

/// What parse_terms reads back as the same.
[[nodiscard]] std::string write_terms(const std::vector<std::vector<std::string>>& terms);

/// The inputs of a term. One name that is no input's is taken for names joined by stars. Throws OptionError, which
/// begins with `option`.
[[nodiscard]] Support find_term(std::string_view option, const std::vector<std::string>& term,
                                const std::vector<std::string>& inputs);

}  // namespace shrimp
