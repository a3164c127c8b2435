#include "random/philox.hpp"

#include <vector>

#include "support.hpp"

namespace shrimp {
namespace philox_test {

// Known-answer vectors of philox4x32-10 from Random123 (kat_vectors).
TEST(Philox, ReproducesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UnitNumbersLieStrictlyBetweenZeroAndOne) {
  EXPECT_GT(open_unit(0), 0.0);
  EXPECT_LT(open_unit(UINT64_MAX), 1.0);
  EXPECT_EQ(open_unit(std::uint64_t{1} << 63), 0.5 + 0x1p-53);
}

TEST(PhiloxStream, ReadsTheWordsOfConsecutiveBlocks) {
  PhiloxStream stream(0x299f31d0a4093822, Stream::weights, 0x85a308d3243f6a88, 7);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const PhiloxCounter words = philox({0x243f6a88, 0x85a308d3, 7, block}, {0xa4093822, 0x299f31d0});
    EXPECT_EQ(stream.next(), join(words[0], words[1]));
    EXPECT_EQ(stream.next(), join(words[2], words[3]));
  }
}

TEST(PhiloxStream, DiffersByEveryPartOfItsAddress) {
  const std::uint64_t first = PhiloxStream(1, Stream::weights, 2, 3).next();
  EXPECT_NE(first, PhiloxStream(0, Stream::weights, 2, 3).next());
  EXPECT_NE(first, PhiloxStream(1, Stream::phases, 2, 3).next());
  EXPECT_NE(first, PhiloxStream(1, Stream::weights, 0, 3).next());
  EXPECT_NE(first, PhiloxStream(1, Stream::weights, 2, 0).next());
  EXPECT_EQ(first, PhiloxStream(1, Stream::weights, 2, 3).next());
}

TEST(PhiloxStream, BelowOneIsZero) {
  PhiloxStream stream(5, Stream::split, 0);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(stream.below(1), 0U);
}

TEST(PhiloxStream, BelowIsUniform) {
  constexpr std::size_t cells = 7;
  constexpr std::size_t draws = 70000;
  std::vector<double> counts(cells, 0.0);
  PhiloxStream stream(3, Stream::split, 0);
  for (std::size_t k = 0; k < draws; ++k) counts.at(stream.below(cells)) += 1.0;
  double chi_square = 0.0;
  for (const double count : counts) chi_square += std::pow(count - 1e4, 2) / 1e4;
  EXPECT_LT(chi_square, 28.0);  // Six degrees of freedom: exceeded once in 10,000 seeds.
}

// With bound 3·2^62 a remainder without rejection would hit the lowest third twice as often.
TEST(PhiloxStream, BelowHasNoBiasForBoundsThatDoNotDivideTheRange) {
  constexpr std::uint64_t bound = std::uint64_t{3} << 62;
  constexpr int draws = 30000;
  int lowest_third = 0;
  PhiloxStream stream(9, Stream::split, 0);
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t value = stream.below(bound);
    ASSERT_LT(value, bound);
    if (value < bound / 3) ++lowest_third;
  }
  EXPECT_NEAR(lowest_third, draws / 3, 400);  // Five standard deviations.
}

}  // namespace philox_test
}  // namespace shrimp
