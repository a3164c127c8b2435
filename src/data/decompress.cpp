#include "data/decompress.hpp"

#define ZLIB_CONST  // zlib promises not to change what it reads only where it is asked to.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>

#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

[[noreturn]] void refuse(const std::string& source, const char* kind, const char* what) {
  throw DataError(fmt::format("{} is a damaged {} archive: {}.\nCompress the table again, or copy the file anew.",
                              source, kind, what));
}

constexpr const char* cut_short = "it is cut short";
constexpr const char* followed = "something else follows its end";

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

// A frame, or one of the frames that readers skip.
bool is_zstd(std::string_view bytes) {
  using namespace std::string_view_literals;
  const bool skippable = bytes.size() >= 4 && (bytes[0] & 0xF0) == 0x50 && bytes.substr(1, 3) == "\x2A\x4D\x18"sv;
  return bytes.starts_with("\x28\xB5\x2F\xFD"sv) || skippable;
}

class Inflater {
 public:
  Inflater() {
    constexpr int gzip_alone = 15 + 16;  // The largest window, and a header that must be there.
    if (inflateInit2(&stream_, gzip_alone) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Takes bytes off the archive and adds what they hold; zlib's status.
  int step(std::string_view& archive, GrowingContent& content) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits.
    const std::span<char> room = content.room();
    const auto in = static_cast<uInt>(std::min(archive.size(), most));
    const auto out = static_cast<uInt>(std::min(room.size(), most));
    stream_.next_in = reinterpret_cast<const Bytef*>(archive.data());
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    archive.remove_prefix(in - stream_.avail_in);
    content.add(out - stream_.avail_out);
    return status;
  }

  void next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
};

void unpack_gzip(std::string_view archive, GrowingContent& content, const std::string& source) {
  Inflater inflater;
  while (true) {
    const int status = inflater.step(archive, content);
    if (status == Z_OK) continue;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_BUF_ERROR) refuse(source, "gzip", cut_short);
    if (status != Z_STREAM_END) refuse(source, "gzip", "its content cannot be read");
    // Zeros fill up the blocks of some media, and every reader passes over them.
    archive.remove_prefix(std::min(archive.find_first_not_of('\0'), archive.size()));
    if (archive.empty()) return;
    if (!is_gzip(archive)) refuse(source, "gzip", followed);
    inflater.next_member();
  }
}

void unpack_zstd(std::string_view archive, GrowingContent& content, const std::string& source) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  // Archives made with --long need more than the default.
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  ZSTD_inBuffer in{archive.data(), archive.size(), 0};
  while (true) {
    const std::span<char> room = content.room();
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    const bool needs_dictionary = ZSTD_getErrorCode(left) == ZSTD_error_dictionary_wrong;
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (needs_dictionary) refuse(source, "zstd", "it was made with a dictionary, which is not in it");
    if (ZSTD_isError(left)) refuse(source, "zstd", "its content cannot be read");
    content.add(out.pos);
    const bool all_read = in.pos == in.size;
    const bool frame_ended = left == 0;
    if (frame_ended && all_read) return;
    if (frame_ended && !is_zstd(archive.substr(in.pos))) refuse(source, "zstd", followed);
    if (!frame_ended && all_read && out.pos < out.size) refuse(source, "zstd", cut_short);
  }
}

}  // namespace

FileContent decompress(FileContent bytes, const std::string& source, double most) {
  const std::string_view archive = bytes.text();
  if (!is_gzip(archive) && !is_zstd(archive)) return bytes;
  GrowingContent content(4 * archive.size(), most - static_cast<double>(archive.size()), source);
  if (is_gzip(archive)) {
    unpack_gzip(archive, content, source);
  } else {
    unpack_zstd(archive, content, source);
  }
  return content.take();
}

}  // namespace shrimp
