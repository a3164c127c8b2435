#include <fmt/format.h>

#include <memory>
#include <optional>

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

struct MergeCommand {
  std::string model;
  std::vector<std::string> parts;
  std::string output;
  std::string summary;
  int threads = 0;
  bool json = false;
  bool quiet = false;

  void run() const {
    if (json && (output == "-" || summary == "-")) {
      throw OptionError("--json and --output - would both write to standard output.\nGive a file to --output.");
    }
    std::vector<ReadFile> summaries;
    for (const std::string& part : parts) summaries.push_back({"a summary", part});
    // The model may be replaced: that is how an update that was cut short is completed.
    require_separate(summaries, {{"--output", output}, {"--summary", summary}});
    require_separate({{"the model", model}}, {{"--summary", summary}});
    std::optional<LockedSummary> locked;
    if (!summary.empty() && summary != "-") locked.emplace(lock_summary(summary, quiet));
    const Model fitted = load_model_to_refit(model);
    check_writable(output);
    if (!summary.empty()) check_writable(summary);
    const ThreadScope scope(threads);
    ModelSummary all = load_summary_of(fitted, parts.front());
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const ModelSummary part = load_summary_of(fitted, parts[k]);
      warn_of_repeated_tables(all, part, parts[k], quiet);
      all.merge(part);
    }
    const Model again = refit(fitted, all);
    all.set_model(again);
    if (locked) {
      locked->save(all);
    } else if (!summary.empty()) {
      save_summary(all, summary);
    }
    save_model(again, output);
    if (!quiet) tell(fmt::format("shrimp: model written to {}\n", output == "-" ? "standard output" : output));
    if (output != "-") write_file("-", printable(refit_text(again, all, json)));
  }
};

}  // namespace

void add_merge(const Command& app) {
  const Command command =
      app.add_command("merge", "Fit a model's basis functions to sufficient statistics from several files");
  auto state = std::make_shared<MergeCommand>();
  command.option("MODEL.json", state->model, "Model for which the statistics were computed").required();
  command.option("PART.summary", state->parts, "Files of sufficient statistics, in any order").required().several();
  command.option("--output", state->output, "Model file to write; - is standard output").required().value("NEW.json");
  command.option("--summary", state->summary, "File to write with the sufficient statistics of all rows, for update")
      .value("FILE");
  command.threads(state->threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->quiet, "Suppress the message that names the model file");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
