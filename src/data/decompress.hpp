// Tables in gzip and zstd archives, which are known by their first bytes and not by their names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/byte_source.hpp"
#include "data/file.hpp"

namespace shrimp {

/// What an archive holds: all members of a gzip file, all frames of a zstd file. Bytes of any other kind come as they
/// are. Reading throws DataError, with `source` named, where the archive is damaged or could only be unpacked with more
/// than half of `most` bytes set aside for it.
[[nodiscard]] std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> bytes, const std::string& source,
                                                   double most);

/// The same for bytes in memory. Throws DataError, too, if the archive and its content take more than `most` bytes.
[[nodiscard]] FileContent decompress(FileContent bytes, const std::string& source, double most);

/// Whether they are the first bytes of an archive.
[[nodiscard]] bool is_archive(std::string_view bytes);

}  // namespace shrimp
