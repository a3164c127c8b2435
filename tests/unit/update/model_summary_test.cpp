#include "support.hpp"

namespace shrimp {
namespace model_summary_test {

Model fit_noisy() {
  FitOptions options;
  options.terms.quick_error = true;
  return model_from_json(to_json(fit(test::make_dataset(150, 3, 1), options).model), "model");
}

struct Rows {
  Matrix X = test::random_matrix(500, 3, 2);
  std::vector<double> y = test::random_vector(500, 3);

  /// Rows first … end − 1, so many at a time.
  void add_to(SummaryMaker& maker, std::size_t first, std::size_t end, std::size_t at_a_time) const {
    for (; first < end; first += at_a_time) {
      const std::size_t count = std::min(at_a_time, end - first);
      maker.add({X.data() + first, count, 3, 500}, std::span(y).subspan(first, count));
    }
  }

  [[nodiscard]] ModelSummary part(const Model& model, std::size_t first, std::size_t end,
                                  std::size_t at_a_time = 500) const {
    SummaryMaker maker(model, {});
    add_to(maker, first, end, at_a_time);
    return maker.finish();
  }
};

TEST(ModelSummary, DoesNotDependOnTheBlocksThatRowsComeIn) {
  const Model model = fit_noisy();
  const Rows rows;
  const std::string whole = to_bytes(rows.part(model, 0, 500));
  for (const std::size_t at_a_time : {1, 7, 499}) EXPECT_EQ(to_bytes(rows.part(model, 0, 500, at_a_time)), whole);
}

TEST(ModelSummary, ComesBackByteForByte) {
  const Model model = fit_noisy();
  const Rows rows;
  ModelSummary summary = rows.part(model, 0, 200);
  summary.merge(rows.part(model, 200, 201));
  const std::string bytes = to_bytes(summary);
  const ModelSummary again = summary_from_bytes(bytes, "summary");
  EXPECT_EQ(to_bytes(again), bytes);
  EXPECT_EQ(again.rows(), 201U);
  EXPECT_EQ(again.folds(), 2U);
  EXPECT_TRUE(again.is_of_columns_of(model));
}

TEST(ModelSummary, MergesWithOneThatAnUpdatedModelMade) {
  const Model model = fit_noisy();
  const Rows rows;
  Model updated = refit(model, rows.part(model, 0, 300));
  EXPECT_NE(updated.scaling.target_mean, model.scaling.target_mean);
  ModelSummary all = rows.part(model, 0, 300);
  all.merge(rows.part(updated, 300, 500));
  const Model expected = refit(model, rows.part(model, 0, 500));
  const Model found = refit(updated, all);
  EXPECT_NEAR(found.scaling.target_mean, expected.scaling.target_mean, 1e-12);
  EXPECT_LT(norm(test::difference(found.coefficients, expected.coefficients)), 1e-11 * norm(expected.coefficients));
}

TEST(ModelSummary, KnowsTheModelThatItBelongsTo) {
  const Model model = fit_noisy();
  const Rows rows;
  ModelSummary summary = rows.part(model, 0, 300);
  EXPECT_TRUE(summary.may_belong_to(model));  // Nobody said whose it is.
  const Model updated = refit(model, summary);
  summary.set_model(updated);
  EXPECT_FALSE(summary.may_belong_to(model));
  EXPECT_TRUE(summary.may_belong_to(updated));
  EXPECT_TRUE(summary.is_of_columns_of(updated));
}

TEST(ModelSummary, TakesTheSamePartTwiceForOneFold) {
  const Model model = fit_noisy();
  const Rows rows;
  ModelSummary summary = rows.part(model, 0, 100);
  summary.merge(rows.part(model, 0, 100));
  EXPECT_EQ(summary.folds(), 1U);
  EXPECT_EQ(summary.rows(), 200U);
}

TEST(ModelSummary, RefusesToMergeOtherColumns) {
  const Model model = fit_noisy();
  Model other = model;
  other.dictionary.weights.values.front() += 1e-9;
  const Rows rows;
  ModelSummary summary = rows.part(model, 0, 100);
  EXPECT_FALSE(summary.is_of_columns_of(other));
  EXPECT_THROW(summary.merge(rows.part(other, 0, 100)), std::invalid_argument);
  EXPECT_THROW(refit(other, summary), DataError);
}

TEST(ModelSummary, RefusesSumsThatAreTooLarge) {
  const Model model = fit_noisy();
  SummaryMaker maker(model, {});
  const Matrix X(2, 3);
  maker.add(X, std::vector<double>{1e200, -1e200});
  EXPECT_THROW(refit(model, maker.finish()), DataError);
}

TEST(ModelFile, TellsThePenaltyOfARidgeFit) {
  const Model model = fit_noisy();
  ASSERT_TRUE(model.penalty.has_value());
  EXPECT_EQ(model.penalty->ridge, model.results.at("ridge"));
  EXPECT_EQ(model.penalty->scales.size(), model.dictionary.weights.size());
  std::string text = to_json(model);
  text.replace(text.find("\"scale\":"), 8, "\"scale\":-");
  EXPECT_NE(test::message_of<ModelFileError>([&] { (void)model_from_json(text, "file"); }).find("scale"),
            std::string::npos);
}

}  // namespace model_summary_test
}  // namespace shrimp
