// Any bytes are an archive of at most so much content, no archive and left as they are, or a DataError.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "data/decompress.hpp"
#include "shrimp/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr double most = 1 << 20;
  shrimp::FileContent bytes{shrimp::ByteBuffer(size + 1), size};
  if (size > 0) std::memcpy(bytes.bytes.data(), data, size);
  try {
    const shrimp::FileContent content = shrimp::decompress(std::move(bytes), "fuzz", most);
    if (static_cast<double>(content.size) > most) std::abort();
  } catch (const shrimp::DataError&) {
    return 0;
  }
  return 0;
}
