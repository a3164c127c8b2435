#include "model/formula.hpp"

#include <gtest/gtest.h>

namespace shrimp {
namespace formula_test {

TEST(FormulaName, LeavesWordsAsTheyAre) {
  for (const char* name : {"x1", "speed_2", "_", "Cos", "e", "e2x", "cosine"}) EXPECT_EQ(formula_name(name), name);
}

TEST(FormulaName, QuotesWhatWouldReadAsSomethingElse) {
  EXPECT_EQ(formula_name("room size"), "`room size`");
  EXPECT_EQ(formula_name("a*b"), "`a*b`");
  EXPECT_EQ(formula_name("1st"), "`1st`");
  EXPECT_EQ(formula_name(""), "``");
  EXPECT_EQ(formula_name("Höhe"), "`Höhe`");
  for (const char* name : {"cos", "sin", "tanh", "max", "exp", "abs", "log", "rank", "e1", "e12"}) {
    EXPECT_EQ(formula_name(name), "`" + std::string(name) + "`");
  }
}

TEST(FormulaName, DoublesQuotesWithin) {
  EXPECT_EQ(formula_name("a`b"), "`a``b`");
  EXPECT_EQ(formula_name("`"), "````");
}

}  // namespace formula_test
}  // namespace shrimp
