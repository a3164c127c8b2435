// Any bytes are either a summary that works or a ModelFileError. A checksum would keep all but the seeds from being
// read further than it: the target sets it right.
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "shrimp/shrimp.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void use(const std::string& bytes) {
  try {
    shrimp::ModelSummary summary = shrimp::summary_from_bytes(bytes, "fuzz");
    const std::string again = shrimp::to_bytes(summary);
    // Older versions are written in the current one.
    constexpr std::size_t magic_and_version = 12;
    const bool is_current = again.compare(0, magic_and_version, bytes, 0, magic_and_version) == 0;
    require(!is_current || again == bytes);
    require(summary.rows() >= summary.folds());
    summary.merge(shrimp::summary_from_bytes(again, "again"));
  } catch (const shrimp::ModelFileError&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  use(bytes);
  if (size < 4) return 0;
  const auto crc = static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), data, size - 4));
  std::memcpy(bytes.data() + size - 4, &crc, sizeof(crc));
  use(bytes);
  return 0;
}
