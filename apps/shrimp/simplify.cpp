#include "shrimp/simplify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "any_model.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "data/scores.hpp"
#include "model/model_loss.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "summary.hpp"
#include "summed_rows.hpp"
#include "tell.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

// Errors are of what was fitted, where that is a form of the target.
double error_of(const Model& model, const std::string& name) {
  const std::string prefix = model.scaling.target_form == TargetForm::identity ? "" : "transformed_";
  return result_of(model, (prefix + name).c_str());
}

Json size_and_errors(const Model& model) {
  Json object = {{"terms", model.terms.size()}, {"basis_functions", model.coefficients.size()}};
  for (const char* name : {"train_mse", "train_r2", "validation_mse", "validation_se", "validation_r2"}) {
    object[name] = number_json(error_of(model, name));
  }
  add_loss_json(model, object);
  return object;
}

std::vector<Term> terms_gone(const Simplified& simplified) {
  std::vector<Term> gone;
  std::ranges::copy_if(simplified.before.terms, std::back_inserter(gone), [&](const Term& term) {
    const std::vector<Term>& left = simplified.model.terms;
    return std::ranges::find(left, term.variables, &Term::variables) == left.end();
  });
  return gone;
}

std::string json_text(const Simplified& simplified) {
  Model gone = simplified.before;
  gone.terms = terms_gone(simplified);
  const Json object = {{"schema_version", schema_version},
                       {"rows", simplified.summary.rows()},
                       {"folds", simplified.summary.folds()},
                       {"target_transform", target_form_name(simplified.model)},
                       {"before", size_and_errors(simplified.before)},
                       {"after", size_and_errors(simplified.model)},
                       {"terms", terms_json(simplified.model)},
                       {"removed", terms_json(gone)}};
  return object.dump(1) + "\n";
}

std::string line(const char* label, const std::string& text) {
  constexpr std::size_t width = 12;
  return fmt::format("{:<{}}{}\n", label, width, wrap(text, width, width));
}

std::string size_text(const Model& model) {
  const auto count = [](std::size_t number, const char* noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
  };
  std::string text =
      fmt::format("{}, {}: ", count(model.terms.size(), "term"), count(model.coefficients.size(), "basis function"));
  if (loss_of(model) != Loss::squared) {
    const LossErrors errors = loss_errors(model);
    if (!errors.validation.empty()) text += fmt::format("validation {}, ", errors.validation);
    return text + "training " + errors.training;
  }
  if (!std::isnan(error_of(model, "validation_mse"))) {
    text += fmt::format("validation MSE {:.4g} ± {:.1g} (R2 {}), ", error_of(model, "validation_mse"),
                        error_of(model, "validation_se"), r2_text(error_of(model, "validation_r2")));
  }
  return text +
         fmt::format("training MSE {:.4g} (R2 {})", error_of(model, "train_mse"), r2_text(error_of(model, "train_r2")));
}

// What the errors are of.
std::string errors_text(const Simplified& simplified, const std::string& rows, bool was_chosen) {
  const Model& model = simplified.model;
  const bool of_fitted = loss_of(model) == Loss::squared && model.scaling.target_form != TargetForm::identity;
  std::string text = of_fitted ? fmt::format("of {}; ", fitted_target(model)) : "";
  text += fmt::format("both models are fitted to the {} rows of {}", simplified.summary.rows(), rows);
  const std::size_t folds = simplified.summary.folds();
  if (folds < 2) return text;
  return text + fmt::format("; validation by {}-fold cross-validation{}", folds,
                            was_chosen ? ", which also chose the terms to keep" : "");
}

std::string people_text(const Simplified& simplified, const std::string& rows, bool was_chosen) {
  std::vector<std::string> gone;
  for (const Term& term : terms_gone(simplified)) gone.push_back(simplified.before.short_term_name(term));
  std::string text = line("before", size_text(simplified.before)) + line("after", size_text(simplified.model));
  if (!gone.empty()) text += line("removed", fmt::format("{}", fmt::join(gone, ", ")));
  return text + line("errors", errors_text(simplified, rows, was_chosen));
}

struct SimplifyCommand {
  std::string model;
  std::string summary;
  std::string output;
  std::string new_summary;
  RowsToSum rows;
  SimplifyOptions options;
  bool json = false;

  void run() const {
    if (json && (output == "-" || new_summary == "-")) {
      throw OptionError(
          "--json and - as an output file would both write to standard output.\nGive files to --output and "
          "--new-summary.");
    }
    if (summary.empty() == rows.data.empty()) {
      throw OptionError(
          "the rows to refit the remaining coefficients to are missing.\nGive --summary FILE or --data TABLE.csv, but "
          "not both.");
    }
    require_separate({{"the model", model}, {"the summary", summary}, {"the table", rows.data}},
                     {{"--output", output}, {"--new-summary", new_summary}});
    const Model fitted = load_model_to_refit(model);
    check_writable(output);
    if (!new_summary.empty()) check_writable(new_summary);
    const ModelSummary sums = summary.empty() ? sum_up_table(fitted, rows) : load_summary_of(fitted, summary);
    SimplifyOptions asked = options;
    asked.threads = rows.threads;
    Simplified simplified = simplify(fitted, sums, asked);
    if (summary.empty()) {
      RowsToSum quiet = rows;
      quiet.quiet = true;
      refine(simplified, [&](const Model& current) { return sum_up_table(current, quiet); });
    }
    if (!new_summary.empty()) save_summary(simplified.summary, new_summary);
    save_model(simplified.model, output);
    print_warnings(simplified.notes, rows.quiet);
    if (!rows.quiet) tell(fmt::format("shrimp: model written to {}\n", output == "-" ? "standard output" : output));
    const std::string& of = summary.empty() ? rows.data : summary;
    if (output != "-")
      write_data("-", json ? json_text(simplified) : printable(people_text(simplified, of, options.drop.empty())));
  }
};

}  // namespace

void add_simplify(const Command& app) {
  const Command command = app.add_command("simplify", "Remove terms from a model and report the change in error");
  auto state = std::make_shared<SimplifyCommand>();
  state->rows.folds = 5;
  command.option("MODEL.json", state->model, "Model to simplify").required();
  command
      .option("--terms", state->options.terms,
              "Maximum number of terms; the term whose removal costs least is removed first")
      .value("K");
  command.option("--basis-functions", state->options.basis_functions, "Maximum number of basis functions")
      .value("K")
      .deprecated("--columns", "0.5");
  command
      .option("--drop", state->options.drop,
              "Term to remove, named as inspect prints it, such as x1 or '(x1, x2)'; may be repeated")
      .value("TERM");
  command.option("--summary", state->summary, "File of sufficient statistics to refit to, written by fit --summary")
      .value("FILE");
  command
      .option("--data", state->rows.data,
              "Table to refit to, such as the training table; - is standard input; columns are matched by name")
      .value("TABLE.csv");
  command
      .option("--target", state->rows.target, "Column of --data with the observed values (default: the model's target)")
      .value("NAME");
  command.option("--weights", state->rows.weights, "Column of --data with row weights").value("NAME");
  command.option("--output", state->output, "Model file to write; - is standard output").required().value("NEW.json");
  command
      .option("--new-summary", state->new_summary,
              "File to write with the sufficient statistics of the smaller model, for update")
      .value("FILE");
  command.threads(state->rows.threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->rows.quiet, "Suppress warnings and the message that names the model file");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
