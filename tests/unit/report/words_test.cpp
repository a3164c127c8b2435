#include "report/words.hpp"

#include <array>

#include "report/commands.hpp"
#include "support.hpp"

namespace shrimp::report {
namespace report_words_test {

TEST(Words, WriteNumbersForPeople) {
  EXPECT_EQ(number_text(-12.3456), "−12.35");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1.5e-8), "1.5e−08");
  EXPECT_EQ(number_text(std::nan("")), "unknown");
  EXPECT_EQ(percent_text(0.4523), "45.2 %");
  EXPECT_EQ(percent_text(0.0004), "< 0.1 %");
  EXPECT_EQ(percent_text(0.0), "0 %");
  EXPECT_EQ(percent_text(-0.0333), "−3.3 %");
  EXPECT_EQ(count_text(1, "row"), "1 row");
  EXPECT_EQ(count_text(2, "row"), "2 rows");
}

TEST(Words, TellNumbersOfOneAxisApart) {
  EXPECT_EQ(plain_numbers(std::array{99990.123, 100000.0, 100010.0}),
            (std::vector<std::string>{"99990.1", "100000", "100010"}));
  EXPECT_EQ(plain_numbers(std::array{-0.0001, 0.0, 2.0}), (std::vector<std::string>{"0", "0", "2"}));
  EXPECT_EQ(plain_numbers(std::array{1e-9, 2e-9}), (std::vector<std::string>{"1e-09", "2e-09"}));
  EXPECT_EQ(plain_numbers(std::array{0.00123, 5.0, 2000.0}), (std::vector<std::string>{"0.00123", "5", "2000"}));
  EXPECT_EQ(plain_numbers(std::array{3.0, 3.0}), (std::vector<std::string>{"3", "3"}));
  EXPECT_TRUE(plain_numbers({}).empty());
}

TEST(Words, OfCommandsStayOneWordEach) {
  EXPECT_EQ(shell_word("model.json"), "model.json");
  EXPECT_EQ(shell_word("my model.json"), "'my model.json'");
  EXPECT_EQ(shell_word("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(shell_word(""), "''");
  Model model;
  model.target = "the flow";
  model.given = {{"one-se", "true"}, {"order", "1-2"}};
  EXPECT_EQ(fit_command(model, "fit"), "shrimp fit TRAIN.csv --target 'the flow' --one-se --order 1-2");
}

}  // namespace report_words_test
}  // namespace shrimp::report
