#include <fmt/format.h>

#include <memory>

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
    const Model fitted = load_model(model);
    require_refit(fitted, model);
    check_writable(output);
    const ModelSummary summary = sum_up_table(fitted, rows);
    save_summary(summary, output);
    if (rows.quiet) return;
    tell(fmt::format("shrimp: {} row{} summed up in {}\n", summary.rows(), summary.rows() == 1 ? "" : "s",
                     output == "-" ? "standard output" : output));
  }
};

}  // namespace

void add_summarize(const Command& app) {
  const Command command = app.add_command("summarize", "Sum up a part of a table for a model's columns");
  auto state = std::make_shared<SummarizeCommand>();
  command.option("MODEL.json", state->model, "Model that names the columns").required();
  command
      .option("PART.csv", state->rows.data,
              "Rows to sum up; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--target", state->rows.target, "Column with the true values; the model's target if not given")
      .value("NAME");
  command.option("--weights", state->rows.weights, "Column that says how much each row counts").value("NAME");
  command.option("--output", state->output, "Summary file to write; - is standard output").required().value("FILE");
  command
      .option("--fold", state->rows.fold,
              "Parts of the same name are held out together when the error is told; each by itself if not given")
      .value("NAME");
  command.threads(state->rows.threads);
  command.flag("-q,--quiet", state->rows.quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
