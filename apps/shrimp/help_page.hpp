// Help as a page of 80 columns: names to the left, and what they mean beside them, aligned.
#pragma once

#include <string>
#include <vector>

namespace shrimp::cli {

struct HelpEntry {
  std::string names;
  std::string text;
};

struct HelpGroup {
  std::string title;
  std::vector<HelpEntry> entries;
};

struct HelpPage {
  std::string summary;
  std::string usage;
  std::vector<HelpGroup> groups;
  std::string ending;
};

[[nodiscard]] std::string lay_out(const HelpPage& page);

}  // namespace shrimp::cli
