// The command line as its subcommands see it. CLI11, which takes long to compile, stays behind it in one file.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace shrimp::cli {

/// A former name of a command's option.
struct DeprecatedFlag {
  const CLI::App* app;
  std::string old_name;
  std::string removed_in;
  std::string new_name;
};

/// All of them, of every command.
using DeprecatedFlags = std::shared_ptr<std::vector<DeprecatedFlag>>;

/// An option of a command, to be described further.
class Option {
 public:
  Option(CLI::App* app, CLI::Option* option, DeprecatedFlags deprecated_flags)
      : app_(app), option_(option), deprecated_flags_(std::move(deprecated_flags)) {}

  Option& required();
  /// What stands for the value in help.
  Option& value(const std::string& name);
  Option& shows_default();
  Option& between(int lowest, int highest);
  Option& excludes(const Option& other);
  /// The heading that help shows it under, instead of the command's.
  Option& group(const std::string& title);
  /// Shown by --help-all alone.
  Option& seldom();
  /// A positional argument that takes all values that are left.
  Option& several();
  /// Refused where it is given twice.
  Option& once();
  /// A former name, as in "--law": accepted with a warning, refused beside the current name, not shown in help.
  Option& deprecated(const std::string& old_name, const std::string& removed_in);

 private:
  CLI::App* app_;
  CLI::Option* option_;
  DeprecatedFlags deprecated_flags_;
};

/// A command, or the program itself. Values are set where the command line names them, before the command runs.
class Command {
 public:
  Command(CLI::App* app, DeprecatedFlags deprecated_flags)
      : app_(app), deprecated_flags_(std::move(deprecated_flags)) {}

  /// The first command that is named runs.
  [[nodiscard]] Command add_command(const std::string& name, const std::string& help) const;
  void needs_a_command() const;
  void on_run(std::function<void()> run) const;

  /// The heading that help shows the following options under.
  void group(const std::string& title) const;

  /// `names` are flags, as in "-q,--quiet", or what a positional argument is called.
  Option option(const std::string& names, std::string& value, const std::string& help) const;
  /// One value each time that it is given.
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  Option option(const std::string& names, int& value, const std::string& help) const;
  /// --threads, of every command that has work to share out.
  void threads(int& value) const;
  Option option(const std::string& names, std::size_t& value, const std::string& help) const;
  Option option(const std::string& names, std::optional<std::size_t>& value, const std::string& help) const;
  Option option(const std::string& names, double& value, const std::string& help) const;
  Option option(const std::string& names, std::optional<double>& value, const std::string& help) const;
  Option flag(const std::string& names, bool& value, const std::string& help) const;

  /// Whether the command line names this option.
  [[nodiscard]] bool has(const std::string& flag) const;

 private:
  template <typename Value>
  Option add(const std::string& names, Value& value, const std::string& help) const;

  CLI::App* app_;
  DeprecatedFlags deprecated_flags_;
};

/// Reads the command line and runs the command that it names. Returns the exit status, 0 where help was asked for;
/// throws OptionError where the command line is wrong, and what the command throws.
int run_command_line(int argc, char** argv, const std::function<void(const Command&)>& add_commands);

struct TomlValue {
  bool is_list = false;
  std::vector<std::string> texts;  ///< One, or the elements of a list.
};

/// The values of a TOML text by their names.
std::map<std::string, TomlValue> parse_toml(const std::string& text);

}  // namespace shrimp::cli
