// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC'11): a keyed
// bijection of 128-bit counters. Random numbers are a function of their address, not of a history.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shrimp {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) { return (std::uint64_t{high} << 32) | low; }

/// The middle of one of 2^52 equal cells of (0, 1): never 0 or 1.
constexpr double open_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// What a random number is for; streams of different purposes never share counters.
enum class Stream : std::uint32_t {
  weights = 0,
  phases = 1,
  supports = 2,
  split = 3,
  support_id = 4,
  sketch = 5,
  centres = 6,
  signs = 7,
  lattice = 8,
  rows = 15
};

/// A sequence of numbers addressed by (seed, purpose, 64-bit name), read one after another.
class PhiloxStream {
 public:
  PhiloxStream(std::uint64_t seed, Stream purpose, std::uint64_t name, std::uint32_t draw = 0)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32), draw,
                 static_cast<std::uint32_t>(purpose) << 28} {}

  std::uint64_t next() {
    if (used_ == 2) {
      block_ = philox(counter_, key_);
      ++counter_[3];
      used_ = 0;
    }
    const std::uint64_t bits = join(block_[2 * used_], block_[2 * used_ + 1]);
    ++used_;
    return bits;
  }

  double uniform() { return open_unit(next()); }

  /// Uniform on {0, …, bound − 1}, without bias (by rejection).
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    std::uint64_t bits = next();
    while (bits >= limit) bits = next();
    return bits % bound;
  }

 private:
  PhiloxKey key_;
  PhiloxCounter counter_;
  PhiloxCounter block_{};
  std::size_t used_ = 2;
};

}  // namespace shrimp
