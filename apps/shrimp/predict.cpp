#include <fmt/format.h>

#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "shrimp/model.hpp"
#include "shrimp/table.hpp"

namespace shrimp::cli {
namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  int threads = 0;
  bool quiet = false;

  void run() const {
    const Model fitted = load_model(model);
    const Table table = read_named(data, fitted.inputs, threads);
    print_warnings(table.warnings, quiet);
    std::string text = "prediction\n";
    for (const double value : fitted.predict(select_columns(table, fitted.inputs, data), threads)) {
      text += fmt::format("{}\n", value);
    }
    write_file(output, text);
  }
};

}  // namespace

void add_predict(CLI::App& app) {
  CLI::App* command = app.add_subcommand("predict", "Predict the rows of a table");
  auto state = std::make_shared<PredictCommand>();
  command->add_option("MODEL.json", state->model, "Model that fit wrote")->required();
  command->add_option("DATA.csv", state->data, "Rows to predict; - is standard input; columns are matched by name")
      ->required();
  command->add_option("--output", state->output, "CSV file to write; - is standard output")->type_name("OUT.csv");
  command->add_option("--threads", state->threads, "Threads to use; 0 means every core")->check(CLI::Range(0, 1024));
  command->add_flag("-q,--quiet", state->quiet, "No warnings");
  command->callback([state] { state->run(); });
}

}  // namespace shrimp::cli
