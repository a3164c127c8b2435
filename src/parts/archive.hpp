// Values as bytes, and back, by one list of fields for both ways (parts/fields.hpp). Numbers are as they lie in memory:
// both ends run the same version of the library.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shrimp/errors.hpp"

namespace shrimp {

template <typename T>
concept PlainValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void put(const PlainValue auto& value) { append(&value, sizeof(value)); }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    if constexpr (PlainValue<T>) {
      append(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(value);
    }
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::shared_ptr<const T>& value) {
    put(value != nullptr);
    if (value) put(*value);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) { fields(*this, value); }

  void append(const void* from, std::size_t count) {
    if (count > 0) bytes_.append(static_cast<const char*>(from), count);
  }

  std::string bytes_;
};

/// Throws DataError where the bytes end early.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }

 private:
  void get(PlainValue auto& value) { copy(&value, sizeof(value)); }
  void get(std::string& text) {
    const std::size_t size = count(1);
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <typename T>
  void get(std::vector<T>& values) {
    if constexpr (PlainValue<T>) {
      values.resize(count(sizeof(T)));
      copy(values.data(), values.size() * sizeof(T));
    } else {
      values.resize(count(1));
      for (T& value : values) get(value);
    }
  }
  template <typename T>
  void get(std::optional<T>& value) {
    value.reset();
    if (flag()) get(value.emplace());
  }
  template <typename T>
  void get(std::shared_ptr<const T>& value) {
    value.reset();
    if (!flag()) return;
    auto own = std::make_shared<T>();
    get(*own);
    value = std::move(own);
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { fields(*this, value); }

  bool flag() {
    bool is_there = false;
    get(is_there);
    return is_there;
  }

  // Of values of so many bytes each, or more: none that the bytes have no room for.
  std::size_t count(std::size_t bytes_of_each) {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size() / bytes_of_each) fail();
    return size;
  }

  void copy(void* to, std::size_t size) {
    if (size > bytes_.size()) fail();
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  [[noreturn]] static void fail() { throw DataError("a message of a partition is truncated."); }

  std::string_view bytes_;
};

}  // namespace shrimp
