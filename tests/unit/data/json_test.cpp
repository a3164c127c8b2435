#include "data/json.hpp"

#include <fmt/format.h>

#include "support.hpp"

namespace shrimp {
namespace json_test {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t k = 0; k < times; ++k) all += text;
  return all;
}

std::string with_keys(std::size_t count) {
  std::string text = "{";
  for (std::size_t k = 0; k < count; ++k) text += fmt::format("{}\"key {}\": {}", k == 0 ? "" : ",", k, k);
  return text + "}";
}

std::string complaint(const std::string& text) {
  return test::message_of<JsonError>([&] { (void)parse_json(text); });
}

TEST(Json, IsReadAsTheLibraryReadsIt) {
  for (const std::string text : {R"({"b": [1, -2, 3.5, 1e-300, true, null, "x\u00e9\n"], "a": {"c": {}, "d": []}})",
                                 "[]", "17", "\"a\"", R"([[[1], [2, [3]]], {"a": [{"b": 1}, {"b": 2}]}])"}) {
    EXPECT_EQ(parse_json(text), Json::parse(text));
    EXPECT_EQ(parse_json(text).dump(), Json::parse(text).dump());
  }
  EXPECT_EQ(parse_json(with_keys(most_json_keys))["key 4000"], 4000);
}

TEST(Json, SaysWhereItCannotBeRead) {
  for (const std::string text : {"", "{", "[1, 2", "[1 2]", "{\"a\" 1}", "[1]]", "nul"}) {
    try {
      (void)parse_json(text);
      FAIL() << text;
    } catch (const JsonError& error) {
      try {
        const Json parsed = Json::parse(text);
      } catch (const Json::parse_error& expected) {
        EXPECT_EQ(error.byte(), expected.byte) << text;
      }
    }
  }
  EXPECT_EQ(complaint("[1e999]"), "it contains a number that is too large");
}

TEST(Json, OfAnyDepthIsRefusedAndNotFollowed) {
  const std::size_t deep = 1'000'000;
  EXPECT_NE(complaint(repeated("[", deep) + repeated("]", deep)).find("nested more than"), std::string::npos);
  EXPECT_NE(complaint(repeated("{\"a\":", deep)).find("nested more than"), std::string::npos);
  EXPECT_NO_THROW((void)parse_json(repeated("[", deepest_json) + repeated("]", deepest_json)));
  EXPECT_THROW((void)parse_json(repeated("[", deepest_json + 1) + repeated("]", deepest_json + 1)), JsonError);
}

TEST(Json, OfVeryManyKeysIsRefused) {
  EXPECT_EQ(complaint(with_keys(most_json_keys + 1)), "an object in it has more than 4096 keys");
  EXPECT_EQ(complaint(R"({"a": 1, "b": 2, "a": 3})"), "an object in it contains \"a\" twice");
}

TEST(Json, ThatGrowsInMemoryIsRefused) {
  EXPECT_NE(complaint("[" + repeated("[],", 2'000'000) + "0]").find("more memory than its text"), std::string::npos);
  EXPECT_NE(complaint("[" + repeated("{},", 2'000'000) + "0]").find("more memory than its text"), std::string::npos);
  EXPECT_NE(complaint("[" + repeated("0,", 2'000'000) + "0]").find("more memory than its text"), std::string::npos);
  // Of a model with very many inputs, most of which no column looks at, in the most compact form that a file has.
  EXPECT_NO_THROW((void)parse_json("[[" + repeated("\"x123456\",", 200'000) + "0],[" + repeated("0.0,1.0,", 200'000) +
                                   "0],[" + repeated("\n  {\"values\":[]},", 200'000) + "0]]"));
}

}  // namespace json_test
}  // namespace shrimp
