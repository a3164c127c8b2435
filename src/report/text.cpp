#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/utf8.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::report {
namespace {

// Advance widths in thousandths of the size, from the table `hmtx` of DejaVu Sans 2.37 (Debian's fonts-dejavu-core).
constexpr std::array<std::uint16_t, 95> from_space_to_tilde = {
    318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,  // space to /
    636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,  // 0 to ?
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,  // @ to O
    603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,  // P to _
    500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,  // ` to o
    635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,       // p to ~
};

struct Block {
  char32_t first;
  char32_t last;
  double width;
};

// Beyond ASCII: the signs that numbers are written with exactly, others by what nine of ten of their kind are no wider
// than. The first block that holds a character counts.
constexpr std::array blocks = {
    Block{U'\u00B1', U'\u00B1', 0.838},        // ±
    Block{U'\u00B2', U'\u00B3', 0.401},        // ² ³
    Block{U'\u00B7', U'\u00B7', 0.318},        // ·
    Block{U'\u00B9', U'\u00B9', 0.401},        // ¹
    Block{U'\u00D7', U'\u00D7', 0.838},        // ×
    Block{U'\u00C0', U'\u00DE', 0.787},        // Capitals of Western Europe.
    Block{U'\u00DF', U'\u00FF', 0.635},        // Its small letters.
    Block{U'\u0300', U'\u036F', 0.0},          // Accents that stand over the letter before.
    Block{U'\u0391', U'\u03A9', 0.787},        // Greek capitals.
    Block{U'\u03B1', U'\u03C9', 0.66},         // Greek small letters.
    Block{U'\u2010', U'\u2019', 0.5},          // Dashes and quotation marks.
    Block{U'\u2026', U'\u2026', 1.0},          // …
    Block{U'\u207A', U'\u207C', 0.528},        // ⁺ ⁻ ⁼
    Block{U'\u2070', U'\u209F', 0.401},        // Superscripts and subscripts.
    Block{U'\u2113', U'\u2113', 0.413},        // ℓ
    Block{U'\u2190', U'\u22FF', 0.838},        // Arrows and mathematics.
    Block{U'\u2E80', U'\uD7FF', 1.0},          // Chinese, Japanese and Korean.
    Block{U'\uF900', U'\uFFFF', 1.0},          // More of them, and wide forms.
    Block{U'\U00010000', U'\U0010FFFF', 1.0},  // Pictures and rare scripts.
};
constexpr double width_elsewhere = 0.8;

char32_t next(std::string_view text, std::size_t& position) {
  const auto character = next_character(text, position);
  if (!character) throw DataError("the chart cannot be drawn: one of its texts is not UTF-8.\nGive texts in UTF-8.");
  return *character;
}

double width_of(char32_t character) {
  if (character < U' ') return width_of(U' ');
  const std::size_t place = character - U' ';
  if (place < from_space_to_tilde.size()) return from_space_to_tilde[place] / 1000.0;
  const auto* block =
      std::ranges::find_if(blocks, [&](const Block& b) { return character >= b.first && character <= b.last; });
  return block == blocks.end() ? width_elsewhere : block->width;
}

bool fits_in_xml(char32_t character) {
  if (character < U' ') return character == U'\t' || character == U'\n' || character == U'\r';
  return character != U'\uFFFE' && character != U'\uFFFF';
}

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0.0;
  for (std::size_t position = 0; position < text.size();) width += width_of(next(text, position));
  return width * size;
}

double fitting_size(std::string_view text, double size, double smallest, double width) {
  const double needed = text_width(text, size);
  return needed <= width ? size : std::max(smallest, size * width / needed);
}

std::string shortened(const std::string& text, double size, double width) {
  // Sizes that were chosen to fit just do so.
  if (text_width(text, size) <= width * (1.0 + 1e-9)) return text;
  const double room = width - text_width("…", size);
  std::size_t end = 0;
  double taken = 0.0;
  for (std::size_t position = 0; position < text.size(); end = position) {
    taken += width_of(next(text, position)) * size;
    if (taken > room) break;
  }
  return text.substr(0, end) + "…";
}

std::string escaped(std::string_view text) {
  std::string markup;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t start = position;
    const char32_t character = next(text, position);
    switch (character) {
      case U'&':
        markup += "&amp;";
        break;
      case U'<':
        markup += "&lt;";
        break;
      case U'>':
        markup += "&gt;";
        break;
      case U'"':
        markup += "&quot;";
        break;
      default:
        markup += fits_in_xml(character) ? text.substr(start, position - start) : "\uFFFD";
    }
  }
  return markup;
}

}  // namespace shrimp::report
