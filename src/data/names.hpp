// Names of columns: finding one, and the ones a user may have meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shrimp {

std::optional<std::size_t> find_name(const std::vector<std::string>& names, const std::string& name);

/// "a, b, c, …"
std::string list_names(const std::vector<std::string>& names);

/// `Did you mean "a" or "b"?`, or the list of names, which are those of `what`, where none is near.
std::string suggest_names(const std::vector<std::string>& names, const std::string& wanted,
                          std::string_view what = "columns");

}  // namespace shrimp
