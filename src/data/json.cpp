#include "data/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace shrimp {
namespace {

// Builds values as the parser meets them. Keys are put behind each other: to look for each among those before it, as
// the library's own builder does, takes the square of their number.
class Builder {
 public:
  explicit Builder(std::size_t text) : room_((std::size_t{1} << 20) + most_json_bytes_a_byte * text) {}

  Json take() && { return std::move(root_); }

  // What follows are the names that the parser calls.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool binary(Json::binary_t&) { return false; }

  bool string(std::string& value) {
    use(bytes_of(value));
    return put(std::move(value));
  }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }

  bool key(std::string& name) {
    auto& object = open_.back().value.get_ref<Json::object_t&>();
    if (object.size() == most_json_keys) {
      throw JsonError(fmt::format("an object in it has more than {} keys", most_json_keys), std::nullopt);
    }
    use(sizeof(std::string) + bytes_of(name));
    open_.back().key = std::move(name);
    return true;
  }

  bool end_object() {
    refuse_repeated_keys(open_.back().value.get_ref<const Json::object_t&>());
    return close();
  }
  bool end_array() { return close(); }

  [[noreturn]] static bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    constexpr int number_too_large = 406;
    if (error.id == number_too_large) throw JsonError("a number in it is too large", std::nullopt);
    throw JsonError(error.what(), byte);
  }

 private:
  struct Open {
    Json value;
    std::string key;  // Of the value that comes next.
  };

  static std::size_t bytes_of(const std::string& text) { return text.capacity() < sizeof(text) ? 0 : text.capacity(); }

  void use(std::size_t bytes) {
    if (bytes > room_) throw JsonError("its values would take far more memory than its text", std::nullopt);
    room_ -= bytes;
  }

  bool put(Json value) {
    use(sizeof(Json));
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.get_ref<Json::array_t&>().push_back(std::move(value));
    } else {
      open_.back().value.get_ref<Json::object_t&>().emplace_back(std::move(open_.back().key), std::move(value));
    }
    return true;
  }

  bool open(Json value) {
    constexpr std::size_t header = 32;  // Of a list or object, beside what is in it.
    if (open_.size() == deepest_json) {
      throw JsonError(fmt::format("its lists and objects are nested more than {} deep", deepest_json), std::nullopt);
    }
    use(header);
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }

  static void refuse_repeated_keys(const Json::object_t& object) {
    std::vector<std::string_view> keys;
    for (const auto& [key, value] : object) keys.push_back(key);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys);
    if (twice != keys.end()) throw JsonError(fmt::format("an object in it has \"{}\" twice", *twice), std::nullopt);
  }

  std::size_t room_;  // Bytes that may still be taken.
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

Json parse_json(std::string_view text) {
  Builder builder(text.size());
  Json::sax_parse(text, &builder);
  return std::move(builder).take();
}

Json parse_json_or_discard(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace shrimp
