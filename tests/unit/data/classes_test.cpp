#include "data/classes.hpp"

#include "shrimp/errors.hpp"
#include "support.hpp"

namespace shrimp {
namespace classes_test {

Dataset with_target(std::vector<double> y) {
  Dataset data;
  data.source = "t.csv";
  data.target = "y";
  data.y = std::move(y);
  return data;
}

TEST(Classes, AreNamedInAscendingOrder) {
  Dataset data = with_target({2.0, 1.0, 2.0});
  name_classes(data);
  EXPECT_EQ(data.classes, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(data.y, (std::vector{1.0, 0.0, 1.0}));
}

TEST(Classes, OfTextAreInTheOrderOfTheirCharacters) {
  Dataset data = with_target({0.0, 1.0, 0.0});
  name_classes(data, std::vector<std::string>{"yes", "no"});
  EXPECT_EQ(data.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(data.y, (std::vector{1.0, 0.0, 1.0}));
}

TEST(Classes, AreTwo) {
  Dataset three = with_target({0.0, 1.0, 2.0});
  test::expect_parts(test::message_of<std::exception>([&] { name_classes(three); }),
                     {"t.csv", "\"y\"", "3 classes", "0, 1, 2", "Use loss multinomial", "one class against the rest"});
  Dataset one = with_target({4.0, 4.0});
  test::expect_parts(test::message_of<std::exception>([&] { name_classes(one); }),
                     {"only the class 4", "Give rows of two classes"});
}

TEST(Classes, MayBeManyIfTheLossIsMultinomial) {
  Dataset data = with_target({0.0, 2.0, 1.0, 0.0});
  name_all_classes(data, std::vector<std::string>{"red", "blue", "green"});
  EXPECT_EQ(data.classes, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_EQ(data.y, (std::vector{2.0, 1.0, 0.0, 2.0}));
}

TEST(Classes, OfOtherRowsMustBeKnown) {
  const std::vector<std::string> classes = {"1", "2"};
  EXPECT_EQ(class_numbers(std::vector{2.0, 1.0}, {}, classes, "new.csv"), (std::vector{1.0, 0.0}));
  test::expect_parts(test::message_of<std::exception>([&] {
                       (void)class_numbers(std::vector{2.0, 3.0}, {}, classes, "new.csv", 10);
                     }),
                     {"new.csv row 12", "\"3\"", "1 and 2"});
}

}  // namespace classes_test
}  // namespace shrimp
