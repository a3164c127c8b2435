#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <new>
#include <string>

#include "commands.hpp"
#include "data/names.hpp"
#include "interruptible_fit.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"

namespace {

enum ExitCode { bad_data = 1, bad_flag = 2, bad_model = 3, interrupted = 130 };

// "shrimp: " before the first line, and the way out indented below it.
int complain(const std::string& message, ExitCode code) {
  std::string text = "shrimp: ";
  for (const char c : message) {
    text += c;
    if (c == '\n') text += "        ";
  }
  fmt::print(stderr, "{}\n", text);
  return code;
}

std::string suggest_command(const CLI::App& app, const std::string& wanted) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string near = shrimp::suggest_names(names, wanted);
  return near.starts_with("Did") ? near : fmt::format("The commands are {}.", fmt::join(names, ", "));
}

int run(int argc, char** argv) {
  CLI::App app("Learns sparse, low-order, readable regression models from tables.", "shrimp");
  app.set_version_flag("--version", shrimp::version);
  app.require_subcommand(1);
  shrimp::cli::add_fit(app);
  shrimp::cli::add_predict(app);
  shrimp::cli::add_evaluate(app);
  shrimp::cli::add_inspect(app);
  shrimp::cli::add_path(app);
  shrimp::cli::add_compare(app);
  shrimp::cli::add_experiment(app);
  shrimp::cli::add_theory(app);
  const std::string first = argc > 1 ? argv[1] : "";
  const auto named = [&](const CLI::App* command) { return command->get_name() == first; };
  if (!first.empty() && !first.starts_with('-') && std::ranges::none_of(app.get_subcommands({}), named)) {
    return complain(
        fmt::format("there is no command \"{}\".\n{} See shrimp --help.", first, suggest_command(app, first)),
        bad_flag);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const std::string command = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
    return complain(fmt::format("{}\nSee shrimp {}--help.", error.what(), command), bad_flag);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  shrimp::cli::install_signal_handlers();
  try {
    return run(argc, argv);
  } catch (const shrimp::OptionError& error) {
    return complain(error.what(), bad_flag);
  } catch (const shrimp::ModelFileError& error) {
    return complain(error.what(), bad_model);
  } catch (const shrimp::Interrupted&) {
    return complain("interrupted.", interrupted);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory.\nGive fewer features or fewer rows.", bad_data);
  } catch (const std::exception& error) {
    return complain(error.what(), bad_data);
  }
}
