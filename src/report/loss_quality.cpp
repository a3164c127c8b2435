#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "data/class_scores.hpp"
#include "model/model_loss.hpp"
#include "report/count_figures.hpp"
#include "report/fit_errors.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/test_rows.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

/// Mean loss of one set of rows. A value that is not known is NaN.
struct LossOfRows {
  std::string title;
  double rows = std::nan("");
  double loss = std::nan("");
  double standard_error = std::nan("");
  double baseline = std::nan("");         ///< Loss of the best constant prediction.
  double linear = std::nan("");           ///< Loss of a linear model.
  std::vector<double> other_scores = {};  ///< As many as other_names; empty: not known.
};

struct LossWords {
  const char* key;  ///< In the results of the model.
  const char* name;
  std::vector<std::string> other_names;
  std::string baseline;
};

LossWords words_for(const Model& model) {
  if (loss_of(model) == Loss::logistic) {
    return {"log_loss", "log loss", {"AUC", "accuracy"}, "the fraction of each class as its probability"};
  }
  if (loss_of(model) == Loss::multinomial) {
    return {"log_loss", "log loss of all classes", {}, "the fraction of each class as its probability"};
  }
  return {"deviance", "deviance", {"dispersion"}, fmt::format("the mean rate of {} for every row", model.target)};
}

