// The fitted model in other languages: what it predicts, without this library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// Limits, forms and scaling are in all of them but latex, which is for reading.
enum class ExportFormat {
  onnx,    ///< Opset 17, in double precision: "X" (rows × inputs) to "y" (rows). Bytes, not text.
  c,       ///< C99 that needs libm alone.
  python,  ///< A module that needs NumPy alone.
  sql,     ///< One expression of the columns of a table, as SQLite and DuckDB read it.
  latex,   ///< The largest terms as formulas, for amsmath's align*.
};

struct ExportOptions {
  /// c, python: the function's name, a word of ASCII letters, digits and underscores; "": shrimp_predict in C, predict
  /// in Python. sql: the table whose columns the inputs are; "": they stand alone. onnx, latex: has to be "".
  std::string name = {};
  std::size_t terms = 10;  ///< latex: so many, largest share first; ≥ 1.
  int digits = 3;          ///< latex: of its numbers; 1 … 17.
};

/// The model as such a file. Inputs come in the model's order; in SQL they are columns by name. No name of a column can
/// break out of where it stands. A NaN among the inputs that columns look at gives NaN, NULL in SQL. Throws OptionError
/// for options out of their range, and where this model has no such form: where SQL would be longer than databases
/// read, an input has a name that SQL cannot have, or no term has a formula that LaTeX could show.
[[nodiscard]] std::string export_model(const Model& model, ExportFormat format, const ExportOptions& options = {});

/// "onnx", "c", "python", "sql", "latex"
[[nodiscard]] std::vector<std::string> export_format_names();

/// Throws OptionError for another name.
[[nodiscard]] ExportFormat export_format(std::string_view name);

}  // namespace shrimp
