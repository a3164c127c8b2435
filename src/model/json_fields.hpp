// Fields of model files: written in a fixed order, read with checks and a place for messages.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/json.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// Appends a list, one line an item.
void append_list(std::string& text, const char* name, const std::vector<Json>& items);

Json scaling_to_json(const Scaling& scaling);

/// Reads fields of one object, with a place for messages.
class Reader {
 public:
  Reader(const Json& json, std::string place, const std::string& source)
      : json_(json), place_(std::move(place)), source_(source) {
    if (!json.is_object()) fail("is not an object");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw ModelFileError(fmt::format("{} is damaged: {} {}.\nFit the model again, or restore the file.", source_,
                                     place_.empty() ? "the top level" : place_, what));
  }

  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }

  [[nodiscard]] const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(fmt::format("lacks \"{}\"", key));
    return *found;
  }

  [[nodiscard]] const Json& array(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) fail(fmt::format("has a \"{}\" that is not a list", key));
    return value;
  }

  [[nodiscard]] std::string text(const char* key) const { return text_of(at(key), key); }
  [[nodiscard]] double number(const char* key) const { return number_of(at(key), key); }
  [[nodiscard]] std::uint64_t count(const char* key) const { return count_of(at(key), key); }

  [[nodiscard]] std::vector<double> numbers(const char* key) const {
    std::vector<double> values;
    for (const Json& item : array(key)) values.push_back(number_of(item, key));
    return values;
  }

  [[nodiscard]] std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> values;
    for (const Json& item : array(key)) values.push_back(text_of(item, key));
    return values;
  }

  /// Ascending indices below `bound`, at least one.
  [[nodiscard]] std::vector<std::uint32_t> indices(const char* key, std::size_t bound) const {
    std::vector<std::uint32_t> values;
    for (const Json& item : array(key)) {
      const std::uint64_t index = count_of(item, key);
      if (index >= bound) fail(fmt::format("has index {} in \"{}\", but there are {} inputs", index, key, bound));
      if (!values.empty() && index <= values.back())
        fail(fmt::format("has indices in \"{}\" that are not in ascending order", key));
      values.push_back(static_cast<std::uint32_t>(index));
    }
    if (values.empty()) fail(fmt::format("has an empty \"{}\"", key));
    return values;
  }

  [[nodiscard]] Reader object(const char* key) const { return {at(key), fmt::format("\"{}\"", key), source_}; }

  /// An item of a list within, under a name of its own.
  [[nodiscard]] Reader item(const Json& json, std::string place) const { return {json, std::move(place), source_}; }

  /// False where it is not there.
  [[nodiscard]] bool flag(const char* key) const {
    if (!has(key)) return false;
    if (!at(key).is_boolean()) fail(fmt::format("has a \"{}\" that is neither true nor false", key));
    return at(key).get<bool>();
  }

  [[nodiscard]] std::string text_of(const Json& value, const std::string& key) const {
    if (!value.is_string()) fail(fmt::format("has a \"{}\" that is not text", key));
    return value.get<std::string>();
  }

  [[nodiscard]] double number_of(const Json& value, const std::string& key) const {
    if (!value.is_number()) fail(fmt::format("has a \"{}\" that is not a number", key));
    const double number = value.get<double>();
    if (!std::isfinite(number)) fail(fmt::format("has a \"{}\" that is not finite", key));
    return number;
  }

  [[nodiscard]] const Json& json() const { return json_; }

 private:
  [[nodiscard]] std::uint64_t count_of(const Json& value, const char* key) const {
    if (!value.is_number_unsigned()) fail(fmt::format("has a \"{}\" that is not a whole number", key));
    return value.get<std::uint64_t>();
  }

  const Json& json_;
  std::string place_;
  const std::string& source_;
};

Scaling read_scaling(const Reader& reader, std::size_t inputs);
std::map<std::string, std::string> read_options(const Reader& reader, const char* name = "options");
std::map<std::string, double> read_results(const Reader& reader);

}  // namespace shrimp
