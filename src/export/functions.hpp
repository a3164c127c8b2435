// How other languages write the function of a column: a row each, as in features/bases.cpp.
#pragma once

#include <string>
#include <string_view>

#include "shrimp/features.hpp"

namespace shrimp {

class OnnxGraph;

/// Texts have {} where t goes; it is a word in C and Python, and an expression between brackets in SQL.
struct FunctionInLanguages {
  Function function;
  std::string_view c;
  std::string_view python;
  std::string_view sql;
  std::string (*onnx)(OnnxGraph& graph, const std::string& t);  ///< Returns the name of the value.
};

/// Throws std::logic_error for kernel columns, which are no function of t, and where there is no row.
[[nodiscard]] const FunctionInLanguages& in_languages(Function function);

}  // namespace shrimp
