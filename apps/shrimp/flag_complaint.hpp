// What is wrong with a command line, in our words. For command_line.cpp alone: it includes CLI11.
#pragma once

#include "data/names.hpp"
#include "flag_names.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::cli {

// `Did you mean "a"?`, or the list of what there is.
inline std::string suggest(const std::vector<std::string>& names, const std::string& wanted,
                           const std::string& otherwise) {
  const std::string near = suggest_names(names, wanted);
  return near.starts_with("Did") ? near : otherwise;
}

// CLI11's exceptions have their own words; what it has read by then tells enough for ours.
class Complaint {
 public:
  Complaint(const CLI::App& program, std::string last_argument)
      : command_(&program), last_argument_(std::move(last_argument)) {
    while (!command_->get_subcommands().empty() && leftovers().empty()) {
      command_ = command_->get_subcommands().front();
      name_ += (name_.empty() ? "" : " ") + command_->get_name();
    }
    path_ = name_.empty() ? "shrimp" : "shrimp " + name_;
    help_ = fmt::format("See {} --help.", path_);
  }

  [[noreturn]] void raise(const CLI::ParseError& error) const {
    if (!command_->get_subcommands({}).empty()) refuse_without_command();
    refuse_unknown_flags();
    refuse_repeated();
    refuse_exclusive();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) refuse_missing_value();
    refuse_missing();
    refuse_surplus();
    throw OptionError(fmt::format("{}\n{}", error.what(), help_));
  }

 private:
  // What was given and nothing took.
  [[nodiscard]] std::vector<std::string> leftovers() const {
    std::vector<std::string> rest = command_->remaining();
    std::erase(rest, "--");
    return rest;
  }

  void refuse_without_command() const {
    std::vector<std::string> names;
    for (const CLI::App* command : command_->get_subcommands({})) names.push_back(command->get_name());
    const std::string commands = fmt::format("The commands are {}.", fmt::join(names, ", "));
    const std::vector<std::string> rest = leftovers();
    if (rest.empty())
      throw OptionError(fmt::format("{} needs a command.\n{} {}", command_->get_name(), commands, help_));
    const std::string& first = rest.front();
    if (looks_like_a_flag(first)) refuse_unknown_flags();
    throw OptionError(fmt::format("there is no command \"{}\".\n{} {}", first, suggest(names, first, commands), help_));
  }

  void refuse_unknown_flags() const {
    for (const std::string& argument : leftovers()) {
      if (!looks_like_a_flag(argument)) continue;
      const std::string flag = argument.substr(0, argument.find('='));
      std::vector<std::string> names;
      for (const CLI::Option* option : command_->get_options({})) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      }
      const std::string near = suggest(names, flag, "");
      const std::string what = name_.empty() ? "there is" : name_ + " has";
      throw OptionError(fmt::format("{} no option {}.\n{}{}{}", what, flag, near, near.empty() ? "" : " ", help_));
    }
  }

  void refuse_repeated() const {
    for (const CLI::Option* option : command_->get_options({})) {
      const std::size_t count = option->results().size();
      if (count < 2 || option->get_expected_max() != 1 || option->get_type_size() == 0) continue;
      throw OptionError(
          fmt::format("{} is given {} times.\nGive it once: {}.", first_name_of(*option), count, names_of(*option)));
    }
  }

  void refuse_exclusive() const {
    for (const CLI::Option* option : command_->get_options({})) {
      for (const CLI::Option* other : option->get_excludes()) {
        if (option->count() == 0 || other->count() == 0) continue;
        throw OptionError(fmt::format("{} and {} exclude each other.\nGive one of them.", first_name_of(*option),
                                      first_name_of(*other)));
      }
    }
  }

  // CLI11 takes whatever follows an option for its value: where one is missing, the command line ends.
  void refuse_missing_value() const {
    const std::string name = last_argument_.substr(0, last_argument_.find('='));
    const CLI::Option* option = command_->get_option_no_throw(name);
    if (option == nullptr) return;
    throw OptionError(fmt::format("{} has no value.\nGive {}.", name, names_of(*option)));
  }

  void refuse_missing() const {
    std::vector<std::string> missing;
    for (const CLI::Option* option : command_->get_options({})) {
      if (option->get_required() && option->count() == 0) missing.push_back(names_of(*option));
    }
    if (missing.empty()) return;
    throw OptionError(fmt::format("{} needs {}.\nGive {}. {}", name_, fmt::join(missing, " and "),
                                  usage_of(*command_, path_), help_));
  }

  void refuse_surplus() const {
    const std::vector<std::string> rest = leftovers();
    if (rest.empty()) return;
    throw OptionError(
        fmt::format("\"{}\" is an unexpected argument.\nRemove it, or quote a value that contains spaces. {}",
                    rest.front(), help_));
  }

  const CLI::App* command_;
  std::string last_argument_;
  std::string name_;  // Empty for the program itself.
  std::string path_;
  std::string help_;
};

}  // namespace shrimp::cli
