#include "shrimp/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "export/formats.hpp"
#include "export/words.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr auto names = std::to_array<std::pair<ExportFormat, std::string_view>>({
    {ExportFormat::onnx, "onnx"},
    {ExportFormat::c, "c"},
    {ExportFormat::python, "python"},
    {ExportFormat::sql, "sql"},
    {ExportFormat::latex, "latex"},
});

std::string function_name(const ExportOptions& options, const char* fallback) {
  if (options.name.empty()) return fallback;
  check_function_name(options.name);
  return options.name;
}

void refuse_name(const ExportOptions& options, const char* format) {
  if (options.name.empty()) return;
  throw OptionError(
      fmt::format("name {} applies to C, Python and SQL, not to {}.\nRemove it.", quoted_name(options.name), format));
}

}  // namespace

std::string export_model(const Model& model, ExportFormat format, const ExportOptions& options) {
  switch (format) {
    case ExportFormat::onnx:
      refuse_name(options, "ONNX");
      return to_onnx(model);
    case ExportFormat::c:
      return to_c(model, function_name(options, "shrimp_predict"));
    case ExportFormat::python:
      return to_python(model, function_name(options, "predict"));
    case ExportFormat::sql:
      return to_sql(model, options.name);
    case ExportFormat::latex:
      refuse_name(options, "LaTeX");
      return to_latex(model, options.terms, options.digits);
  }
  throw OptionError("the format is unknown.\nUse a value of ExportFormat.");
}

std::vector<std::string> export_format_names() {
  std::vector<std::string> list;
  std::ranges::transform(names, std::back_inserter(list), [](const auto& row) { return std::string(row.second); });
  return list;
}

ExportFormat export_format(std::string_view name) {
  const auto* row = std::ranges::find(names, name, &std::pair<ExportFormat, std::string_view>::second);
  if (row != names.end()) return row->first;
  throw OptionError(
      fmt::format("format {} is unknown.\nGive {}.", quoted_name(name), fmt::join(export_format_names(), ", ")));
}

}  // namespace shrimp
