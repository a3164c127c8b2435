// JSON whose objects keep the order of their keys. The parser and the writer are
// instantiated once, in json.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

extern template std::string nlohmann::ordered_json::dump(int, char, bool, error_handler_t) const;

namespace shrimp {

/// Begin with Json::object() or Json::array(). A null becomes one where something is put into it, and where memory runs
/// out at that moment it is left as one that cannot be destroyed.
using Json = nlohmann::ordered_json;

/// Text that is no JSON, or more than a reader should be asked to take.
class JsonError : public std::runtime_error {
 public:
  JsonError(const std::string& what, std::optional<std::size_t> byte) : std::runtime_error(what), byte_(byte) {}

  /// Where it cannot be read, counted from 1, behind the end where it ends too early; none where that is not the
  /// trouble.
  [[nodiscard]] std::optional<std::size_t> byte() const { return byte_; }

 private:
  std::optional<std::size_t> byte_;
};

/// What a text may ask for: files come from anywhere. Nesting costs stack, keys are searched one after the other, and
/// what takes few bytes as text takes many in memory.
inline constexpr std::size_t deepest_json = 32;
inline constexpr std::size_t most_json_keys = 4096;       ///< Of one object.
inline constexpr std::size_t most_json_bytes_a_byte = 9;  ///< Bytes in memory for one of text, beside the first MiB.

/// Reads in one pass, within these limits. Throws JsonError.
[[nodiscard]] Json parse_json(std::string_view text);

/// A value that is_discarded() where the text is no JSON.
[[nodiscard]] Json parse_json_or_discard(std::string_view text);

}  // namespace shrimp
