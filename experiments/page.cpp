#include "experiments/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text.hpp"

namespace shrimp::experiments {
namespace {

using report::escaped;

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums;font-size:.9em}"
    "td,th{border-bottom:1px solid #ccc;padding:.25rem .6rem;text-align:right;white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "figure{margin:1.5rem 0}img{max-width:100%}figcaption{color:#555}.scroll{overflow-x:auto}";

std::string html_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return row + "</tr>\n";
}

struct HtmlBlock {
  std::string operator()(const Paragraph& paragraph) const {
    return fmt::format("<p>{}</p>\n", escaped(paragraph.text));
  }
  std::string operator()(const Table& table) const {
    std::string text = fmt::format("<div class=\"scroll\"><table>\n<caption>{}</caption>\n", escaped(table.caption));
    text += "<thead>" + html_row(table.header, "th") + "</thead>\n<tbody>\n";
    for (const auto& row : table.rows) text += html_row(row, "td");
    return text + "</tbody>\n</table></div>\n";
  }
  std::string operator()(const Figure& figure) const {
    const std::string caption = escaped(figure.caption);
    return fmt::format("<figure><img src=\"{0}.svg\" alt=\"{1}\"><figcaption>{1}</figcaption></figure>\n",
                       escaped(figure.file), caption);
  }
};

struct MarkdownBlock {
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const Table& table) const {
    std::string text = fmt::format("**{}**\n\n| {} |\n|", table.caption, fmt::join(table.header, " | "));
    for (std::size_t k = 0; k < table.header.size(); ++k) text += k == 0 ? "---|" : "--:|";
    text += "\n";
    for (const auto& row : table.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
    return text;
  }
  std::string operator()(const Figure& figure) const {
    return fmt::format("![{}]({}.svg)\n", figure.caption, figure.file);
  }
};

}  // namespace

std::string to_html(const Page& page) {
  const std::string title = escaped(page.title);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<p><a href=\"../index.html\">All experiments</a></p>\n<h1>{0}</h1>\n",
      title, style);
  for (const auto& block : page.blocks) text += std::visit(HtmlBlock{}, block);
  return text + "</body>\n</html>\n";
}

std::string to_markdown(const Page& page) {
  std::string text = fmt::format("# {}\n", page.title);
  for (const auto& block : page.blocks) text += fmt::format("\n{}", std::visit(MarkdownBlock{}, block));
  return text;
}

}  // namespace shrimp::experiments
