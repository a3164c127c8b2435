#include "data/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

template std::string nlohmann::ordered_json::dump(int, char, bool, error_handler_t) const;

namespace shrimp {
namespace {

/// How many values each list and object of a text has, in the order in which they begin.
///
/// Found before anything is built, so that a text that would take too much memory takes none, and so that lists do not
/// grow: while one does, it is there three times. Of text that is no JSON it is right up to where the parser will stop.
class Measured {
 public:
  explicit Measured(std::string_view text) {
    for (std::size_t k = 0; k < text.size(); ++k) {
      const char c = text[k];
      if (c == '"') {
        k = end_of_string(text, k);
      } else if (c == '[' || c == '{') {
        begin(c == '{');
      } else if (c == ']' || c == '}') {
        if (!open_.empty()) open_.pop_back();
      } else if (c == ',') {
        another_value();
      } else if (c == ':') {
        after_colon_ = true;
      } else if (static_cast<unsigned char>(c) > ' ') {
        first_value();
      }
    }
    const std::size_t allowed = (std::size_t{1} << 20) + most_json_bytes_a_byte * text.size();
    if (bytes_ > allowed) throw JsonError("its values would need far more memory than its text", std::nullopt);
  }

  std::size_t next_size() { return next_ < sizes_.size() ? sizes_[next_++] : 0; }

 private:
  struct Open {
    std::size_t place;  // In sizes_.
    bool is_object;
  };

  // A key lies beside its value, in an object; a value lies by itself, and so does what is long of either.
  std::size_t end_of_string(std::string_view text, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    first_value();
    constexpr std::size_t held_within = 15;
    const std::size_t length = std::min(end, text.size()) - begin - 1;
    const bool is_key = !open_.empty() && open_.back().is_object && !after_colon_;
    if (!is_key) bytes_ += sizeof(std::string);
    if (length > held_within) bytes_ += length;
    return end;
  }

  void begin(bool is_object) {
    constexpr std::size_t header = 32;
    if (open_.size() == deepest_json) {
      throw JsonError(fmt::format("its lists and objects are nested more than {} deep", deepest_json), std::nullopt);
    }
    first_value();
    after_colon_ = false;
    open_.push_back({sizes_.size(), is_object});
    sizes_.push_back(0);
    bytes_ += header;
  }

  void first_value() {
    if (!open_.empty() && sizes_[open_.back().place] == 0) count();
  }
  void another_value() {
    after_colon_ = false;
    if (!open_.empty()) count();
  }
  // Twice the value: to destroy a list, the library moves all of it to another one.
  void count() {
    ++sizes_[open_.back().place];
    bytes_ += 2 * sizeof(Json) + (open_.back().is_object ? sizeof(std::string) : 0);
  }

  std::vector<std::uint32_t> sizes_;
  std::vector<Open> open_;
  bool after_colon_ = false;
  std::size_t bytes_ = 0;
  std::size_t next_ = 0;
};

// Builds values as the parser meets them. Keys are put behind each other: to look for each among those before it, as
// the library's own builder does, takes the square of their number.
class Builder {
 public:
  explicit Builder(std::string_view text) : measured_(text) {}

  Json take() && { return std::move(root_); }

  // What follows are the names that the parser calls.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(std::size_t) {
    const std::size_t size = measured_.next_size();
    if (size > most_json_keys) {
      throw JsonError(fmt::format("an object in it has more than {} keys", most_json_keys), std::nullopt);
    }
    open_.push_back({Json::object(), {}});
    open_.back().value.get_ref<Json::object_t&>().reserve(size);
    return true;
  }

  bool start_array(std::size_t) {
    open_.push_back({Json::array(), {}});
    open_.back().value.get_ref<Json::array_t&>().reserve(measured_.next_size());
    return true;
  }

  bool key(std::string& name) {
    open_.back().key = std::move(name);
    return true;
  }

  bool end_object() {
    refuse_repeated_keys(open_.back().value.get_ref<const Json::object_t&>());
    return end_array();
  }

  bool end_array() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }

  [[noreturn]] static bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    constexpr int number_too_large = 406;
    if (error.id == number_too_large) throw JsonError("it contains a number that is too large", std::nullopt);
    throw JsonError(error.what(), byte);
  }

 private:
  struct Open {
    Json value;
    std::string key;  // Of the value that comes next.
  };

  bool put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.get_ref<Json::array_t&>().push_back(std::move(value));
    } else {
      open_.back().value.get_ref<Json::object_t&>().emplace_back(std::move(open_.back().key), std::move(value));
    }
    return true;
  }

  static void refuse_repeated_keys(const Json::object_t& object) {
    std::vector<std::string_view> keys;
    for (const auto& [key, value] : object) keys.push_back(key);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys);
    if (twice != keys.end())
      throw JsonError(fmt::format("an object in it contains \"{}\" twice", *twice), std::nullopt);
  }

  Measured measured_;
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

Json parse_json(std::string_view text) {
  Builder builder(text);
  Json::sax_parse(text, &builder);
  return std::move(builder).take();
}

Json parse_json_or_discard(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace shrimp
