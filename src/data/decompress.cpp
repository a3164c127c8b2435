#include "data/decompress.hpp"

#define ZLIB_CONST  // zlib promises not to change what it reads only where it is asked to.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "data/memory.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

[[noreturn]] void refuse(const std::string& source, const char* kind, const char* what) {
  throw DataError(fmt::format("{} is a damaged {} archive: {}.\nCompress the table again, or copy the file again.",
                              source, kind, what));
}

constexpr const char* cut_short = "it is truncated";
constexpr const char* followed = "other data follow its end";

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

// A frame, or one of the frames that readers skip.
bool is_zstd(std::string_view bytes) {
  using namespace std::string_view_literals;
  const bool skippable = bytes.size() >= 4 && (bytes[0] & 0xF0) == 0x50 && bytes.substr(1, 3) == "\x2A\x4D\x18"sv;
  return bytes.starts_with("\x28\xB5\x2F\xFD"sv) || skippable;
}

// Bytes of an archive, of which some are looked at before they are taken.
class Ahead {
 public:
  explicit Ahead(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  /// At least so many bytes, or all that are left.
  std::string_view look(std::size_t count) {
    while (!ended_ && end_ - begin_ < count) fill();
    return {buffer_.data() + begin_, end_ - begin_};
  }

  void take(std::size_t count) { begin_ += count; }

  std::size_t read(std::span<char> room) {
    const std::size_t count = std::min(end_ - begin_, room.size());
    if (count == 0) return bytes_->read(room);
    std::copy_n(buffer_.data() + begin_, count, room.data());
    take(count);
    return count;
  }

 private:
  void fill() {
    std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
    end_ -= std::exchange(begin_, 0);
    const std::size_t count = bytes_->read(std::span(buffer_).subspan(end_));
    ended_ = count == 0;
    end_ += count;
  }

  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
};

class NoArchive : public ByteSource {
 public:
  explicit NoArchive(Ahead bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(std::span<char> room) override { return bytes_.read(room); }

 private:
  Ahead bytes_;
};

class GzipArchive : public ByteSource {
 public:
  GzipArchive(Ahead archive, std::string source) : archive_(std::move(archive)), source_(std::move(source)) {
    constexpr int gzip_alone = 15 + 16;  // The largest window, and a header that must be there.
    if (inflateInit2(&stream_, gzip_alone) != Z_OK) throw std::bad_alloc();
  }
  ~GzipArchive() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> room) override {
    std::size_t written = 0;
    while (written == 0) {
      if (between_members_ && !next_member()) return 0;
      const int status = step(room, written);
      between_members_ = status == Z_STREAM_END;
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_BUF_ERROR) refuse(source_, "gzip", cut_short);
      if (status != Z_OK && status != Z_STREAM_END) refuse(source_, "gzip", "its content cannot be read");
    }
    return written;
  }

 private:
  bool next_member() {
    // Zeros fill up the blocks of some media, and every reader passes over them.
    while (archive_.look(1).starts_with('\0')) {
      const std::string_view bytes = archive_.look(1);
      archive_.take(std::min(bytes.find_first_not_of('\0'), bytes.size()));
    }
    if (archive_.look(1).empty()) return false;
    if (!is_gzip(archive_.look(2))) refuse(source_, "gzip", followed);
    inflateReset(&stream_);
    return true;
  }

  int step(std::span<char> room, std::size_t& written) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits.
    const std::string_view in = archive_.look(1);
    const auto out = static_cast<uInt>(std::min(room.size(), most));
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    archive_.take(in.size() - stream_.avail_in);
    written = out - stream_.avail_out;
    return status;
  }

  Ahead archive_;
  std::string source_;
  z_stream stream_ = {};
  bool between_members_ = true;
};

// Bytes behind which a frame of zstd may look for what it repeats, from its first bytes; 0 where it says none: it then
// is as long as its content.
double window_of(std::string_view frame) {
  constexpr unsigned single_segment = 0x20;
  if (frame.size() < 6 || frame.front() != '\x28' || (static_cast<unsigned char>(frame[4]) & single_segment) != 0) {
    return 0.0;
  }
  const auto window = static_cast<unsigned char>(frame[5]);
  return std::ldexp(1.0 + (window & 7U) / 8.0, 10 + (window >> 3U));
}

