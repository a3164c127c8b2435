#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.hpp"

namespace shrimp::report {
namespace {

std::string class_of(const char* css_class) { return *css_class == 0 ? "" : fmt::format(" class=\"{}\"", css_class); }

std::string row_of(const std::vector<Cell>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const Cell& cell : cells) row += fmt::format("<{0}{1}>{2}</{0}>", tag, class_of(cell.css_class), cell.markup);
  return row + "</tr>\n";
}

}  // namespace

std::string section(const char* id, const char* title, const std::string& markup) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n", id,
      escaped(title), markup);
}

std::string paragraph(const std::string& text, const char* css_class) {
  return fmt::format("<p{}>{}</p>\n", class_of(css_class), escaped(text));
}

std::string code_block(const std::string& text) { return fmt::format("<pre><code>{}</code></pre>\n", escaped(text)); }

std::string folded(const std::string& text, const std::string& markup) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(text), markup);
}

std::string table(const std::vector<Cell>& header, const std::vector<std::vector<Cell>>& rows, const char* css_class) {
  std::string markup = fmt::format("<div class=\"scroll\"><table{}>\n<thead>{}</thead>\n<tbody>\n", class_of(css_class),
                                   row_of(header, "th"));
  for (const auto& row : rows) markup += row_of(row, "td");
  return markup + "</tbody></table></div>\n";
}

std::string fact(const std::string& number, const std::string& words) {
  return fmt::format("<div class=\"fact\"><b>{}</b><span>{}</span></div>\n", escaped(number), escaped(words));
}

std::string bar(double share, double low, double high, const char* css_class) {
  const auto percent = [](double part) { return 100.0 * std::clamp(part, 0.0, 1.0); };
  std::string line;
  if (high >= low) {
    line = fmt::format("<u style=\"left:{:.2f}%;width:{:.2f}%\"></u>", percent(low), percent(high) - percent(low));
  }
  return fmt::format("<div class=\"bar\"><i{} style=\"width:{:.2f}%\"></i>{}</div>", class_of(css_class),
                     percent(share), line);
}

}  // namespace shrimp::report
