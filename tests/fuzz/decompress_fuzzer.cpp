// Any bytes are an archive of at most so much content, no archive and left as they are, or a DataError: the same in
// whatever parts they come.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/decompress.hpp"
#include "shrimp/errors.hpp"

namespace {

constexpr double most = 1 << 20;

// The content in parts, up to so many bytes; nothing where it is refused.
std::optional<std::string> unpack_in_parts(std::string_view bytes, std::size_t size) {
  std::string content;
  try {
    const auto parts = shrimp::unpacked(std::make_unique<shrimp::BytesInMemory>(bytes, size), "fuzz", most);
    std::vector<char> room(size);
    while (const std::size_t count = parts->read(room)) {
      content.append(room.data(), count);
      if (static_cast<double>(content.size()) > most) return std::nullopt;
    }
  } catch (const shrimp::DataError&) {
    return std::nullopt;
  }
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  shrimp::FileContent bytes{shrimp::ByteBuffer(size + 1), size};
  if (size > 0) std::memcpy(bytes.bytes.data(), data, size);
  const std::string archive(bytes.text());
  try {
    const shrimp::FileContent content = shrimp::decompress(std::move(bytes), "fuzz", most);
    if (static_cast<double>(content.size) > most) std::abort();
    if (unpack_in_parts(archive, 1 + size % 7) != std::string(content.text())) std::abort();
  } catch (const shrimp::DataError&) {
    // Content of more than is allowed beside the archive may be allowed by itself.
    const auto content = unpack_in_parts(archive, 1 + size % 7);
    if (content && static_cast<double>(content->size() + size) <= most) std::abort();
  }
  return 0;
}
