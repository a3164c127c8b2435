#include "export/latex_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "export/words.hpp"

namespace shrimp {
namespace {

struct Brackets {
  std::string_view word;  // Before an opening bracket.
  std::string_view open;
  std::string_view close;
};

// Other functions are written by their name.
constexpr auto functions = std::to_array<Brackets>({
    {"", "\\left(", "\\right)"},
    {"abs", "\\left|", "\\right|"},
    {"step", "\\mathbf{1}\\left[", " > 0\\right]"},
    {"[", "\\mathbf{1}\\left[", "\\right]"},
    {"cos", "\\cos\\left(", "\\right)"},
    {"sin", "\\sin\\left(", "\\right)"},
    {"tanh", "\\tanh\\left(", "\\right)"},
    {"exp", "\\exp\\left(", "\\right)"},
    {"log", "\\log\\left(", "\\right)"},
    {"max", "\\max\\left(", "\\right)"},
});

bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Translator {
 public:
  explicit Translator(std::string_view formula) : rest_(formula) {}

  std::vector<std::string> translate() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (is_digit(c)) {
        add_number();
      } else if (is_word(c)) {
        add_word();
      } else if (c == '`') {
        add_quoted();
      } else if (c == '^') {
        skip();
        piece_ += fmt::format("^{{{}}}", take_while(is_digit));
      } else {
        add_sign(c);
      }
    }
    end_summand();
    return std::move(summands_);
  }

 private:
  void skip() { rest_.remove_prefix(1); }

  template <typename Belongs>
  std::string_view take_while(const Belongs& belongs) {
    const auto end = std::ranges::find_if_not(rest_, belongs);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // 1.5, 2e-05
  void add_number() {
    const std::string_view mantissa = take_while([](char c) { return is_digit(c) || c == '.'; });
    if (!rest_.starts_with('e')) {
      if (mantissa == "1" && rest_.starts_with('*')) return skip();  // 1*x
      piece_ += mantissa;
      return;
    }
    skip();
    const bool negative = rest_.starts_with('-');
    if (negative || rest_.starts_with('+')) skip();
    std::string_view power = take_while(is_digit);
    while (power.size() > 1 && power.starts_with('0')) power.remove_prefix(1);
    if (mantissa != "1") piece_ += fmt::format("{} \\cdot ", mantissa);
    piece_ += fmt::format("10^{{{}{}}}", negative ? "-" : "", power);
  }

  // A name, or a function where a bracket follows: names that are those of functions stand between backquotes.
  void add_word() {
    const std::string_view word = take_while(is_word);
    if (!rest_.starts_with('(')) {
      piece_ += latex_name(word);
      return;
    }
    skip();
    open(word);
  }

  void open(std::string_view word) {
    const auto* known = std::ranges::find(functions, word, &Brackets::word);
    if (known != functions.end()) {
      piece_ += known->open;
      closers_.push_back(known->close);
      return;
    }
    const bool symmetric = word.size() > 1 && word[0] == 'e' && std::ranges::all_of(word.substr(1), is_digit);
    piece_ +=
        symmetric ? fmt::format("e_{{{}}}", word.substr(1)) : fmt::format("\\operatorname{{{}}}", latex_text(word));
    piece_ += functions[0].open;
    closers_.push_back(functions[0].close);
  }

  // To the backquote that is not doubled.
  void add_quoted() {
    std::string name;
    for (skip(); !rest_.empty(); skip()) {
      if (rest_.front() == '`') {
        if (!rest_.starts_with("``")) break;
        skip();
      }
      name += rest_.front();
    }
    if (!rest_.empty()) skip();
    piece_ += latex_name(name);
  }

  void add_sign(char c) {
    skip();
    if (c == '(' || c == '[') {
      open(c == '[' ? "[" : "");
    } else if (c == ')' || c == ']') {
      piece_ += closers_.empty() ? ")" : closers_.back();
      if (!closers_.empty()) closers_.pop_back();
    } else if (c == '*') {
      piece_ += "\\,";
    } else {
      if ((c == '+' || c == '-') && closers_.empty()) end_summand();
      const bool begins = piece_.empty();
      if (c != ' ' || !(begins || piece_ == "+" || piece_ == "-")) piece_ += c;
    }
  }

  void end_summand() {
    while (piece_.ends_with(' ')) piece_.pop_back();
    if (!piece_.empty()) summands_.push_back(std::move(piece_));
    piece_.clear();
  }

  std::string_view rest_;
  std::string piece_;
  std::vector<std::string> summands_;
  std::vector<std::string_view> closers_;
};

}  // namespace

std::vector<std::string> latex_summands(std::string_view formula) { return Translator(formula).translate(); }

}  // namespace shrimp
