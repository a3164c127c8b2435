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
  onnx,    ///< Opset 17, in double precision: "X" (rows × numbers), and "C" (rows × categories) where there are
           ///< any, to "y" (rows). Bytes, not text.
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

/// The model as such a file. It takes the columns of the table that the model was fitted to, in their order, and in SQL
/// by name. No name of a column or level can break out of where it stands. A model with categories, dates or missing
/// cells among its inputs takes a NaN, NULL in SQL, for a cell that is missing; for any other it is the prediction
/// where a column looks at it. Throws OptionError for options out of their range, and where this model has no such
/// form: where SQL would be longer than databases read, an input or a level has a name that the language cannot have, a
/// column that is no wave looks at several inputs that may be missing, or no term has a formula that LaTeX could show.
[[nodiscard]] std::string export_model(const Model& model, ExportFormat format, const ExportOptions& options = {});

/// "onnx", "c", "python", "sql", "latex"
[[nodiscard]] std::vector<std::string> export_format_names();

/// Throws OptionError for another name.
[[nodiscard]] ExportFormat export_format(std::string_view name);

}  // namespace shrimp
