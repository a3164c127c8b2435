// Text on a page: how wide it is, told without a font, and how markup writes it. All of it throws DataError where a
// text is not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace shrimp::report {

/// The font that widths are of; Verdana is about as wide, and what else a viewer may take is narrower.
inline constexpr const char* font_family = "DejaVu Sans, Verdana, sans-serif";

/// In the unit of `size`, the height that the letters are set in.
[[nodiscard]] double text_width(std::string_view text, double size);
/// `size`, or less so that the text is no wider than `width`, but not less than `smallest`.
[[nodiscard]] double fitting_size(std::string_view text, double size, double smallest, double width);
/// The text, or as much of its start as is no wider than `width`, and an ellipsis.
[[nodiscard]] std::string shortened(const std::string& text, double size, double width);

/// For text and quoted values in SVG and HTML. Characters that XML cannot hold become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace shrimp::report
