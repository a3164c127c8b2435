// Words for people on standard error. Nobody may be there to read them: what cannot be written is dropped, and never
// costs what the program is there for.
#pragma once

#include <string_view>

namespace shrimp::cli {

/// As it is, but for control characters other than line ends, which are written as \x1b is: names come from files.
void tell(std::string_view text);

/// The same with control characters, for a terminal.
void draw(std::string_view text);

}  // namespace shrimp::cli
