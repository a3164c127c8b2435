#include <fmt/format.h>

#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "interruptible_fit.hpp"
#include "separate_files.hpp"
#include "summary.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

struct PathCommand {
  explicit PathCommand(const Command& command) : arguments(command) {
    command.option("--test", test, "Table with test rows for test_mse").value("TEST.csv");
    command.option("--output", output, "CSV file to write (default: standard output)").value("FILE");
  }

  FitArguments arguments;
  std::string test;
  std::string output = "-";

  void run();
};

std::string to_csv(const FitResult& result) {
  std::string text = "step,basis_functions,rank,train_mse,validation_mse,test_mse,lambda_max,lambda_min,chosen\n";
  for (const PathRecord& record : result.path) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{}\n", record.step, record.basis_functions, record.rank, record.train_mse,
                    record.validation_mse, record.test_mse ? fmt::format("{}", *record.test_mse) : "",
                    record.lambda_max, record.lambda_min, record.step == result.chosen ? 1 : 0);
  }
  return text;
}

std::string to_json(const FitResult& result) {
  Json json = Json::object();
  json["schema_version"] = schema_version;
  json["order"] = result.order;
  json["pruning_rate"] = result.prune_rate > 0.0 ? number_json(result.prune_rate) : nullptr;
  json["steps"] = Json::array();
  for (const PathRecord& record : result.path) {
    json["steps"].push_back({{"step", record.step},
                             {"basis_functions", record.basis_functions},
                             {"rank", record.rank},
                             {"train_mse", number_json(record.train_mse)},
                             {"validation_mse", number_json(record.validation_mse)},
                             {"test_mse", record.test_mse ? number_json(*record.test_mse) : nullptr},
                             {"lambda_max", number_json(record.lambda_max)},
                             {"lambda_min", number_json(record.lambda_min)}});
  }
  json["chosen"] = result.chosen;
  return json.dump(1) + "\n";
}

void PathCommand::run() {
  FitOptions options = arguments.options();
  options.prune.spectrum = true;
  std::vector<ReadFile> inputs = arguments.files();
  inputs.push_back({"the test table", test});
  require_separate(inputs, {{"--output", output}});
  check_writable(output);
  const Dataset train = arguments.read_train(options);
  const std::optional<Dataset> validation = arguments.read_validation(options, train);
  std::optional<Dataset> tested;
  if (!test.empty()) tested = arguments.read_like(test, train, options);
  print_warnings(train.warnings, arguments.quiet);
  const FitResult result =
      interruptible_fit(train, options, validation, tested, arguments.quiet, [](const AnyModel&) {});
  print_warnings(result.warnings, arguments.quiet);
  print_warnings(result.alerts, false);
  write_data(output, arguments.json ? to_json(result) : to_csv(result));
}

}  // namespace

void add_path(const Command& app) {
  const Command command = app.add_command("path", "Fit a table and write every step of the prune path");
  auto state = std::make_shared<PathCommand>(command);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
