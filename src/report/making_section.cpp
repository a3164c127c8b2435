#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/json.hpp"
#include "model/model_loss.hpp"
#include "report/commands.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

std::string forms_text(const Model& model) {
  std::vector<std::string> parts;
  for (const auto& [input, form] : input_forms(model)) {
    parts.push_back(fmt::format("{} by {}", model.inputs[input], form == "log" ? "its logarithm" : "rank"));
  }
  if (parts.empty()) return "";
  return fmt::format("Transformed inputs: {}.", fmt::join(parts, ", "));
}

std::string target_text(const Model& model) {
  if (const std::string own = class_of(model); !own.empty()) {
    return fmt::format(
        "{} has several classes. {} is the linear predictor of class {}: the logarithm of its probability over the "
        "geometric mean of the probabilities of all classes. Effects and fractions of variance refer to it.",
        target_column(model), model.target, own);
  }
  if (model.scaling.target_form == TargetForm::identity) return "";
  if (model.classes.size() == 2) {
    return fmt::format(
        "{} has two classes, {} and {}. Effects and fractions of variance refer to the {}; predictions are the "
        "probability of {}.",
        model.target, model.classes[0], model.classes[1], fitted_target(model), class_text(model));
  }
  if (loss_of(model) == Loss::poisson) {
    return fmt::format(
        "{} is a count. Effects and fractions of variance refer to the logarithm of its rate; predictions are the "
        "rate.",
        model.target);
  }
  return fmt::format(
      "{0} was fitted as {1}: effects and fractions of variance refer to {1}, predictions and errors to {0}.",
      model.target, fitted_target(model));
}

std::string limits_text(const Model& model) {
  const InputRange range = clipping_range(model);
  const bool any = std::ranges::any_of(range.lowest, [](double low) { return std::isfinite(low); });
  return any ? "Inputs are clipped to the range of the training rows; shrimp predict reports the number of clipped "
               "rows."
             : "";
}

std::string options_table(const Model& model) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& [name, value] : model.options) {
    const bool given = model.given && model.given->contains(name);
    rows.push_back({{escaped(name), "text"}, {escaped(value), "text"}, {given ? "given" : "default", "text soft"}});
  }
  return table({{"option", "text"}, {"value", "text"}, {"", "text"}}, rows);
}

}  // namespace

std::string making_section(const Model& model) {
  std::string markup = paragraph(fmt::format("Method {}, {}, {}.", model.method, count_text(model.terms.size(), "term"),
                                             count_text(model.coefficients.size(), "basis function")));
  if (model.given) {
    markup += code_block(fit_command(model, "fit"));
    markup += paragraph("The fit is reproducible: equal rows, options and program versions give equal models.", "soft");
  }
  for (const std::string& text : {forms_text(model), target_text(model), limits_text(model)}) {
    if (!text.empty()) markup += paragraph(text);
  }
  if (!model.options.empty()) markup += folded("Every option", options_table(model));
  return section("made", "How the model was fitted", markup);
}

namespace {

std::string loading_of_classes(const Model& model, const std::string& file, const std::string& quoted) {
  std::string markup =
      code_block(fmt::format("shrimp predict {0} NEW.csv               # a class and probabilities for each "
                             "row\nshrimp evaluate {0} TEST.csv    "
                             "         # errors on rows with known {1}\nshrimp explain {0} NEW.csv --row 1 --class "
                             "{2}\nshrimp export {0} --to c "
                             "--class {2}",
                             file, target_column(model), shell_word(class_of(model))));
  markup += code_block(
      fmt::format("from shrimp import ShrimpClassifier\n\nmodel = ShrimpClassifier.load({})\n"
                  "model.predict_proba(X)  # X: a dataframe with these columns\nmodel.predict_terms(X)  # contribution "
                  "of each term, by class",
                  quoted));
  return markup + code_block(fmt::format("#include <shrimp/classes.hpp>\n\nconst shrimp::ClassModel model = "
                                         "shrimp::load_class_model({});\nconst shrimp::Matrix probabilities = "
                                         "model.predict_probabilities(X);",
                                         quoted));
}

}  // namespace

std::string loading_section(const Model& model, const std::string& model_file) {
  const std::string file = shell_word(model_file);
  const std::string quoted = Json(model_file).dump();
  std::string markup = paragraph(
      fmt::format("The model is the JSON file {}. New tables need its input columns, in any order; {} is not needed.",
                  model_file, target_column(model)));
  const std::string inputs = folded(fmt::format("The {} in their order", count_text(model.inputs.size(), "input")),
                                    paragraph(fmt::format("{}", fmt::join(model.inputs, ", "))));
  if (!class_of(model).empty()) {
    return section("load", "How to load the model", markup + loading_of_classes(model, file, quoted) + inputs);
  }
  markup += code_block(fmt::format(
      "shrimp predict {0} NEW.csv               # a prediction for each row\nshrimp evaluate {0} TEST.csv             "
      "# errors on rows with known {1}\nshrimp explain {0} NEW.csv --row 1       # contributions to one "
      "prediction\nshrimp export {0} --to c                 # or onnx, python, sql, latex",
      file, model.target));
  markup += code_block(fmt::format(
      "from shrimp import {0}\n\nmodel = {0}.load({1})\n{2}\nmodel.predict_terms(X)  # contribution of each term",
      model.classes.empty() ? "ShrimpRegressor" : "ShrimpClassifier", quoted,
      model.classes.empty() ? "model.predict(X)        # X: a dataframe with these columns"
                            : "model.predict_proba(X)  # X: a dataframe with these columns"));
  markup +=
      code_block(fmt::format("#include <shrimp/shrimp.hpp>\n\nconst shrimp::Model model = "
                             "shrimp::load_model({});\nconst std::vector<double> y = "
                             "model.predict(X);",
                             quoted));
  return section("load", "How to load the model", markup + inputs);
}

}  // namespace shrimp::report
