#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "convergence.hpp"
#include "data/file.hpp"
#include "data/scores.hpp"
#include "fit/term_names.hpp"
#include "interruptible_fit.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"
#include "summary.hpp"
#include "tell.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

// One method's outcome: a fit, or why there is none.
struct Row {
  std::string method;
  std::optional<FitResult> fit;
  std::optional<Scores> test;
  std::string failure;
};

struct CompareCommand {
  explicit CompareCommand(const Command& command) : arguments(command, false) {
    command.option("--methods", method_lists, "Methods to compare, separated by commas")
        .required()
        .value("A,B,C")
        .group("Method");
    command.option("--test", test, "Table with test rows, which no method uses for fitting, for test_mse")
        .value("TEST.csv");
    command.flag("--allow-unconverged", allow_unconverged,
                 "Accept a model even if its iterative method did not converge to the tolerance");
  }

  FitArguments arguments;
  std::vector<std::string> method_lists;
  std::string test;
  bool allow_unconverged = false;

  void run();
  [[nodiscard]] Row fit_one(const FitOptions& options, const std::string& name, const Dataset& train,
                            const std::optional<Dataset>& validation, const std::optional<Dataset>& tested) const;
};

// An option that none of the methods takes is a mistake; one that some take is for those.
void check_methods(const FitOptions& options, const std::vector<std::string>& methods) {
  for (const std::string& method : methods) static_cast<void>(options_for_method(options, method));
  for (const Parameter& parameter : fit_parameters()) {
    const auto takers = methods_that_take(parameter.name);
    if (takers.empty() || parameter.get(options) == parameter.get(FitOptions())) continue;
    if (std::ranges::find_first_of(takers, methods) != takers.end()) continue;
    throw OptionError(fmt::format("{} has no effect on any of these methods.\nRemove it, or compare with one of {}.",
                                  parameter.name, fmt::join(takers, ", ")));
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Row CompareCommand::fit_one(const FitOptions& options, const std::string& name, const Dataset& train,
                            const std::optional<Dataset>& validation, const std::optional<Dataset>& tested) const {
  Row row{name, {}, {}, ""};
  try {
    FitResult result = interruptible_fit(
        train, options, validation, std::nullopt, arguments.quiet, [](const AnyModel&) {}, name);
    if (!allow_unconverged) require_convergence(result, options);
    if (tested) row.test = score(result.model.predict(tested->X, options.machine.threads), tested->y);
    row.fit = std::move(result);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    row.failure = "memory is insufficient.";
  } catch (const std::exception& error) {
    row.failure = error.what();
  }
  return row;
}

// Rows appear as they are ready: whoever stops a long comparison has seen what was done.
class ComparisonTable {
 public:
  ComparisonTable(const std::vector<std::string>& methods, bool tested) {
    for (const std::string& method : methods) width_ = std::max(width_, method.size());
    write_file("-", fmt::format("{:<{}}  {}validation MSE{}  basis functions   terms   seconds\n", "method", width_,
                                tested ? "   test MSE        R2  " : "", tested ? "" : "        R2"));
  }

  void add(const Row& row) const {
    std::string line = fmt::format("{:<{}}  ", row.method, width_);
    if (row.fit) {
      if (row.test) line += fmt::format("{:>11.4g}  {:>8}  ", row.test->mse, r2_text(row.test->r2));
      line += fmt::format("{:>14.4g}", row.fit->validation_mse);
      if (!row.test) line += fmt::format("  {:>8}", r2_text(result_of(row.fit->model, "validation_r2")));
      line += fmt::format("  {:>15}  {:>6}  {:>8.3g}", row.fit->model.coefficients.size(), row.fit->model.terms.size(),
                          row.fit->seconds);
    } else {
      line += "failed: " + first_line(row.failure);
    }
    write_file("-", printable(line) + "\n");
  }

 private:
  std::size_t width_ = 6;
};

Json row_json(const Row& row) {
  Json json = Json::object();
  json["method"] = row.method;
  json["test_mse"] = row.test ? number_json(row.test->mse) : nullptr;
  json["test_r2"] = row.test ? number_json(row.test->r2) : nullptr;
  json["validation_mse"] = row.fit ? number_json(row.fit->validation_mse) : nullptr;
  json["validation_r2"] = row.fit ? number_json(result_of(row.fit->model, "validation_r2")) : nullptr;
  json["train_mse"] = row.fit ? number_json(row.fit->train_mse) : nullptr;
  json["basis_functions"] = row.fit ? Json(row.fit->model.coefficients.size()) : nullptr;
  json["terms"] = row.fit ? Json(row.fit->model.terms.size()) : nullptr;
  json["seconds"] = row.fit ? number_json(row.fit->seconds) : nullptr;
  json["error"] = row.fit ? nullptr : Json(row.failure);
  return json;
}

void CompareCommand::run() {
  const FitOptions options = arguments.options();
  if (options.loss == Loss::multinomial) {
    throw OptionError(
        "compare does not apply to loss multinomial, which only method auto fits.\nUse shrimp fit and shrimp "
        "evaluate.");
  }
  std::vector<std::string> methods;
  for (const std::string& list : method_lists) {
    for (std::string& name : parse_names("methods", list)) methods.push_back(std::move(name));
  }
  std::vector<ReadFile> inputs = arguments.files();
  inputs.push_back({"the test table", test});
  require_separate(inputs, {});
  check_methods(options, methods);
  const Dataset train = arguments.read_train(options);
  const std::optional<Dataset> validation = arguments.read_validation(options, train);
  std::optional<Dataset> tested;
  if (!test.empty()) tested = arguments.read_like(test, train, options);
  print_warnings(train.warnings, arguments.quiet);
  std::optional<ComparisonTable> table;
  if (!arguments.json) table.emplace(methods, tested.has_value());
  Json rows = Json::array();
  bool any = false;
  for (const std::string& method : methods) {
    const Row row = fit_one(options_for_method(options, method), method, train, validation, tested);
    if (row.fit) print_warnings(row.fit->warnings, arguments.quiet || any);
    if (row.fit && !any) print_warnings(row.fit->alerts, false);
    any = any || row.fit.has_value();
    rows.push_back(row_json(row));
    if (table) table->add(row);
  }
  if (arguments.json) {
    Json json = Json::object();
    json["schema_version"] = schema_version;
    json["methods"] = std::move(rows);
    write_data("-", json.dump(1) + "\n");
  }
  if (!any) throw std::runtime_error("no method produced a model.");
}

}  // namespace

void add_compare(const Command& app) {
  const Command command = app.add_command("compare", "Fit a table with several methods and compare their errors");
  auto state = std::make_shared<CompareCommand>(command);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
