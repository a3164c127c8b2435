// Bytes that come one part after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace shrimp {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Puts the next bytes into the room, which has some, and says how many: at least one, and 0 at the end.
  virtual std::size_t read(std::span<char> room) = 0;
};

/// Bytes that are in memory. They must outlive it.
class BytesInMemory : public ByteSource {
 public:
  /// `most`: how many come at once.
  explicit BytesInMemory(std::string_view bytes, std::size_t most = std::string_view::npos)
      : rest_(bytes), most_(most) {}

  std::size_t read(std::span<char> room) override {
    const std::size_t count = std::min({room.size(), rest_.size(), most_});
    if (count > 0) std::memcpy(room.data(), rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t most_;
};

}  // namespace shrimp
