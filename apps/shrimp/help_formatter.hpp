// A command's options as a page of help. For command_line.cpp alone: it includes CLI11.
#pragma once

#include <algorithm>
#include <set>

#include "flag_names.hpp"
#include "help_page.hpp"

namespace shrimp::cli {

inline std::string text_of(const CLI::Option& option) {
  if (option.get_required()) return option.get_description() + " (required)";
  if (option.get_default_str().empty()) return option.get_description();
  return fmt::format("{} (default {})", option.get_description(), option.get_default_str());
}

// CLI11 asks it for a command's help: in AppFormatMode::All where all of it is wanted.
class HelpFormatter : public CLI::FormatterBase {
 public:
  void hide(const CLI::Option* option) { seldom_.insert(option); }

  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    HelpPage page;
    page.summary = app->get_description() + (app->get_description().ends_with('.') ? "" : ".");
    page.usage = usage_of(*app, name) + " [options]";
    const bool hides = std::ranges::any_of(app->get_options({}), [&](auto option) { return seldom_.contains(option); });
    std::vector<HelpGroup> groups;
    for (const CLI::Option* option : app->get_options({})) {
      if (seldom_.contains(option) && mode != CLI::AppFormatMode::All) continue;
      if (option == app->get_help_all_ptr() && !hides) continue;
      const bool plain = option->get_group() == default_group && option->get_positional();
      group_of(groups, plain ? "Arguments" : option->get_group()).push_back({names_of(*option), text_of(*option)});
    }
    for (const CLI::App* command : app->get_subcommands({})) {
      group_of(groups, "Commands").push_back({command->get_name(), command->get_description()});
    }
    // Help itself, which CLI11 adds before all else, comes last.
    std::stable_partition(groups.begin(), groups.end(),
                          [](const HelpGroup& group) { return group.title != default_group; });
    page.groups = std::move(groups);
    if (hides && mode != CLI::AppFormatMode::All) {
      page.ending = fmt::format("These are the most common options. {} --help-all lists all.", name);
    }
    if (!app->get_subcommands({}).empty()) page.ending = fmt::format("{} COMMAND --help describes a command.", name);
    return lay_out(page);
  }

 private:
  static std::vector<HelpEntry>& group_of(std::vector<HelpGroup>& groups, const std::string& title) {
    const auto found = std::ranges::find(groups, title, &HelpGroup::title);
    return found == groups.end() ? groups.emplace_back(HelpGroup{title, {}}).entries : found->entries;
  }

  static constexpr const char* default_group = "Options";  // CLI11's.

  std::set<const CLI::Option*> seldom_;
};

}  // namespace shrimp::cli
