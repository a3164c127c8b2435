#include "fit/term_names.hpp"

#include "shrimp/errors.hpp"
#include "support.hpp"

namespace shrimp {
namespace term_names_test {

using Names = std::vector<std::string>;
using Terms = std::vector<Names>;

TEST(TermNames, AreReadWithQuotesAsInCsv) {
  EXPECT_EQ(parse_names("ignore", R"(a,"b, c", d e ,"say ""hi""",5")"),
            (Names{"a", "b, c", "d e", "say \"hi\"", "5\""}));
  EXPECT_EQ(parse_terms("include", R"("a*b"*c,"d, e")"), (Terms{{"a*b", "c"}, {"d, e"}}));
  EXPECT_EQ(parse_terms("include", R"(c * "a*b", größe)"), (Terms{{"c", "a*b"}, {"größe"}}));
}

TEST(TermNames, StayWholeWithoutQuotesUntilTheInputsAreKnown) {
  EXPECT_EQ(parse_terms("include", "a*b, x**2"), (Terms{{"a*b"}, {"x**2"}}));
  EXPECT_EQ(find_term("include", {"a*b"}, {"a", "b"}), (Support{0, 1}));
  EXPECT_EQ(find_term("include", {"b * a"}, {"a", "b"}), (Support{0, 1}));
  EXPECT_EQ(find_term("include", {"a*b"}, {"a", "b", "a*b"}), (Support{2}));
  EXPECT_EQ(find_term("include", {"a", "b"}, {"a", "b", "a*b"}), (Support{0, 1}));
}

TEST(TermNames, AreWrittenSoThatTheyReadBackTheSame) {
  const Terms terms = {{"a"},  {"a", "b"}, {"a*b"},  {"a*b", "c"}, {"d, e"},
                       {"\""}, {" x "},    {"none"}, {"**"},       {"a*\"b\""}};
  EXPECT_EQ(parse_terms("include", write_terms(terms)), terms);
  for (const Names& term : terms) EXPECT_EQ(parse_terms("include", write_terms({term})), Terms{term});
  EXPECT_EQ(parse_terms("include", write_terms({})), Terms{});
}

TEST(TermNames, OfWhatIsNoInputAreRefused) {
  for (const Names& term : Terms{{"a*"}, {"*"}, {"a**b"}, {"a", "d"}, {"a*b", "c"}, {"d"}}) {
    test::expect_parts(test::message_of<OptionError>([&] {
                         (void)find_term("include", term, {"a", "b", "c"});
                       }),
                       {"include names", "not an input"});
  }
  test::expect_parts(test::message_of<OptionError>([&] {
                       (void)find_term("exclude", {"a*b*c*d"}, {"a", "b", "c", "d"});
                     }),
                     {"exclude names 4 inputs", "at most 3"});
}

TEST(TermNames, ThatAreEmptyAreRefusedByTheFit) {
  EXPECT_THROW((void)parse_terms("include", write_terms({{}})), OptionError);
  EXPECT_THROW((void)parse_terms("include", write_terms({{"a", ""}})), OptionError);
}

}  // namespace term_names_test
}  // namespace shrimp
