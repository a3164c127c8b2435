#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/loss.hpp"
#include "model/model_loss.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/test_rows.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

// Errors of one set of rows. What is not known is NaN.
struct Errors {
  std::string rows;
  std::string title;
  double mse = std::nan("");
  double standard_error = std::nan("");  // Of the MSE.
  double mae = std::nan("");
  double r2 = std::nan("");
  double variance = std::nan("");  // The squared error of always saying the mean.

  [[nodiscard]] double rmse() const { return std::sqrt(mse); }
  [[nodiscard]] double baseline() const { return std::sqrt(variance); }
};

bool is_standardized(const Model& model) {
  const auto as_they_are = model.options.find("no-standardize");
  return as_they_are == model.options.end() || as_they_are->second != "true";
}

// The target's variance over the training rows: from an error and its R², or, where these are too near a perfect fit
// to tell, from the scale.
double training_variance(const Model& model, const std::string& form) {
  constexpr double telling = 1e-6;
  const double mse = result_of(model, form + "train_mse");
  const double missing = 1.0 - result_of(model, form + "train_r2");
  if (missing > telling) return mse / missing;
  const bool in_own_units = model.scaling.target_form == TargetForm::identity || !form.empty();
  return in_own_units && is_standardized(model) ? std::pow(model.scaling.target_scale, 2) : std::nan("");
}

std::optional<Errors> errors_of_fit(const Model& model, const std::string& kind, const char* title,
                                    const std::string& rows) {
  // Models that were fitted again by sums have errors of what was fitted, which may be a form of the target.
  const std::string form = std::isnan(result_of(model, "transformed_train_mse")) ? "" : "transformed_";
  Errors errors{.rows = rows, .title = title};
  errors.mse = result_of(model, form + kind + "_mse");
  if (std::isnan(errors.mse)) return std::nullopt;
  if (!form.empty() && model.scaling.target_form != TargetForm::identity)
    errors.title += ", of " + fitted_target(model);
  errors.r2 = result_of(model, form + kind + "_r2");
  errors.standard_error = result_of(model, form + kind + "_se");
  errors.variance = training_variance(model, form);
  return errors;
}

std::vector<Errors> all_errors(const Model& model, const TestRows* test) {
  std::vector<Errors> all;
  if (test != nullptr) {
    const Scores scores = test->content().scores.scores();
    all.push_back({.rows = fmt::format("{}", scores.rows),
                   .title = "test table " + test->content().source,
                   .mse = scores.mse,
                   .mae = scores.mae,
                   .r2 = scores.r2,
                   .variance = std::isnan(scores.r2) ? std::nan("") : scores.variance});
  }
  const double rows = fitted_rows(model);
  if (auto found = errors_of_fit(model, "validation", "rows that the fit left out", "")) all.push_back(*found);
  if (auto found =
          errors_of_fit(model, "train", "training rows", std::isnan(rows) ? "" : fmt::format("{:.0f}", rows))) {
    all.push_back(*found);
  }
  return all;
}

std::string facts(const Model& model, const Errors& best) {
  std::string markup;
  if (!std::isnan(best.r2)) markup += fact("R² " + r2_text(best.r2), "on the " + best.title);
  markup += fact(number_text(best.rmse()), "root mean squared error, in units of " + model.target);
  if (std::isfinite(best.baseline())) {
    markup += fact(number_text(best.baseline()), "the same of the baseline, which always says the mean");
  }
  return "<div class=\"facts\">\n" + markup + "</div>\n";
}

std::string sentence(const Model& model, const Errors& best) {
  if (!std::isfinite(best.baseline()) || best.baseline() == 0.0) return "";
  const double left = best.rmse() / best.baseline();
  const std::string verdict = left >= 1.0 ? "The model is no better than that."
                                          : fmt::format("The model's typical error is {} of the baseline's.",
                                                        left < 0.001 ? "less than 0.1 %" : percent_text(left));
  return paragraph(fmt::format("The baseline knows nothing of the inputs and always says the mean of {}. {}",
                               model.target, verdict));
}

std::string uncertain(double value, double standard_error) {
  return std::isnan(standard_error) ? "" : fmt::format(" ± {:.2g}", standard_error / value);
}

std::string errors_table(const std::vector<Errors>& all) {
  double largest = 0.0;
  for (const Errors& errors : all)
    largest = std::max({largest, errors.rmse(), std::isnan(errors.baseline()) ? 0.0 : errors.baseline()});
  const bool with_mae = !std::isnan(all.front().mae);
  std::vector<Cell> header = {{"rows", "text"}, {"number"}, {"RMSE"}, {"R²"}};
  if (with_mae) header.insert(header.begin() + 3, Cell{"mean |error|"});
  header.push_back({"RMSE beside that of the mean", "text"});
  std::vector<std::vector<Cell>> rows;
  for (const Errors& errors : all) {
    std::vector<Cell> row = {{escaped(errors.title), "text"},
                             {errors.rows},
                             {number_text(errors.rmse()) + uncertain(2.0 * errors.rmse(), errors.standard_error)},
                             {r2_text(errors.r2)}};
    if (with_mae) row.insert(row.begin() + 3, Cell{std::isnan(errors.mae) ? "" : number_text(errors.mae)});
    std::string bars = bar(errors.rmse() / largest);
    if (std::isfinite(errors.baseline())) bars += bar(errors.baseline() / largest, 0.0, -1.0, "plain");
    row.push_back({bars, "bars"});
    rows.push_back(row);
  }
  return table(header, rows, "errors");
}

}  // namespace

// An error with a standard error is estimated on rows that took no part in the search, unless quick-error was given.
std::string about_left_out(const Model& model) {
  const auto quick = model.options.find("quick-error");
  const bool took_part = quick == model.options.end() || quick->second == "true";
  return took_part
             ? "± is one standard error. The rows that the fit left out chose the model: on new rows it may be worse."
             : "± is one standard error. The rows that the fit left out took no part in finding terms or shapes.";
}

std::string quality_section(const Model& model, const TestRows* test) {
  if (has_link(loss_of(model))) return loss_quality_section(model, test);
  const std::vector<Errors> all = all_errors(model, test);
  if (all.empty()) return section("good", "How good it is", paragraph("The model file does not tell its errors."));
  std::string markup = facts(model, all.front()) + sentence(model, all.front()) + errors_table(all);
  if (!std::isnan(result_of(model, "validation_se"))) markup += paragraph(about_left_out(model), "soft");
  return section("good", "How good it is", markup);
}

}  // namespace shrimp::report
