#include "experiments/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "commands.hpp"
#include "data/file.hpp"
#include "data/names.hpp"
#include "experiments/measure.hpp"
#include "fit/device_choice.hpp"
#include "shrimp/errors.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

using experiments::Experiment;

struct ExperimentCommand {
  std::string name;
  experiments::Settings settings;
  bool list = false;
  bool quiet = false;

  void run();
};

std::string list_text() {
  std::string text;
  for (const Experiment& experiment : experiments::all_experiments()) {
    text += fmt::format("{:<15} {}{}\n", std::string(experiment.name), std::string(experiment.title),
                        experiment.needs_data ? " (needs --data)" : "");
  }
  return text + fmt::format("{:<15} all experiments\n", "all");
}

std::vector<Experiment> named(const std::string& name) {
  std::vector<Experiment> chosen;
  std::vector<std::string> names = {"all"};
  for (const Experiment& experiment : experiments::all_experiments()) {
    names.emplace_back(experiment.name);
    if (name == "all" || name == experiment.name) chosen.push_back(experiment);
  }
  if (!chosen.empty()) return chosen;
  throw OptionError(fmt::format("there is no experiment \"{}\".\n{} See shrimp experiment --list.", name,
                                suggest_names(names, name)));
}

std::string time_text(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

// One line that is written over on a terminal, one line a task elsewhere.
void show(const Experiment& experiment, const experiments::Progress& progress) {
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const std::string left = progress.done == 0 ? "" : fmt::format(", about {} left", time_text(progress.seconds_left));
  draw(fmt::format("{}{} {} of {}{}: {}{}", terminal ? "\r\033[K" : "", std::string(experiment.name), progress.done + 1,
                   progress.total, left, progress.key, terminal ? "" : "\n"));
  std::fflush(stderr);
}

void ExperimentCommand::run() {
  if (list) {
    write_file("-", list_text());
    return;
  }
  FitOptions machine;
  experiments::take_machine(machine, settings);
  (void)choose_device(machine);  // Throws where there is none, before the first task does.
  if (name.empty()) throw OptionError("the name of an experiment is missing.\nGive one of shrimp experiment --list.");
  if (settings.data.empty()) {
    const char* folder = std::getenv("SHRIMP_DATA");
    settings.data = folder != nullptr ? folder : "";
  }
  for (const Experiment& experiment : named(name)) {
    if (experiment.needs_data && settings.data.empty()) {
      const std::string missing =
          fmt::format("{} needs the real data sets.\nGive their folder with --data DIR or SHRIMP_DATA.",
                      std::string(experiment.name));
      if (name != "all") throw OptionError(missing);
      tell(fmt::format("shrimp: warning: {}\n", missing));
      continue;
    }
    experiments::run_experiment(experiment, settings, [&](const experiments::Progress& progress) {
      if (!quiet) show(experiment, progress);
    });
    if (!quiet && ::isatty(STDERR_FILENO) != 0) draw("\r\033[K");
    write_file("-", fmt::format("{}/{}/index.html\n", settings.output, std::string(experiment.name)));
  }
}

}  // namespace

void add_experiment(const Command& app) {
  const Command command = app.add_command("experiment", "Run an experiment of the paper and write its results page");
  auto state = std::make_shared<ExperimentCommand>();
  state->settings.output = "shrimp-experiments";
  command.option("NAME", state->name, "Experiment to run, or all");
  command.flag("--list", state->list, "List the experiments");
  command.flag("--quick", state->settings.quick, "Use small sizes, as a quick test");
  command.flag("--long", state->settings.long_runs, "Include basis pursuit in high dimension, which takes hours");
  command.option("--runs", state->settings.runs, "Number of runs to average (default: the paper's)").between(1, 1000);
  command.option("--seed", state->settings.seed, "Random seed of the first run");
  command.option("--data", state->settings.data, "Folder with the real data sets and their manifest.json").value("DIR");
  command.option("--output", state->settings.output, "Folder for results and pages; existing results are reused")
      .value("DIR");
  command.threads(state->settings.threads);
  command.option("--device", state->settings.device, "Device for large matrix products: cpu, cuda or auto").value("D");
  command.flag("-q,--quiet", state->quiet, "No progress");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
