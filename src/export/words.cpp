#include "export/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/utf8.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Characters that show nothing and do something: controls, ends of lines, and those that turn text around, by which
// a name could make a program read otherwise than it runs.
bool is_unseen(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || within(0x7F, 0x9F) || c == 0x61C || within(0x200B, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2060, 0x206F) || c == 0xFEFF || c == replacement;
}

// Character by character: its code, and its bytes.
template <typename Take>
void for_each_character(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::optional<char32_t> character = next_character(text, at);
    if (!character) at = start + 1;
    take(character.value_or(replacement), text.substr(start, at - start));
  }
}

std::string escape_code(char32_t c) { return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c)); }

// What two characters would do to a comment of C: end it, begin another, or be a trigraph.
bool is_mark_of_c(char before, char32_t c) {
  return (c == '/' && (before == '*' || before == '?')) || (c == '*' && before == '/');
}

std::string quoted(std::string_view name, bool in_comment) {
  std::string text = "\"";
  char before = '\0';
  for_each_character(name, [&](char32_t c, std::string_view bytes) {
    if (is_unseen(c) || (in_comment && is_mark_of_c(before, c))) {
      text += escape_code(c);
    } else {
      text += (c == '"' || c == '\\' ? "\\" : "") + std::string(bytes);
    }
    before = bytes.back();
  });
  return text + "\"";
}

std::string latex_character(char32_t c, std::string_view bytes) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "''";  // \textquotedbl needs a font encoding that not every document has.
    case '{':
    case '}':
    case '$':
    case '&':
    case '#':
    case '%':
    case '_':
      return "\\" + std::string(bytes);
    default:
      return is_unseen(c) ? " " : std::string(bytes);
  }
}

// x1, r_w, T: a letter, and what may stand below it.
bool is_symbol(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  if (name.size() == 1) return true;
  const std::string_view below = name.substr(name[1] == '_' ? 2 : 1);
  const bool digits = std::ranges::all_of(below, is_digit);
  const bool word = std::ranges::all_of(below, [](char c) { return is_letter(c) || is_digit(c); });
  return !below.empty() && (digits || (name[1] == '_' && word));
}

constexpr auto taken_words = std::to_array<std::string_view>(
    {// C99
     "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
     "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
     "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main",
     // Python
     "False", "None", "True", "and", "as", "assert", "async", "await", "class", "def", "del", "elif", "except",
     "finally", "from", "global", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "try",
     "with", "yield",
     // What exported functions call, and their headers define.
     "np", "float64", "len", "range", "size_t", "ValueError", "INPUTS", "TARGET", "cos", "sin", "tanh", "exp", "log",
     "fabs", "fmax", "isnan", "floor", "strcmp", "DBL_MIN", "NULL", "NAN", "INFINITY", "KINDS", "CLASSES"});

bool is_word(const std::string& name) {
  return !name.empty() && (is_letter(name[0]) || name[0] == '_') &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string with_doubled(std::string_view text, char quote) {
  std::string result;
  for (const char c : text) result += std::string(c == quote ? 2 : 1, c);
  return result;
}

void refuse_zero(std::string_view level, const char* language) {
  if (level.find('\0') == std::string_view::npos) return;
  throw OptionError(
      fmt::format("{} text cannot contain the character of code 0, which is in the level {}.\nExport to another "
                  "format, or fit again without this level.",
                  language, quoted(level, false)));
}

}  // namespace

std::string quoted_name(std::string_view name) { return quoted(name, false); }

std::string name_in_comment(std::string_view name) { return quoted(name, true); }

std::string sql_name(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    throw OptionError(
        fmt::format("{} cannot be a column name in SQL.\nRename it and fit again, or export to another format.",
                    quoted_name(name)));
  }
  return "\"" + with_doubled(name, '"') + "\"";
}

std::string c_text(std::string_view text) {
  refuse_zero(text, "C");
  std::string literal = "\"";
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';  // ? begins trigraphs.
    literal += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return literal + "\"";
}

std::string sql_text(std::string_view text) {
  refuse_zero(text, "SQL");
  return "'" + with_doubled(text, '\'') + "'";
}

std::string latex_text(std::string_view text) {
  std::string result;
  for_each_character(text, [&](char32_t c, std::string_view bytes) { result += latex_character(c, bytes); });
  return result;
}

std::string latex_name(std::string_view name) {
  if (!is_symbol(name)) return fmt::format("\\text{{{}}}", name.empty() ? "(unnamed)" : latex_text(name));
  if (name.size() == 1) return std::string(name);
  const std::string_view below = name.substr(name[1] == '_' ? 2 : 1);
  const bool plain = below.size() == 1 || std::ranges::all_of(below, is_digit);
  return fmt::format(fmt::runtime(plain ? "{}_{{{}}}" : "{}_{{\\mathrm{{{}}}}}"), name[0], below);
}

void check_function_name(const std::string& name) {
  if (!is_word(name)) {
    throw OptionError(fmt::format(
        "{} is not a valid function name.\nGive letters, digits and underscores, not beginning with a digit.",
        quoted_name(name)));
  }
  if (std::ranges::find(taken_words, name) != taken_words.end()) {
    throw OptionError(fmt::format(
        "\"{}\" is a reserved word of C or Python, or a name inside the function.\nGive another name.", name));
  }
}

std::string exact_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string sql_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find('e') == std::string::npos) text += "e0";
  return text[0] == '-' ? "(" + text + ")" : text;
}

}  // namespace shrimp
