#include "fit/term_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "data/names.hpp"
#include "fit/parameter_text.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr std::string_view no_terms = "none";
constexpr std::string_view name_range = "names separated by commas; put names with a comma or a quote in double quotes";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

struct Name {
  std::string text;
  bool quoted = false;
  bool sound = true;  // Whether its quotes are closed and end it.
  char after = '\0';  // The separator that ends it.
};

class NameReader {
 public:
  NameReader(const std::string& text, std::string_view separators) : text_(text), separators_(separators) {}

  [[nodiscard]] std::size_t position() const { return position_; }

  Name next() {
    skip_spaces();
    Name name;
    if (position_ < text_.size() && text_[position_] == '"') {
      read_quoted(name);
    } else {
      const std::size_t end = std::min(text_.find_first_of(separators_, position_), text_.size());
      name.text = trimmed(std::string_view(text_).substr(position_, end - position_));
      position_ = end;
    }
    if (position_ < text_.size()) name.after = text_[position_++];
    return name;
  }

 private:
  void skip_spaces() { position_ = std::min(text_.find_first_not_of(" \t", position_), text_.size()); }

  void read_quoted(Name& name) {
    name.quoted = true;
    bool closed = false;
    while (!closed && ++position_ < text_.size()) {
      if (text_[position_] == '"') closed = text_.compare(position_ + 1, 1, "\"") != 0;
      if (text_[position_] == '"' && !closed) ++position_;
      if (!closed) name.text += text_[position_];
    }
    if (closed) ++position_;
    skip_spaces();
    name.sound = closed && (position_ == text_.size() || separators_.find(text_[position_]) != std::string_view::npos);
  }

  const std::string& text_;
  std::string_view separators_;
  std::size_t position_ = 0;
};

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string(2, c) : std::string(1, c);
  return text + '"';
}

std::string write_term(const std::vector<std::string>& term) {
  if (term.empty()) return quoted("");
  if (term.size() == 1) {
    const std::string& name = term.front();
    const bool plain = !name.empty() && name.find_first_of(",\"") == std::string::npos && trimmed(name) == name;
    return plain && name != no_terms ? name : quoted(name);
  }
  std::vector<std::string> names;
  for (const std::string& name : term) names.push_back(quoted(name));
  return fmt::format("{}", fmt::join(names, "*"));
}

}  // namespace

std::vector<std::string> parse_names(std::string_view option, const std::string& text) {
  std::vector<std::string> names;
  NameReader reader(text, ",");
  for (char after = ','; after == ',';) {
    const Name name = reader.next();
    if (!name.sound || name.text.empty()) refuse(option, text, name_range);
    names.push_back(name.text);
    after = name.after;
  }
  return names;
}

std::vector<std::vector<std::string>> parse_terms(std::string_view option, const std::string& text) {
  std::vector<std::vector<std::string>> terms;
  if (text == no_terms || text.empty()) return terms;
  NameReader reader(text, ",*");
  for (char after = ','; after == ',';) {
    const std::size_t start = reader.position();
    std::vector<std::string>& term = terms.emplace_back();
    bool quotes = false;
    bool sound = true;
    for (after = '*'; after == '*';) {
      const Name name = reader.next();
      quotes = quotes || name.quoted;
      sound = sound && name.sound;
      term.push_back(name.text);
      after = name.after;
    }
    const std::size_t length = reader.position() - start - (after == ',' ? 1 : 0);
    if (!quotes) term = {trimmed(std::string_view(text).substr(start, length))};
    if (!sound || std::ranges::find(term, "") != term.end()) refuse(option, text, term_range);
  }
  return terms;
}

std::string write_terms(const std::vector<std::vector<std::string>>& terms) {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& term : terms) texts.push_back(write_term(term));
  return texts.empty() ? std::string(no_terms) : fmt::format("{}", fmt::join(texts, ","));
}

Support find_term(std::string_view option, const std::vector<std::string>& term,
                  const std::vector<std::string>& inputs) {
  std::vector<std::string> names = term;
  if (term.size() == 1 && !find_name(inputs, term.front())) {
    names = split(term.front(), '*');
    std::ranges::transform(names, names.begin(), trimmed);
  }
  std::set<std::uint32_t> variables;
  for (const std::string& name : names) {
    const auto index = find_name(inputs, name);
    if (!index) {
      const std::string& wanted = name.empty() ? term.front() : name;
      throw OptionError(
          fmt::format("{} names \"{}\", which is not an input.\n{}", option, wanted, suggest_names(inputs, wanted)));
    }
    variables.insert(static_cast<std::uint32_t>(*index));
  }
  if (variables.size() > 3) {
    throw OptionError(fmt::format("{} names {} inputs in one term.\nGive at most 3.", option, variables.size()));
  }
  return {variables.begin(), variables.end()};
}

}  // namespace shrimp
