#include "report/text.hpp"

#include "support.hpp"

namespace shrimp::report {
namespace text_test {

using test::message_of;

TEST(Text, IsAsWideAsItsLettersInDejaVuSans) {
  // Units of the font's table hmtx, 2048 of them the size: H 1540, a 1255, m 1995, ! 821.
  EXPECT_NEAR(text_width("Ham!", 2048.0), 1540.0 + 1255.0 + 1995.0 + 821.0, 4 * 1.1);
  EXPECT_NEAR(text_width("10⁻⁵", 2048.0), 1303.0 + 1303.0 + 1082.0 + 821.0, 4 * 1.1);
}

TEST(Text, IsWiderTheMoreThereIsOfItAndTheLargerItIs) {
  EXPECT_EQ(text_width("", 10.0), 0.0);
  std::string text;
  for (char letter = ' '; letter <= '~'; ++letter) {
    const double before = text_width(text, 10.0);
    text += letter;
    EXPECT_GT(text_width(text, 10.0), before + 2.0) << letter;
    EXPECT_LE(text_width(text, 10.0), before + 10.0) << letter;
  }
  EXPECT_LT(text_width("iii", 10.0), text_width("mmm", 10.0));
  EXPECT_NEAR(text_width(text, 25.0), 2.5 * text_width(text, 10.0), 1e-9);
}

TEST(Text, CountsCharactersAndNotBytes) {
  for (const char* letter : {"ä", "É", "σ", "Ω", "ж", "ſ", "語", "∑", "…", "🦐"}) {
    EXPECT_GT(text_width(letter, 10.0), 5.0) << letter;
    EXPECT_LE(text_width(letter, 10.0), 10.0) << letter;
  }
  EXPECT_EQ(text_width("a\u0308", 10.0), text_width("a", 10.0));  // An accent of its own stands over the letter.
}

TEST(Text, BecomesSmallerToFitButNotTooSmall) {
  const std::string text = "a title";
  const double width = text_width(text, 11.0);
  EXPECT_EQ(fitting_size(text, 11.0, 6.5, width), 11.0);
  EXPECT_NEAR(text_width(text, fitting_size(text, 11.0, 6.5, 0.8 * width)), 0.8 * width, 1e-9);
  EXPECT_EQ(fitting_size(text, 11.0, 6.5, 0.1 * width), 6.5);
}

TEST(Text, IsCutBetweenCharactersAndEndsInAnEllipsis) {
  const std::string text = "äöü äöü äöü";
  EXPECT_EQ(shortened(text, 10.0, text_width(text, 10.0)), text);
  EXPECT_EQ(shortened(text, 10.0, text_width("äöü…", 10.0) + 0.1), "äöü…");
  EXPECT_EQ(shortened(text, 10.0, 0.0), "…");
  for (double width = 10.0; width < 80.0; width += 1.0) {
    EXPECT_LE(text_width(shortened(text, 10.0, width), 10.0), width * (1.0 + 1e-9));
  }
}

TEST(Text, LeavesNothingThatMarkupWouldTakeForItsOwn) {
  EXPECT_EQ(escaped(R"(<b> & "c" ]]> 'd' äσ²語)"), "&lt;b&gt; &amp; &quot;c&quot; ]]&gt; 'd' äσ²語");
  EXPECT_EQ(escaped("&amp;"), "&amp;amp;");
  EXPECT_EQ(escaped(std::string("a\0b\x1B\tc\n", 7)), "a\uFFFDb\uFFFD\tc\n");
  EXPECT_EQ(escaped("\uFFFE\uFFFF\uFFFD"), "\uFFFD\uFFFD\uFFFD");  // The first two are no characters of XML.
}

TEST(Text, IsRefusedWhereItIsNotUtf8) {
  // A byte of no character, one cut short, a second spelling of '/', half of a pair of UTF-16, beyond Unicode.
  for (const char* bytes : {"\xFF", "a\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    test::expect_parts(message_of<DataError>([&] { (void)escaped(bytes); }), {"UTF-8"});
    test::expect_parts(message_of<DataError>([&] { (void)text_width(bytes, 10.0); }), {"UTF-8"});
    test::expect_parts(message_of<DataError>([&] { (void)shortened(bytes, 10.0, 1.0); }), {"UTF-8"});
  }
}

}  // namespace text_test
}  // namespace shrimp::report
