#include <fmt/format.h>

#include <memory>

#include "any_model.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "convergence.hpp"
#include "data/file.hpp"
#include "fit/check.hpp"
#include "interruptible_fit.hpp"
#include "objective/objective.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"
#include "summary.hpp"
#include "summed_rows.hpp"
#include "tell.hpp"
#include "text.hpp"
#include "understood.hpp"

namespace shrimp::cli {
namespace {

struct FitCommand {
  explicit FitCommand(const Command& command) : arguments(command) {
    command.option("--output", output, "Model file to write; - is standard output").value("MODEL.json");
    command
        .option("--summary", summary,
                "File to write with the model's sufficient statistics, to which update can add rows")
        .value("FILE")
        .seldom();
    command.flag("--dry-run", dry_run, "Only list the inferred type of each column; do not fit");
    command
        .flag("--allow-unconverged", allow_unconverged,
              "Accept the model even if its iterative method did not converge to the tolerance")
        .seldom();
  }

  FitArguments arguments;
  std::string output;
  std::string summary;
  bool allow_unconverged = false;
  bool dry_run = false;

  void check_summary(const FitOptions& options) const;
  void run();
  [[nodiscard]] FitResult fit_table(const FitOptions& options, const std::function<void(const AnyModel&)>& save) const;
  void accept(const FitResult& result, const FitOptions& options,
              const std::function<void(const AnyModel&)>& save) const;
};

Json result_json(const FitResult& result, const FitOptions& options) {
  const Model& model = result.class_model ? result.class_model->shared : result.model;
  Json json = Json::object();
  json["schema_version"] = schema_version;
  json["method"] = model.method;
  if (result.order.size() == 1) {
    json["order"] = result.order.front();
  } else {
    json["order"] = result.order;
  }
  json["features_drawn"] = result.features_drawn;
  json["basis_functions_drawn"] = result.basis_functions_drawn;
  json["basis_functions"] = model.dictionary.columns();
  json["pruning_rate"] = result.prune_rate > 0.0 ? number_json(result.prune_rate) : nullptr;
  json["validation_mse"] = number_json(result.validation_mse);
  json["validation_se"] = result.validation_se ? number_json(*result.validation_se) : nullptr;
  json["train_mse"] = number_json(result.train_mse);
  json["validation_r2"] = number_json(result_of(model, "validation_r2"));
  json["train_r2"] = number_json(result_of(model, "train_r2"));
  json["seconds"] = result.seconds;
  json["threads"] = result.threads;
  json["device"] = result.device;
  json["seed"] = options.seed;
  json["terms"] = result.class_model ? terms_json(*result.class_model) : terms_json(model);
  json["fraction_above_order_three"] = number_json(result_of(model, "fraction_above_order_three"));
  json["lambda"] = result.penalty > 0.0 ? number_json(result.penalty) : nullptr;
  json["converged"] = result.converged;
  json["duality_gap"] = number_json(result.duality_gap);
  json["transforms"] = forms_json(model);
  json["target_transform"] = target_form_name(model);
  json["loss"] = name_of(options.loss);
  if (!model.classes.empty()) json["classes"] = model.classes;
  if (result.class_model) json["classes"] = result.class_model->classes;
  for (const std::string kind : {"train_", "validation_", "baseline_mean_", "baseline_linear_"}) {
    for (const std::string_view metric :
         {std::string_view("mse"), objective_of(options.loss).metric.key, std::string_view("brier")}) {
      const auto found = model.results.find(kind + std::string(metric));
      if (found != model.results.end() && !json.contains(found->first)) {
        json[found->first] = number_json(found->second);
      }
    }
  }
  for (const char* name : {"readable_mse", "readable_max_order", "readable_terms", "readable_basis_functions"}) {
    const auto found = model.results.find(name);
    if (found == model.results.end()) continue;
    const bool is_count = std::string_view(name) != "readable_mse";
    json[name] = is_count ? Json(static_cast<std::size_t>(found->second)) : number_json(found->second);
  }
  return json;
}

FitResult FitCommand::fit_table(const FitOptions& options, const std::function<void(const AnyModel&)>& save) const {
  if (const std::unique_ptr<RowBlocks> blocks = arguments.stream_train(options)) {
    print_warnings(blocks->heading().warnings, arguments.quiet);
    if (!arguments.quiet) tell(understood_lines(blocks->heading()));
    const std::size_t printed = blocks->heading().warnings.size();
    FitResult result = interruptible_fit(*blocks, options, arguments.quiet, save);
    const std::vector<std::string>& warnings = blocks->heading().warnings;
    result.warnings.insert(result.warnings.begin(), warnings.begin() + static_cast<std::ptrdiff_t>(printed),
                           warnings.end());
    accept(result, options, save);
    if (!summary.empty()) save_summary(sum_up_fit(load_model(output), *blocks, options), summary);
    return result;
  }
  const Dataset train = arguments.read_train(options);
  const std::optional<Dataset> validation = arguments.read_validation(options, train);
  print_warnings(train.warnings, arguments.quiet);
  if (!arguments.quiet) {
    check_fit(encode_inputs(train), options, nullptr, nullptr);  // What is refused is refused before anything is told.
    tell(understood_lines(train) + arguments.target_line(train, options));
  }
  FitResult result = interruptible_fit(train, options, validation, std::nullopt, arguments.quiet, save);
  accept(result, options, save);
  if (!summary.empty()) save_summary(sum_up_fit(load_model(output), train, options), summary);
  return result;
}

void FitCommand::accept(const FitResult& result, const FitOptions& options,
                        const std::function<void(const AnyModel&)>& save) const {
  print_warnings(result.warnings, arguments.quiet);
  print_warnings(result.alerts, false);
  if (!allow_unconverged) require_convergence(result, options);
  if (result.class_model) {
    save(*result.class_model);
  } else {
    save(result.model);
  }
}

// Before hours of work.
void FitCommand::check_summary(const FitOptions& options) const {
  if (output.empty() || output == "-" || summary == "-") {
    throw OptionError("--summary needs a model file.\nGive a file to both --output and --summary.");
  }
  Model empty;
  empty.method = options.method;
  empty.options["loss"] = name_of(options.loss);
  empty.options["exposure"] = arguments.exposure();
  require_refit(empty, "a model");
  check_writable(summary);
}

void FitCommand::run() {
  if (arguments.json && output == "-") {
    throw OptionError("--json and --output - would both write to standard output.\nGive a file to --output.");
  }
  const FitOptions options = arguments.options();
  require_separate(arguments.files(), {{"--output", output}, {"--summary", summary}});
  if (dry_run) {
    const Dataset train = arguments.read_train(options);
    print_warnings(train.warnings, arguments.quiet);
    write_file("-", printable(understood_table(train, arguments.ignored())));
    return;
  }
  if (!summary.empty()) check_summary(options);
  if (!output.empty()) check_writable(output);
  const auto save = [&](const AnyModel& model) {
    if (output.empty()) return;
    AnyModel saved = model;
    if (const std::string words = arguments.missing_words(); !words.empty())
      shared_part(saved).options["missing"] = words;
    save_model(saved, output);
    if (!arguments.quiet)
      tell(fmt::format("shrimp: model written to {}\n", output == "-" ? "standard output" : output));
  };
  const FitResult result = fit_table(options, save);
  if (arguments.json) {
    write_data("-", result_json(result, options).dump(1) + "\n");
  } else if (output != "-") {
    write_file("-", printable(result.class_model ? describe(*result.class_model, arguments.verbose)
                                                 : describe(result.model, arguments.verbose)));
  }
  if (output.empty() && !arguments.json && !arguments.quiet) {
    tell("shrimp: the model was not saved. To save it, give --output MODEL.json.\n");
  }
}

}  // namespace

void add_fit(const Command& app) {
  const Command command = app.add_command("fit", "Fit a model to a table");
  auto state = std::make_shared<FitCommand>(command);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
