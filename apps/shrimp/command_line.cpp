#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "data/file.hpp"
#include "flag_complaint.hpp"
#include "flag_names.hpp"
#include "help_formatter.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"
#include "shrimp/version.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

// A value that is a flag is a value forgotten.
void refuse_flags_as_values(CLI::App* app, CLI::Option* option) {
  option->check([app, option](const std::string& value) -> std::string {
    if (!looks_like_a_flag(value) || app->get_option_no_throw(value) == nullptr) return "";
    throw OptionError(
        fmt::format("{} has no value: {} follows it.\nGive {}.", first_name_of(*option), value, names_of(*option)));
  });
}

template <typename Number>
void require_number(CLI::Option* option, const std::string& kind) {
  option->check([option, kind](const std::string& text) -> std::string {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (result.ec == std::errc() && result.ptr == end) return "";
    throw OptionError(fmt::format("{} \"{}\" is not {}.\nGive {}.", first_name_of(*option), text, kind, kind));
  });
}

void describe_type(CLI::Option*, const std::string*) {}
void describe_type(CLI::Option* option, const std::vector<std::string>*) { option->allow_extra_args(false); }

void describe_type(CLI::Option* option, const int*) {
  require_number<int>(option, "a whole number");
  option->type_name("N");
}

void describe_type(CLI::Option* option, const std::size_t*) {
  require_number<std::size_t>(option, "a whole number of 0 or more");
  option->type_name("N");
}

void describe_type(CLI::Option* option, const double*) {
  require_number<double>(option, "a number");
  option->type_name("X");
}

template <typename Value>
void describe_type(CLI::Option* option, const std::optional<Value>*) {
  describe_type(option, static_cast<const Value*>(nullptr));
}

}  // namespace

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
  option_->check([option = option_, lowest, highest](const std::string& text) -> std::string {
    const double number = std::stod(text);
    if (number >= lowest && number <= highest) return "";
    throw OptionError(fmt::format("{} \"{}\" is not allowed.\nGive a whole number from {} to {}.",
                                  first_name_of(*option), text, lowest, highest));
  });
  option_->description(fmt::format("{} ({} to {})", option_->get_description(), lowest, highest));
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::group(const std::string& title) {
  option_->group(title);
  return *this;
}

Option& Option::seldom() {
  std::static_pointer_cast<HelpFormatter>(app_->get_formatter())->hide(option_);
  return *this;
}

Option& Option::several() {
  option_->allow_extra_args(true)->expected(1, CLI::detail::expected_max_vector_size);
  return *this;
}

Option& Option::once() {
  option_->expected(1);
  return *this;
}

Option& Option::deprecated(const std::string& old_name, const std::string& removed_in) {
  deprecated_flags_->push_back({app_, old_name, removed_in, option_->get_name()});
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& help) const {
  return {app_->add_subcommand(name, help), deprecated_flags_};
}

void Command::needs_a_command() const { app_->require_subcommand(1); }

void Command::on_run(std::function<void()> run) const { app_->callback(std::move(run)); }

void Command::group(const std::string& title) const { app_->option_defaults()->group(title); }

template <typename Value>
Option Command::add(const std::string& names, Value& value, const std::string& help) const {
  CLI::Option* option = app_->add_option(names, value, help);
  refuse_flags_as_values(app_, option);
  describe_type(option, &value);
  return {app_, option, deprecated_flags_};
}

Option Command::option(const std::string& names, std::string& value, const std::string& help) const {
  return add(names, value, help);
}

Option Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help) const {
  return add(names, values, help);
}

Option Command::option(const std::string& names, int& value, const std::string& help) const {
  return add(names, value, help);
}

void Command::threads(int& value) const {
  option("--threads", value, "Threads to use; 0 means OMP_NUM_THREADS, else every core").between(0, 1024);
}

Option Command::option(const std::string& names, std::size_t& value, const std::string& help) const {
  return add(names, value, help);
}

Option Command::option(const std::string& names, std::optional<std::size_t>& value, const std::string& help) const {
  return add(names, value, help);
}

Option Command::option(const std::string& names, double& value, const std::string& help) const {
  return add(names, value, help);
}

Option Command::option(const std::string& names, std::optional<double>& value, const std::string& help) const {
  return add(names, value, help);
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) const {
  CLI::Option* option = app_->add_flag(names, value, help);
  option->check([option](const std::string& text) -> std::string {
    if (text == "true" || text == "false") return "";
    throw OptionError(fmt::format("{0} \"{1}\" is not allowed.\nGive {0} alone.", first_name_of(*option), text));
  });
  return {app_, option, deprecated_flags_};
}

bool Command::has(const std::string& flag) const { return app_->get_option(flag)->count() > 0; }

