// Files of models before their fields are read: what is one, what is something else, and what is damaged.
#pragma once

#include <string>
#include <string_view>

#include "data/file.hpp"
#include "data/json.hpp"

namespace shrimp {

inline constexpr std::string_view real_model_format = "shrimp-model";
inline constexpr std::string_view complex_model_format = "shrimp-complex-model";
inline constexpr std::string_view class_model_format = "shrimp-classes";

/// Whether a text begins like the file of a class model.
[[nodiscard]] bool is_class_model(std::string_view text);

/// All of a file that should hold a model of this format, or of standard input for "-". Throws ModelFileError.
[[nodiscard]] FileContent read_model_file(const std::string& path, std::string_view format);

/// What messages call the file.
[[nodiscard]] std::string model_source(const std::string& path);

/// The object that the text of a model of this format and at most this version is, with the current names of its keys
/// (model/renamed_keys.hpp). Throws ModelFileError, with `source`
/// named, where it is no model, one of another format or a newer version, or damaged.
[[nodiscard]] Json parse_model(std::string_view text, std::string_view format, int newest_version,
                               const std::string& source);

}  // namespace shrimp
