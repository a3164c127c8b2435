// Words for people, above all on standard error. Nobody may be there to read them: what cannot be written is dropped,
// and never costs what the program is there for.
#pragma once

#include <string>
#include <string_view>

namespace shrimp::cli {

/// With what `printable` replaces: names come from files.
void tell(std::string_view text);

/// The same with control characters, for a terminal.
void draw(std::string_view text);

/// Data as they are written to a file or, for "-", to standard output: unchanged, except on a terminal.
std::string as_written(const std::string& path, std::string text);
void write_data(const std::string& path, const std::string& text);

}  // namespace shrimp::cli
