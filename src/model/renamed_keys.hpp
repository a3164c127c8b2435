// Names in model files: version 6 of real models and version 2 of complex models renamed some keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/json.hpp"

namespace shrimp {

struct RenamedKey {
  std::string_view before;
  std::string_view now;
};

/// Options of fits that were renamed; the table of parameters (shrimp/parameters.hpp) lists the same names.
[[nodiscard]] std::span<const RenamedKey> renamed_options();

/// Gives the keys of an older model file their current names. Throws ModelFileError, with `source` named, if the file
/// has a key that belongs to another version than its own: readers would overlook it.
void rename_keys(Json& json, std::string_view format, std::uint64_t version, const std::string& source);

}  // namespace shrimp
