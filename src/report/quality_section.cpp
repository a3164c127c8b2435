#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/model_loss.hpp"
#include "report/fit_errors.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/test_rows.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

// Errors of one set of rows. An unknown value is NaN.
struct Errors {
  std::string rows;
  std::string title;
  double mse = std::nan("");
  double standard_error = std::nan("");  // Of the MSE.
  double mae = std::nan("");
  double r2 = std::nan("");
  double variance = std::nan("");  // Mean squared error of the constant prediction by the mean.
  double linear = std::nan("");    // RMSE of a linear model.

  [[nodiscard]] double rmse() const { return std::sqrt(mse); }
  [[nodiscard]] double baseline() const { return std::sqrt(variance); }
};

bool is_standardized(const Model& model) {
  const auto as_they_are = model.options.find("no-standardize");
  return as_they_are == model.options.end() || as_they_are->second != "true";
}

// The target's variance over the training rows: from an error and its R², or from the scale if R² is 1 up to rounding.
double training_variance(const Model& model, const std::string& form) {
  constexpr double above_rounding = 1e-6;
  const double mse = result_of(model, form + "train_mse");
  const double missing = 1.0 - result_of(model, form + "train_r2");
  if (missing > above_rounding) return mse / missing;
  const bool in_own_units = model.scaling.target_form == TargetForm::identity || !form.empty();
  return in_own_units && is_standardized(model) ? std::pow(model.scaling.target_scale, 2) : std::nan("");
}

std::optional<Errors> errors_of_fit(const Model& model, const std::string& kind, const char* title,
                                    const std::string& rows) {
  // A model that was refitted from sufficient statistics has errors on the scale that was fitted.
  const std::string form = std::isnan(result_of(model, "transformed_train_mse")) ? "" : "transformed_";
  Errors errors{.rows = rows, .title = title};
  errors.mse = result_of(model, form + kind + "_mse");
  if (std::isnan(errors.mse)) return std::nullopt;
  if (!form.empty() && model.scaling.target_form != TargetForm::identity)
    errors.title += ", of " + fitted_target(model);
  errors.r2 = result_of(model, form + kind + "_r2");
  errors.standard_error = result_of(model, form + kind + "_se");
  errors.variance = training_variance(model, form);
  if (kind == "validation") {
    const FitErrors found = fit_errors(model);
    if (std::isfinite(found.constant)) errors.variance = found.constant * found.constant;
    errors.linear = found.linear;
  }
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
  if (auto found = errors_of_fit(model, "validation", "held-out rows", "")) all.push_back(*found);
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
    markup += fact(number_text(best.baseline()), "this error of the baseline, which always predicts the mean");
  }
  if (std::isfinite(best.linear)) markup += fact(number_text(best.linear), "this error of a linear model");
  return "<div class=\"facts\">\n" + markup + "</div>\n";
}

std::string sentence(const Model& model, const Errors& best) {
  if (!std::isfinite(best.baseline()) || best.baseline() == 0.0) return "";
  const auto fraction_of = [&](double other) {
    const double fraction = best.rmse() / other;
    return fraction < 0.001 ? "less than 0.1 %" : percent_text(fraction);
  };
  if (best.rmse() >= best.baseline()) {
    return paragraph(
        fmt::format("The model is no better than the mean of {}, which ignores the inputs.", model.target));
  }
  std::string text = fmt::format("The model's error is {} of the baseline's", fraction_of(best.baseline()));
  if (best.linear > 0.0) text += fmt::format(" and {} of the linear model's", fraction_of(best.linear));
  return paragraph(text + ".");
}

// Error of the model without kernel term, and how to get it.
std::string readable_paragraph(const Model& model) {
  const std::optional<ReadableModel> readable = readable_model(model);
  if (!readable) return "";
  return paragraph(fmt::format(
      "The model has a kernel term. Without it, the error on the held-out rows is {} ({}): fit with --max-order {}.",
      number_text(readable->error), increase_text(*readable), readable->max_order));
}

// The linear model's error is known on the held-out rows only.
std::string linear_paragraph(const Model& model, const Errors& best) {
  const FitErrors errors = fit_errors(model);
  if (std::isfinite(best.linear) || !std::isfinite(errors.linear)) return "";
  return paragraph(fmt::format("On the held-out rows the model's error is {}, and that of a linear model is {}.",
                               number_text(errors.estimated), number_text(errors.linear)));
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
  header.push_back({"RMSE, and that of the mean", "text"});
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

std::string about_left_out(const Model& model) {
  return fit_errors(model).is_independent
             ? "± is one standard error. The held-out rows were not used for model selection."
             : "± is one standard error. The held-out rows selected the model: on new rows its error may be larger.";
}

std::string quality_section(const Model& model, const TestRows* test) {
  if (has_scores_of_rows(model)) return loss_quality_section(model, test);
  const std::vector<Errors> all = all_errors(model, test);
  if (all.empty()) return section("good", "Quality", paragraph("The model file contains no errors."));
  std::string markup = facts(model, all.front()) + sentence(model, all.front()) + linear_paragraph(model, all.front()) +
                       readable_paragraph(model) + errors_table(all);
  if (!std::isnan(result_of(model, "validation_se"))) markup += paragraph(about_left_out(model), "soft");
  return section("good", "Quality", markup);
}

}  // namespace shrimp::report
