// Tables in gzip and zstd archives, which are known by their first bytes and not by their names.
#pragma once

#include <string>

#include "data/file.hpp"

namespace shrimp {

/// What an archive holds: all members of a gzip file, all frames of a zstd file. Bytes of any other kind come back as
/// they are. Throws DataError, with `source` named, if the archive is damaged or if it and its content take more than
/// `most` bytes.
[[nodiscard]] FileContent decompress(FileContent bytes, const std::string& source, double most);

}  // namespace shrimp
