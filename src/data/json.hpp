// JSON whose objects keep the order of their keys. The library's class is instantiated once, in json.cpp: every other
// file would compile it anew.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace shrimp {

using Json = nlohmann::ordered_json;

/// Throws nlohmann::json::parse_error.
[[nodiscard]] Json parse_json(std::string_view text);

/// A value that is_discarded() where the text is no JSON.
[[nodiscard]] Json parse_json_or_discard(std::string_view text);

}  // namespace shrimp
