#include "data/names.hpp"
#include "support.hpp"

namespace shrimp {
namespace table_test {

using test::expect_parts;
using test::message_of;

Table make_table() { return parse_csv("height,width,depth\n1,2,3\n4,5,6\n", "boxes.csv"); }

TEST(Table, SplitsIntoInputsAndTarget) {
  const Dataset data = split_target(make_table(), "width", "boxes.csv");
  EXPECT_EQ(data.inputs, (std::vector<std::string>{"height", "depth"}));
  EXPECT_EQ(data.target, "width");
  EXPECT_EQ(data.y, (std::vector<double>{2, 5}));
  EXPECT_EQ(data.X(1, 0), 4.0);
  EXPECT_EQ(data.X(1, 1), 6.0);
}

TEST(Table, MakesGroupsOfAColumnInTheOrderOfTheirRows) {
  CsvOptions options;
  options.labels = "who";
  const auto read = [&](const std::string& text) {
    return take_groups(split_target(parse_csv(text, "t.csv", options), "y", "t.csv"), "who", "t.csv");
  };
  for (const char* text : {"who,x,y\nb,1,2\na,1,2\nb,1,2\nc,1,2\n", "who,x,y\n7,1,2\n3,1,2\n7.0,1,2\n-2,1,2\n"}) {
    const Dataset data = read(text);
    EXPECT_EQ(data.inputs, std::vector<std::string>{"x"});
    EXPECT_EQ(data.groups, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  }
  expect_parts(message_of<OptionError>([&] { (void)read("whom,x,y\n1,1,2\n"); }), {"\"who\"", "groups", "\"whom\""});
  expect_parts(message_of<OptionError>([&] { (void)read("who,y\n1,2\n"); }),
               {"t.csv has no input other than the groups \"who\""});
}

TEST(Table, SuggestsTheNearestNamesForAnUnknownTarget) {
  const auto unknown = [](const char* name) {
    return message_of<OptionError>([&] { (void)split_target(make_table(), name, "boxes.csv"); });
  };
  expect_parts(unknown("widthh"), {"boxes.csv", "\"widthh\"", "Did you mean \"width\"?"});
  expect_parts(unknown("WIDTH"), {"Did you mean \"width\"?"});
  expect_parts(unknown("volume"), {"height, width, depth"});
  expect_parts(unknown(""), {"no column \"\""});
}

TEST(Table, RefusesATargetWithNothingBesideIt) {
  const auto split = [] { (void)split_target(parse_csv("y\n1\n", "one.csv"), "y", "one.csv"); };
  expect_parts(message_of<OptionError>(split), {"one.csv", "\"y\""});
}

TEST(Table, CarriesItsWarningsAlong) {
  const Dataset data = split_target(parse_csv(",y\n1,2\n", "t.csv"), "y", "t.csv");
  EXPECT_EQ(data.warnings.size(), 1U);
}

TEST(Table, SelectsColumnsByNameInTheOrderAskedFor) {
  const Matrix selected = select_columns(make_table(), {"depth", "height"}, "boxes.csv");
  ASSERT_EQ(selected.cols(), 2U);
  EXPECT_EQ(selected(0, 0), 3.0);
  EXPECT_EQ(selected(1, 1), 4.0);
}

TEST(Table, NamesEveryMissingColumn) {
  const auto select = [] { (void)select_columns(make_table(), {"depth", "mass", "age"}, "boxes.csv"); };
  expect_parts(message_of<DataError>(select), {"boxes.csv", "\"mass\"", "\"age\"", "height, width, depth"});
}

TEST(Names, AreSuggestedNearestFirst) {
  EXPECT_EQ(suggest_names({"temperature_out", "temperature_in", "pressure"}, "temperature_inn"),
            "Did you mean \"temperature_in\" or \"temperature_out\"?");
}

// The commonest slip, in a name of common length, in a table too wide to be listed.
TEST(Names, AreSuggestedForTwoLettersSwapped) {
  std::vector<std::string> names;
  for (int k = 0; k < 100; ++k) names.push_back("column" + std::to_string(k));
  names.emplace_back("width");
  EXPECT_EQ(suggest_names(names, "widht"), "Did you mean \"width\"?");
}

TEST(Names, AreListedWithALimitWhereNoneIsNear) {
  std::vector<std::string> names;
  for (int k = 0; k < 100; ++k) names.push_back("column" + std::to_string(k));
  const std::string message = suggest_names(names, "q");
  expect_parts(message, {"column0", "column11", "…"});
  EXPECT_FALSE(test::contains(message, "column12"));
}

}  // namespace table_test
}  // namespace shrimp
