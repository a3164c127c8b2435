#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "data/names.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"

namespace shrimp::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::value(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::between(int lowest, int highest) {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Option& Option::separated_by_commas() {
  option_->delimiter(',');
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& help) const {
  return Command(app_->add_subcommand(name, help));
}

void Command::needs_a_command() const { app_->require_subcommand(1); }

void Command::on_run(std::function<void()> run) const { app_->callback(std::move(run)); }

Option Command::option(const std::string& names, std::string& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help) const {
  return Option(app_->add_option(names, values, help));
}

Option Command::option(const std::string& names, int& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::size_t& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::optional<std::size_t>& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, double& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::optional<double>& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) const {
  return Option(app_->add_flag(names, value, help));
}

bool Command::has(const std::string& flag) const { return app_->get_option(flag)->count() > 0; }

namespace {

std::string suggest_command(const CLI::App& app, const std::string& wanted) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string near = suggest_names(names, wanted);
  return near.starts_with("Did") ? near : fmt::format("The commands are {}.", fmt::join(names, ", "));
}

}  // namespace

int run_command_line(int argc, char** argv, const std::function<void(const Command&)>& add_commands) {
  CLI::App app("Learns sparse, low-order, readable regression models from tables.", "shrimp");
  app.set_version_flag("--version", shrimp::version);
  app.require_subcommand(1);
  add_commands(Command(&app));
  const std::string first = argc > 1 ? argv[1] : "";
  const auto named = [&](const CLI::App* command) { return command->get_name() == first; };
  if (!first.empty() && !first.starts_with('-') && std::ranges::none_of(app.get_subcommands({}), named)) {
    throw OptionError(
        fmt::format("there is no command \"{}\".\n{} See shrimp --help.", first, suggest_command(app, first)));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const std::string command = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
    throw OptionError(fmt::format("{}\nSee shrimp {}--help.", error.what(), command));
  }
  return 0;
}

std::map<std::string, std::string> parse_toml(const std::string& text) {
  std::map<std::string, std::string> values;
  std::istringstream stream(text);
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of sections.
    std::string value;
    for (const std::string& input : item.inputs) value += (value.empty() ? "" : ",") + input;
    values[item.name] = value;
  }
  return values;
}

}  // namespace shrimp::cli
