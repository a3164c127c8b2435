#include "export/latex_formula.hpp"

#include <gtest/gtest.h>

namespace shrimp {
namespace latex_formula_test {

using Summands = std::vector<std::string>;

TEST(LatexSummands, AreThoseOfTheFormulaWithTheirSigns) {
  EXPECT_EQ(latex_summands("-2*x1 + 3*(x2 - 0.5)^2"), (Summands{"-2\\,x_{1}", "+3\\,\\left(x_{2} - 0.5\\right)^{2}"}));
  EXPECT_EQ(latex_summands(" - 1e-05*x + 2.5e+20*y"), (Summands{"-10^{-5}\\,x", "+2.5 \\cdot 10^{20}\\,y"}));
  EXPECT_EQ(latex_summands("3500"), (Summands{"3500"}));
  EXPECT_EQ(latex_summands("-1*x + 1*sin(1*x + 1)"), (Summands{"-x", "+\\sin\\left(x + 1\\right)"}));
  EXPECT_TRUE(latex_summands("").empty());
}

TEST(LatexSummands, KnowFunctions) {
  EXPECT_EQ(latex_summands("cos(2*x - 1)"), (Summands{"\\cos\\left(2\\,x - 1\\right)"}));
  EXPECT_EQ(latex_summands("(1 + 2*abs(x - 1))*exp(-2*abs(x - 1))"),
            (Summands{"\\left(1 + 2\\,\\left|x - 1\\right|\\right)\\,\\exp\\left(-2\\,\\left|x - 1\\right|\\right)"}));
  EXPECT_EQ(latex_summands("step(x - 3)"), (Summands{"\\mathbf{1}\\left[x - 3 > 0\\right]"}));
  EXPECT_EQ(latex_summands("-2*[color = `light red`]*sin(x)"),
            (Summands{"-2\\,\\mathbf{1}\\left[\\text{color} = \\text{light red}\\right]\\,\\sin\\left(x\\right)"}));
  EXPECT_EQ(latex_summands("max(0, x)"), (Summands{"\\max\\left(0, x\\right)"}));
  EXPECT_EQ(latex_summands("e2(x, y)"), (Summands{"e_{2}\\left(x, y\\right)"}));
  EXPECT_EQ(latex_summands("rank(-x)"), (Summands{"\\operatorname{rank}\\left(-x\\right)"}));
}

TEST(LatexSummands, TakeQuotedNamesWhole) {
  EXPECT_EQ(latex_summands("2*`a + b(`"), (Summands{"2\\,\\text{a + b(}"}));
  EXPECT_EQ(latex_summands("`a``b` + `cos`"), (Summands{"\\text{a`b}", "+\\text{cos}"}));
}

}  // namespace latex_formula_test
}  // namespace shrimp