class ZstdArchive : public ByteSource {
 public:
  /// Windows of up to `most` bytes, which zstd sets aside before it reads further: a few bytes can ask for 2 GiB.
  ZstdArchive(Ahead archive, std::string source, double most)
      : archive_(std::move(archive)),
        source_(std::move(source)),
        most_(most),
        context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    // Archives made with --long need more than the default.
    const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    const double wanted = std::ceil(std::log2(std::max(1.0, most)));
    const double log = std::clamp<double>(wanted, bounds.lowerBound, bounds.upperBound);
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, static_cast<int>(log));
  }

  std::size_t read(std::span<char> room) override {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    while (out.pos == 0) {
      if (between_frames_ && archive_.look(1).empty()) return 0;
      if (between_frames_ && !is_zstd(archive_.look(4))) refuse(source_, "zstd", followed);
      if (between_frames_) begin_frame();
      step(out);
    }
    return out.pos;
  }

 private:
  void begin_frame() {
    constexpr std::size_t longest_header = 18;
    const std::string_view header = archive_.look(longest_header);
    if (window_of(header) > most_) refuse_window();
    content_ = ZSTD_getFrameContentSize(header.data(), header.size());
    written_ = 0;
    begins_ = true;
  }

  // zstd itself holds the content against its length only where it comes all at once.
  void end_frame() const {
    const bool told = content_ != ZSTD_CONTENTSIZE_UNKNOWN && content_ != ZSTD_CONTENTSIZE_ERROR;
    if (told && content_ != written_) refuse(source_, "zstd", "its content cannot be read");
  }

  void step(ZSTD_outBuffer& out) {
    // A frame that comes whole with its start is unpacked by other code, which takes some damaged ones that the code
    // for parts refuses.
    constexpr std::size_t start = 5;
    const std::string_view all = archive_.look(1);
    const std::string_view bytes = std::exchange(begins_, false) ? all.substr(0, start) : all;
    const std::size_t before = out.pos;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    const bool needs_dictionary = ZSTD_getErrorCode(left) == ZSTD_error_dictionary_wrong;
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge) refuse_window();
    if (needs_dictionary) refuse(source_, "zstd", "it was compressed with a dictionary that it does not contain");
    if (ZSTD_isError(left)) refuse(source_, "zstd", "its content cannot be read");
    archive_.take(in.pos);
    written_ += out.pos - before;
    between_frames_ = left == 0;
    if (between_frames_) end_frame();
    if (!between_frames_ && bytes.empty() && out.pos == 0) refuse(source_, "zstd", cut_short);
  }

  [[noreturn]] void refuse_window() const {
    throw DataError(
        fmt::format("{} is a zstd archive that needs more than {} of memory to unpack.\nRaise the memory limit, or "
                    "compress the table again without --long.",
                    source_, format_bytes(most_)));
  }

  Ahead archive_;
  std::string source_;
  double most_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  bool between_frames_ = true;
  bool begins_ = false;                                    // Whether nothing of the frame was read yet.
  unsigned long long content_ = ZSTD_CONTENTSIZE_UNKNOWN;  // Bytes of the frame, as it says.
  unsigned long long written_ = 0;                         // Bytes of the frame so far.
};

}  // namespace

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> bytes, const std::string& source, double most) {
  Ahead archive(std::move(bytes));
  const std::string_view start = archive.look(4);
  if (is_gzip(start)) return std::make_unique<GzipArchive>(std::move(archive), source);
  if (is_zstd(start)) return std::make_unique<ZstdArchive>(std::move(archive), source, most / 2.0);
  return std::make_unique<NoArchive>(std::move(archive));
}

bool is_archive(std::string_view bytes) { return is_gzip(bytes) || is_zstd(bytes); }

FileContent decompress(FileContent bytes, const std::string& source, double most) {
  const std::string_view archive = bytes.text();
  if (!is_archive(archive)) return bytes;
  GrowingContent content(4 * archive.size(), most - static_cast<double>(archive.size()), source);
  const std::unique_ptr<ByteSource> unpacking = unpacked(std::make_unique<BytesInMemory>(archive), source, most);
  while (const std::size_t count = unpacking->read(content.room())) content.add(count);
  return content.take();
}

}  // namespace shrimp
