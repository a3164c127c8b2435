// A page of text, tables and figures, as HTML and as Markdown.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace shrimp::experiments {

struct Paragraph {
  std::string text;
};

struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// FILE.svg in the folder of the page.
struct Figure {
  std::string file;
  std::string caption;
};

struct Page {
  std::string title;
  std::vector<std::variant<Paragraph, Table, Figure>> blocks;
};

[[nodiscard]] std::string to_html(const Page& page);
[[nodiscard]] std::string to_markdown(const Page& page);

}  // namespace shrimp::experiments
