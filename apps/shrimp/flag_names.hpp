// How options are called in help and in errors. For command_line.cpp alone: it includes CLI11.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace shrimp::cli {

inline bool looks_like_a_flag(const std::string& text) { return text.size() > 1 && text.front() == '-'; }

// "--order Q", "-q, --quiet", "TRAIN.csv".
inline std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string value = option.get_type_size() == 0 ? "" : " " + option.get_type_name();
  return fmt::format("{}{}", fmt::join(names, ", "), value);
}

inline std::string first_name_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true, false) : option.get_name();
}

// What it needs, and brackets around what it may do without.
inline std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string usage = name;
  if (!app.get_subcommands({}).empty()) usage += " COMMAND";
  for (const CLI::Option* option : app.get_options({})) {
    if (option->get_positional()) {
      usage += option->get_required() ? " " + names_of(*option) : " [" + names_of(*option) + "]";
    } else if (option->get_required()) {
      usage += fmt::format(" --{} {}", option->get_lnames().front(), option->get_type_name());
    }
  }
  return usage;
}

}  // namespace shrimp::cli
