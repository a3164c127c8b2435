#include <fmt/format.h>

#include <memory>

#include "any_model.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "summed_rows.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

struct SummarizeCommand {
  std::string model;
  std::string output;
  RowsToSum rows;

  void run() const {
    require_separate({{"the model", model}, {"the table", rows.data}}, {{"--output", output}});
    const Model fitted = load_model_to_refit(model);
    check_writable(output);
    const ModelSummary summary = sum_up_table(fitted, rows);
    save_summary(summary, output);
    if (rows.quiet) return;
    tell(fmt::format("shrimp: sufficient statistics of {} row{} written to {}\n", summary.rows(),
                     summary.rows() == 1 ? "" : "s", output == "-" ? "standard output" : output));
  }
};

}  // namespace

void add_summarize(const Command& app) {
  const Command command =
      app.add_command("summarize", "Compute sufficient statistics of rows for a model's basis functions");
  auto state = std::make_shared<SummarizeCommand>();
  command.option("MODEL.json", state->model, "Model that defines the basis functions").required();
  command
      .option("PART.csv", state->rows.data,
              "Table with rows to add; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--target", state->rows.target, "Column with the observed values (default: the model's target)")
      .value("NAME");
  command.option("--weights", state->rows.weights, "Column with row weights").value("NAME");
  command.option("--output", state->output, "File of sufficient statistics to write; - is standard output")
      .required()
      .value("FILE");
  command
      .option(
          "--fold", state->rows.fold,
          "Fold name: tables with equal names are held out together in cross-validation (default: one fold per table)")
      .value("NAME");
  command.threads(state->rows.threads);
  command.flag("-q,--quiet", state->rows.quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