double entropy(double fraction) {
  if (!(fraction > 0.0 && fraction < 1.0)) return std::nan("");
  return -fraction * std::log(fraction) - (1.0 - fraction) * std::log1p(-fraction);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The variance p(1 − p) of the classes gives p up to the order of the two, which the entropy does not need.
double training_baseline(const Model& model) {
  const double variance = result_of(model, "train_mse") / (1.0 - result_of(model, "train_r2"));
  if (loss_of(model) != Loss::logistic || !(variance > 0.0 && variance <= 0.25)) return std::nan("");
  return entropy(0.5 * (1.0 - std::sqrt(1.0 - 4.0 * variance)));
}

LossOfRows loss_of_table(const Model& model, const TestRows::Content& content) {
  LossOfRows found{.title = "test table " + content.source, .rows = static_cast<double>(content.rows)};
  if (loss_of(model) == Loss::logistic) {
    const ClassScores scores = score_classes(content.predicted, content.observed);
    found.loss = scores.log_loss;
    found.baseline = entropy(mean_of(content.observed));
    found.other_scores = {scores.auc, scores.accuracy};
    return found;
  }
  found.loss = poisson_deviance(content.predicted, content.observed);
  found.other_scores = {dispersion(content.predicted, content.observed)};
  if (content.baseline_rate() > 0.0) {
    found.baseline = poisson_deviance(content.baseline_counts(), content.observed);
  }
  return found;
}

std::optional<LossOfRows> loss_of_fit(const Model& model, const LossWords& words, const char* kind, const char* title) {
  LossOfRows found{.title = title};
  found.loss = result_of(model, fmt::format("{}_{}", kind, words.key));
  if (std::isnan(found.loss)) return std::nullopt;
  found.standard_error = result_of(model, fmt::format("{}_{}_se", kind, words.key));
  found.baseline = training_baseline(model);
  if (std::string_view(kind) == "validation") {
    const FitErrors errors = fit_errors(model);
    if (std::isfinite(errors.constant)) found.baseline = errors.constant;
    found.linear = errors.linear;
  }
  return found;
}

std::vector<LossOfRows> all_losses(const Model& model, const LossWords& words, const TestRows* test) {
  std::vector<LossOfRows> all;
  if (test != nullptr && test->content().rows > 0) all.push_back(loss_of_table(model, test->content()));
  if (auto found = loss_of_fit(model, words, "validation", "held-out rows")) all.push_back(*found);
  if (auto found = loss_of_fit(model, words, "train", "training rows")) {
    found->rows = fitted_rows(model);
    all.push_back(*found);
  }
  return all;
}

std::string score_text(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

std::string facts(const Model& model, const LossOfRows& best, const LossWords& words) {
  std::string markup = fact(number_text(best.loss), fmt::format("{} on the {}", words.name, best.title));
  if (std::isfinite(best.baseline)) {
    markup += fact(number_text(best.baseline), "the same of the baseline, which predicts " + words.baseline);
  }
  if (std::isfinite(best.linear)) {
    markup += fact(number_text(best.linear), fmt::format("the same of a {}", baseline_names(model).linear));
  }
  for (std::size_t k = 0; k < best.other_scores.size(); ++k) {
    if (!std::isnan(best.other_scores[k])) markup += fact(score_text(best.other_scores[k]), words.other_names[k]);
  }
  return "<div class=\"facts\">\n" + markup + "</div>\n";
}

std::string sentence(const LossOfRows& best, const LossWords& words) {
  if (!std::isfinite(best.baseline) || best.baseline == 0.0) return "";
  const double explained = 1.0 - best.loss / best.baseline;
  if (explained <= 0.0) return paragraph("The model is no better than the baseline, which ignores the inputs.");
  return paragraph(fmt::format("The model explains {} of the baseline's {}. The baseline ignores the inputs.",
                               percent_text(explained), words.name));
}

std::string losses_table(const std::vector<LossOfRows>& all, const LossWords& words) {
  double largest = 0.0;
  for (const LossOfRows& own : all) {
    largest = std::max({largest, own.loss, std::isnan(own.baseline) ? 0.0 : own.baseline});
  }
  const bool with_others = !all.front().other_scores.empty();
  std::vector<Cell> header = {{"rows", "text"}, {"number"}, {words.name}};
  for (const std::string& name : words.other_names) {
    if (with_others) header.push_back({name});
  }
  header.push_back({fmt::format("{}, and the baseline's", words.name), "text"});
  std::vector<std::vector<Cell>> rows;
  for (const LossOfRows& own : all) {
    const std::string error = std::isnan(own.standard_error) ? "" : fmt::format(" ± {:.2g}", own.standard_error);
    std::vector<Cell> row = {{escaped(own.title), "text"},
                             {std::isnan(own.rows) ? "" : fmt::format("{:.0f}", own.rows)},
                             {number_text(own.loss) + error}};
    for (std::size_t k = 0; with_others && k < words.other_names.size(); ++k) {
      row.push_back({own.other_scores.empty() ? "" : score_text(own.other_scores[k])});
    }
    std::string bars = bar(own.loss / largest);
    if (std::isfinite(own.baseline)) bars += bar(own.baseline / largest, 0.0, -1.0, "plain");
    row.push_back({bars, "bars"});
    rows.push_back(row);
  }
  return table(header, rows, "errors");
}

std::string about_scores(const Model& model) {
  if (loss_of(model) == Loss::logistic) {
    return "Log loss is the mean of −log of the probability given to the observed class: 0 is perfect. AUC is the "
           "probability that a row of the second class is ranked above one of the first: 0.5 is guessing.";
  }
  if (loss_of(model) == Loss::multinomial) {
    return "Log loss is the mean of −log of the probability given to the observed class: 0 is perfect.";
  }
  return "Deviance is the mean of 2(y log(y/μ) − y + μ) of counts y and their predictions μ: 0 is perfect. Dispersion "
         "is "
         "the mean of (y − μ)²/μ: 1 for Poisson counts, more where counts vary more than that.";
}

}  // namespace

std::string loss_quality_section(const Model& model, const TestRows* test) {
  constexpr const char* title = "Quality";
  const LossWords words = words_for(model);
  const std::vector<LossOfRows> all = all_losses(model, words, test);
  if (all.empty()) return section("good", title, paragraph("The model file does not hold its errors."));
  std::string markup = facts(model, all.front(), words) + sentence(all.front(), words) + losses_table(all, words);
  markup += paragraph(about_scores(model), "soft");
  if (!std::isnan(result_of(model, fmt::format("validation_{}_se", words.key)))) {
    markup += paragraph(about_left_out(model), "soft");
  }
  return section("good", title, markup);
}

}  // namespace shrimp::report
