#include <fmt/format.h>

#include <cmath>

#include "report/page_parts.hpp"
#include "report/sections.hpp"
#include "report/test_rows.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "shrimp/report.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace {

using namespace report;

constexpr const char* contents =
    "<nav aria-label=\"Contents\"><a href=\"#good\">Quality</a> <a href=\"#terms\">Terms</a> <a href=\"#inputs\">Main "
    "effects</a> <a href=\"#pairs\">Interactions</a> <a href=\"#higher\">Higher orders</a> <a href=\"#test\">Test "
    "rows</a> <a href=\"#path\">Prune path</a> <a href=\"#made\">Fit</a> <a href=\"#load\">Use</a></nav>\n";

std::string heading(const Model& model) {
  const double rows = fitted_rows(model);
  const std::string of_rows = std::isnan(rows) ? "" : fmt::format(", fitted to {:.0f} rows", rows);
  return fmt::format("<header>\n<h1>{} from {}</h1>\n<p class=\"soft\">A model of {}{}.</p>\n</header>\n",
                     escaped(model.target), count_text(model.inputs.size(), "input"),
                     count_text(model.terms.size(), "term"), of_rows);
}

}  // namespace

std::string report_page(const Model& model, const ReportOptions& options) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}: model report</title>\n<style>{}</style>\n"
      "</head>\n<body>\n",
      escaped(model.target), page_style);
  page += heading(model) + contents + "<main>\n";
  const std::string pictures = main_effects_section(model, options.threads) + pairs_section(model, options.threads);
  page += quality_section(model, options.test);
  page += terms_section(model, pictures, options.threads);
  page += pictures;
  page += higher_orders_section(model);
  page += test_section(model, options.test);
  page += path_section(model, options);
  page += making_section(model);
  page += loading_section(model, options.model_file);
  page +=
      fmt::format("</main>\n<footer>Written by Shrimp {}. This page needs no network.</footer>\n<script>{}</script>\n",
                  version, page_script);
  return page + "</body>\n</html>\n";
}

}  // namespace shrimp
