#include <fmt/format.h>

#include <memory>

#include "any_model.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "summed_rows.hpp"
#include "tell.hpp"
#include "text.hpp"
#include "threads/threads.hpp"

namespace shrimp::cli {
namespace {

struct UpdateCommand {
  std::string model;
  std::string summary;
  std::string output;
  RowsToSum rows;
  bool json = false;

  void run() const {
    if (json && output == "-") {
      throw OptionError("--json and --output - would both write to standard output.\nGive a file to --output.");
    }
    if (summary == "-") throw OptionError("--summary - cannot be both read and written.\nGive a file to --summary.");
    const std::string& written = output.empty() ? model : output;
    // The model may be replaced, as it is where --output is not given.
    require_separate({{"the table", rows.data}}, {{"--output", written}, {"--summary", summary}});
    require_separate({{"the model", model}}, {{"--summary", summary}});
    LockedSummary locked = lock_summary(summary, rows.quiet);
    const Model fitted = load_model_to_refit(model);
    ModelSummary all = load_summary_of(fitted, summary);
    require_pair(all, fitted);
    check_writable(written);
    check_writable(summary);
    const ModelSummary added = sum_up_table(fitted, rows);
    const ThreadScope scope(rows.threads);
    warn_of_repeated_tables(all, added, rows.data, rows.quiet);
    all.merge(added);
    const Model again = refit(fitted, all);
    all.set_model(again);
    save_both(locked, all, again, written);
    if (!rows.quiet) {
      tell(fmt::format("shrimp: {} row{} added; model written to {}\n", added.rows(), added.rows() == 1 ? "" : "s",
                       written == "-" ? "standard output" : written));
    }
    if (written != "-") write_file("-", printable(refit_text(again, all, json)));
  }

 private:
  [[nodiscard]] std::string remedy() const {
    return fmt::format("To fit the model to all rows in {3}, run `shrimp merge {0} {1} --output {2}`.", model, summary,
                       output.empty() ? model : output, summary);
  }

  // Rows that were summed up in an update that was cut short would count twice if it were run again.
  void require_pair(const ModelSummary& all, const Model& fitted) const {
    if (all.may_belong_to(fitted)) return;
    throw DataError(fmt::format(
        "{} and {} do not describe the same rows: an update was interrupted, or the files do not match.\n{}", summary,
        model, remedy()));
  }

  // The summary first: with it alone, the model can be made again, and no row is lost.
  void save_both(LockedSummary& locked, const ModelSummary& all, const Model& again, const std::string& written) const {
    locked.save(all);
    try {
      save_model(again, written);
    } catch (const FileError& error) {
      throw FileError(fmt::format("{}\nThe new rows are in {}. {}", error.what(), summary, remedy()));
    }
  }
};

}  // namespace

void add_update(const Command& app) {
  const Command command = app.add_command("update", "Refit a model's basis functions with additional rows");
  auto state = std::make_shared<UpdateCommand>();
  command.option("MODEL.json", state->model, "Model to update").required();
  command
      .option("NEW.csv", state->rows.data,
              "Table with rows to add; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command
      .option("--summary", state->summary,
              "File of sufficient statistics written by fit --summary; updated with the new rows")
      .required()
      .value("FILE");
  command.option("--target", state->rows.target, "Column with the observed values (default: the model's target)")
      .value("NAME");
  command.option("--weights", state->rows.weights, "Column with row weights").value("NAME");
  command
      .option("--fold", state->rows.fold,
              "Fold name: rows with equal names are held out together in cross-validation (default: one new fold)")
      .value("NAME");
  command.option("--output", state->output, "Model file to write (default: MODEL.json)").value("NEW.json");
  command.threads(state->rows.threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->rows.quiet, "Suppress warnings and the message that names the model file");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
