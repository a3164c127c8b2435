// Export of a fitted model to other languages, which predict without this library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// All formats but latex contain limits, transforms and scaling; latex is for reading.
enum class ExportFormat {
  onnx,    ///< Opset 17 in double precision (binary): inputs "X" (numbers) and, if any, "C" (categories); output "y".
  c,       ///< C99 that needs only libm.
  python,  ///< A Python module that needs only NumPy.
  sql,     ///< One expression of the columns of a table, in the dialect of SQLite and DuckDB.
  latex,   ///< The largest terms as formulas, for the align* environment of amsmath.
};

struct ExportOptions {
  /// Name of the function (c, python), of ASCII letters, digits and underscores; empty means shrimp_predict or predict.
  /// For SQL, name of the table that qualifies the columns; empty means none. Empty for onnx and latex.
  std::string name = {};
  std::size_t terms = 10;  ///< latex: number of terms, largest fraction of variance first; ≥ 1.
  int digits = 3;          ///< latex: significant digits; 1 … 17.
};

/// Exports the model. Inputs are the columns of the training table, in their order, and by name in SQL. Names of
/// columns and levels are escaped.
///
/// Models with categories, dates or missing cells among their inputs accept NaN (NULL in SQL) as a missing cell. Other
/// models return NaN if an input that they use is NaN.
///
/// Throws OptionError if an option is out of range, or if the format cannot represent the model. Causes are SQL longer
/// than databases accept, and names of inputs or levels that the language does not permit. Further causes are basis
/// functions other than Fourier of several inputs that may be missing, and for LaTeX no term with a short formula.
[[nodiscard]] std::string export_model(const Model& model, ExportFormat format, const ExportOptions& options = {});

/// "onnx", "c", "python", "sql", "latex"
[[nodiscard]] std::vector<std::string> export_format_names();

/// Throws OptionError for an unknown name.
[[nodiscard]] ExportFormat export_format(std::string_view name);

}  // namespace shrimp
