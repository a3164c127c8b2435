// Answers of a table's parts, with the whole table as oracle.
#include "parts/answer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/block_views.hpp"
#include "grow/column_sums.hpp"
#include "parts/question.hpp"
#include "shrimp/table_parts.hpp"
#include "support.hpp"

namespace shrimp {
namespace answer_test {

using test::expect_parts;
using test::message_of;

constexpr std::size_t all_rows = 3000;

// With weights and groups of 7 rows where asked for.
Dataset some_rows(bool weighted, bool grouped) {
  Dataset data;
  data.inputs = {"a", "b"};
  data.target = "y";
  data.X = test::random_matrix(all_rows, 2, 3);
  data.y = test::random_vector(all_rows, 4);
  for (std::size_t i = 0; i < all_rows; ++i) {
    if (weighted) data.weights.push_back(static_cast<double>(i % 4));
    if (grouped) data.groups.push_back(static_cast<std::uint32_t>(i / 7));
  }
  return data;
}

Dataset part_of(const Dataset& data, std::size_t first, std::size_t last) {
  Dataset part;
  part.inputs = data.inputs;
  part.target = data.target;
  part.X = Matrix(last - first, data.X.cols());
  for (std::size_t i = first; i < last; ++i) {
    for (std::size_t j = 0; j < data.X.cols(); ++j) part.X(i - first, j) = data.X(i, j);
    part.y.push_back(data.y[i]);
    if (!data.weights.empty()) part.weights.push_back(data.weights[i]);
    if (!data.groups.empty()) part.groups.push_back(data.groups[i]);
  }
  return part;
}

// Of parts of very different length, one of them empty, merged in pairs.
std::string ask_parts(const Dataset& data, const std::string& question) {
  const std::vector<std::size_t> cuts = {0, 5, 5, 900, 901, 2500, all_rows};
  std::string all;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const Dataset part = part_of(data, cuts[k], cuts[k + 1]);
    const std::string answer = answer_question(question, *blocks_of(part), cuts[k]);
    all = all.empty() ? answer : merge_answers(std::vector<std::string_view>{answer, all});
  }
  return all;
}

LongTableOptions sampling() {
  LongTableOptions options;
  options.most_searched = 400;
  options.most_held_out = 60;
  return options;
}

Question drawing() {
  Question question;
  question.draw = DrawQuestion{sampling(), number_above(2 * sampling().most_drawn(), all_rows)};  // Some weigh nothing.
  return question;
}

Question summing() {
  FeatureOptions features;
  features.features = 30;
  Question question;
  question.sum = SumQuestion{Scaling::none(2), 1.5, make_dictionary(draw_weights(2, features), Basis::fourier), {}};
  question.sum->scales.assign(question.sum->dictionary.columns(), 0.5);
  return question;
}

TEST(Answers, DrawTheRowsThatAreDrawnFromTheWholeTable) {
  for (const bool weighted : {false, true}) {
    for (const bool grouped : {false, true}) {
      const Dataset data = some_rows(weighted, grouped);
      const LongTable whole = sample_table(*blocks_of(data), sampling());
      DrawnRows drawn = drawn_from_bytes(ask_parts(data, to_bytes(drawing())));
      EXPECT_LT(drawn.drawn.size(), all_rows / 2);  // Rows that are not wanted do not travel.
      const LongTable parts = share_out(std::move(drawn), blocks_of(data)->heading(), sampling());
      EXPECT_EQ(parts.rows, whole.rows);
      EXPECT_EQ(parts.lowest, whole.lowest);
      EXPECT_EQ(parts.highest, whole.highest);
      EXPECT_DOUBLE_EQ(parts.mean_weight, whole.mean_weight);
      EXPECT_EQ(parts.searched.y, whole.searched.y);
      EXPECT_EQ(parts.searched.weights, whole.searched.weights);
      EXPECT_EQ(parts.searched.groups, whole.searched.groups);
      EXPECT_EQ(parts.choosing.y, whole.choosing.y);
      EXPECT_EQ(parts.telling.y, whole.telling.y);
    }
  }
}

TEST(Answers, SumUpTheColumnsOfAllRows) {
  const Dataset data = some_rows(true, false);
  const SumQuestion sum = *summing().sum;
  const NormalEquations found = sums_from_bytes(ask_parts(data, to_bytes(summing())));
  const auto blocks = blocks_of(data);
  const NormalEquations expected =
      sum_columns({sum.dictionary, sum.scales},
                  [&](const auto& body) { for_each_scaled(*blocks, sum.scaling, sum.weight_unit, body); }, {});
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_NEAR(found.weight, expected.weight, 1e-9);
  for (std::size_t j = 0; j < found.columns(); ++j) {
    test::expect_near(found.G.col(j).subspan(j), expected.G.col(j).subspan(j), 1e-9);
  }
  test::expect_near(found.target.products, expected.target.products, 1e-9);
}

TEST(Answers, ThatAreCutShortAreRefused) {
  const Dataset data = some_rows(false, false);
  for (const Question& question : {drawing(), summing()}) {
    const std::string answer = answer_question(to_bytes(question), *blocks_of(data), 0);
    const std::string cut = answer.substr(0, answer.size() - 9);
    EXPECT_THROW((void)merge_answers(std::vector<std::string_view>{cut}), DataError);
  }
  EXPECT_THROW((void)merge_answers({}), DataError);
}

TEST(Answers, ToDifferentQuestionsDoNotMerge) {
  const Dataset data = some_rows(false, false);
  const std::string drawn = answer_question(to_bytes(drawing()), *blocks_of(data), 0);
  const std::string sums = answer_question(to_bytes(summing()), *blocks_of(data), 0);
  expect_parts(message_of<DataError>([&] {
                 (void)merge_answers(std::vector<std::string_view>{drawn, sums});
               }),
               {"does not match the request"});
}

TEST(Answers, NameTheRowInTheTableOfACellThatIsNone) {
  Dataset data = part_of(some_rows(false, false), 0, 10);
  data.y[3] = std::numeric_limits<double>::infinity();
  expect_parts(message_of<DataError>([&] { (void)answer_question(to_bytes(drawing()), *blocks_of(data), 1000); }),
               {"row 1004", "\"y\""});
}

TEST(Answers, QuestionsOfAnotherVersionAreRefused) {
  const Dataset data = some_rows(false, false);
  std::string question = to_bytes(drawing());
  question[8] = '9';  // Behind the length of the version's text.
  expect_parts(message_of<DataError>([&] { (void)answer_question(question, *blocks_of(data), 0); }),
               {"Shrimp 9", "same version"});
}

}  // namespace answer_test
}  // namespace shrimp
