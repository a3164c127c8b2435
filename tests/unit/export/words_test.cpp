#include "export/words.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "shrimp/errors.hpp"

namespace shrimp {
namespace export_words_test {

TEST(QuotedName, EscapesWhatWouldEndTheStringOrTheLine) {
  EXPECT_EQ(quoted_name("a"), "\"a\"");
  EXPECT_EQ(quoted_name("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
  EXPECT_EQ(quoted_name("Höhe 温"), "\"Höhe 温\"");
  EXPECT_EQ(quoted_name("a\u202eb\u2028"), "\"a\\u202eb\\u2028\"");
  EXPECT_EQ(quoted_name("\xff!"), "\"\\ufffd!\"");
}

TEST(NameInComment, NeverEndsOrBeginsOne) {
  EXPECT_EQ(name_in_comment("*/ x /* ?\?/"), "\"*\\u002f x /\\u002a ?\?\\u002f\"");
  EXPECT_EQ(name_in_comment("m/s*2"), "\"m/s*2\"");
}

TEST(SqlName, DoublesQuotes) {
  EXPECT_EQ(sql_name("x\"; DROP"), "\"x\"\"; DROP\"");
  EXPECT_THROW((void)sql_name(""), OptionError);
  EXPECT_THROW((void)sql_name(std::string("a\0b", 3)), OptionError);
}

TEST(Texts, AreLiteralsOfTheirBytes) {
  EXPECT_EQ(c_text("a\"b\\ ?\n\xc3\xbc"
                   "1"),
            R"("a\042b\134 \077\012\303\2741")");
  EXPECT_EQ(sql_text("it's \"\\"), R"('it''s "\')");
  EXPECT_THROW((void)c_text(std::string("a\0b", 3)), OptionError);
  EXPECT_THROW((void)sql_text(std::string("a\0b", 3)), OptionError);
}

TEST(LatexName, WritesSymbolsWithIndices) {
  EXPECT_EQ(latex_name("x"), "x");
  EXPECT_EQ(latex_name("x12"), "x_{12}");
  EXPECT_EQ(latex_name("r_w"), "r_{w}");
  EXPECT_EQ(latex_name("T_out"), "T_{\\mathrm{out}}");
  EXPECT_EQ(latex_name("bmi"), "\\text{bmi}");
  EXPECT_EQ(latex_name("a_b_c"), "\\text{a\\_b\\_c}");
  EXPECT_EQ(latex_name(""), "\\text{(unnamed)}");
}

TEST(LatexText, EscapesAllThatTexTakesForItsOwn) {
  EXPECT_EQ(latex_text("\\{}$&#%_^~\n"),
            "\\textbackslash{}\\{\\}\\$\\&\\#\\%\\_\\textasciicircum{}\\textasciitilde{} ");
}

TEST(CheckFunctionName, TakesWordsThatAreFree) {
  for (const char* name : {"f", "_f2", "flow_rate"}) EXPECT_NO_THROW(check_function_name(name));
  for (const char* name : {"", "2f", "a b", "f;", "int", "lambda", "np", "cos", "Höhe"}) {
    EXPECT_THROW(check_function_name(name), OptionError) << name;
  }
}

TEST(ExactNumber, ComesBackAsItWas) {
  const double values[] = {0.1, -2.0, 1e300, 5e-324, 1.0 / 3.0, std::numeric_limits<double>::max()};
  for (const double value : values) {
    EXPECT_EQ(std::strtod(exact_number(value).c_str(), nullptr), value);
    EXPECT_NE(exact_number(value).find_first_of(".e"), std::string::npos);
  }
  EXPECT_EQ(sql_number(2.0), "2e0");
  EXPECT_EQ(sql_number(-0.5), "(-0.5e0)");
  EXPECT_EQ(sql_number(1e-20), "1e-20");
}

}  // namespace export_words_test
}  // namespace shrimp