namespace {

std::string flag_in(const std::string& argument) { return argument.substr(0, argument.find('=')); }

// Replaces deprecated flags by their current names, with a warning for each.
void replace_deprecated_flags(const CLI::App& program, const std::vector<DeprecatedFlag>& deprecated_flags,
                              std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  const bool quiet =
      std::any_of(arguments.begin(), end, [](const std::string& word) { return word == "-q" || word == "--quiet"; });
  const CLI::App* command = &program;
  for (auto argument = arguments.begin(); argument != end; ++argument) {
    const std::vector<const CLI::App*> commands = command->get_subcommands({});
    const auto inner = std::ranges::find(commands, *argument, &CLI::App::get_name);
    if (inner != commands.end()) command = *inner;
    const auto old = std::ranges::find_if(deprecated_flags, [&](const DeprecatedFlag& flag) {
      return flag.app == command && flag.old_name == flag_in(*argument);
    });
    if (old == deprecated_flags.end()) continue;
    if (std::any_of(arguments.begin(), end, [&](const std::string& word) { return flag_in(word) == old->new_name; })) {
      throw OptionError(
          fmt::format("{} and {} are the same option.\nGive {} alone.", old->new_name, old->old_name, old->new_name));
    }
    if (!quiet) {
      tell(fmt::format("shrimp: warning: {}\n", deprecation_warning(old->old_name, old->removed_in, old->new_name)));
    }
    const std::string name = old->old_name;
    for (auto word = argument; word != end; ++word) {
      if (flag_in(*word) == name) *word = old->new_name + word->substr(name.size());
    }
  }
}

}  // namespace

int run_command_line(int argc, char** argv, const std::function<void(const Command&)>& add_commands) {
  CLI::App app("Learns sparse, low-order, readable regression models from tables.", "shrimp");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Show this help");
  app.set_help_all_flag("--help-all", "Show every option");
  const auto tell_version = [&] {
    const bool verbose = std::any_of(argv + 1, argv + argc,
                                     [](const std::string_view word) { return word == "-v" || word == "--verbose"; });
    return verbose ? fmt::format("{}\n{}\n{}", shrimp::version, blas_description(), device_description())
                   : std::string(shrimp::version);
  };
  app.set_version_flag("--version", tell_version, "Show the version; with -v, the linear algebra in use, too");
  app.require_subcommand(1);
  const auto deprecated_flags = std::make_shared<std::vector<DeprecatedFlag>>();
  add_commands(Command(&app, deprecated_flags));
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  replace_deprecated_flags(app, *deprecated_flags, arguments);
  const std::string last_argument = arguments.empty() ? "" : arguments.back();
  std::ranges::reverse(arguments);  // CLI11 takes them from the back.
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& asked_for_help) {
    std::ostringstream text;
    const int code = app.exit(asked_for_help, text, text);
    write_file("-", text.str());  // Unlike a stream, it throws where nothing can be written.
    return code;
  } catch (const CLI::ParseError& error) {
    Complaint(app, last_argument).raise(error);
  }
  return 0;
}

namespace {

// CLI11's reader cuts strings at # and takes off quotes twice. What a string holds is hidden from it: its special
// characters stand as control characters while it reads, and a mark before those of a list.
constexpr std::string_view special = "\"'`#,[] ";
constexpr char first_hidden = '\x0e';
constexpr char list_mark = '\x1f';

std::string hide_strings(const std::string& text) {
  std::string result;
  char quote = '\0';
  bool comment = false;
  bool list = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    if (c == '\n') {
      quote = '\0';
      comment = false;
    } else if (quote != '\0' && c != quote) {
      if (quote == '"' && c == '\\' && k + 1 < text.size()) c = text[++k];
      const std::size_t which = special.find(c);
      if (which != std::string_view::npos) c = static_cast<char>(first_hidden + which);
    } else if (!comment && (c == '"' || c == '\'')) {
      quote = quote == '\0' ? c : '\0';
      if (quote != '\0' && list) {
        result += c;
        c = list_mark;
      }
    } else if (!comment) {
      comment = c == '#';
      list = c == '[' || (list && c != ']');
    }
    result += c;
  }
  return result;
}

std::string show_hidden(std::string text) {
  for (char& c : text) {
    const auto which = static_cast<std::size_t>(c - first_hidden);
    if (c >= first_hidden && which < special.size()) c = special[which];
  }
  return text;
}

}  // namespace

std::map<std::string, TomlValue> parse_toml(const std::string& text) {
  std::map<std::string, TomlValue> values;
  std::istringstream stream(hide_strings(text));
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of sections.
    TomlValue value{item.inputs.size() > 1, {}};
    for (const std::string& input : item.inputs) {
      const bool marked = input.starts_with(list_mark);
      value.is_list = value.is_list || marked;
      value.texts.push_back(show_hidden(marked ? input.substr(1) : input));
    }
    values[item.name] = std::move(value);
  }
  return values;
}

}  // namespace shrimp::cli
