// One function per format; shrimp/export.hpp says what each makes.
#pragma once

#include <string>

#include "shrimp/export.hpp"

namespace shrimp {

[[nodiscard]] std::string to_onnx(const Model& model);
/// `name` is that of the function, and checked.
[[nodiscard]] std::string to_c(const Model& model, const std::string& name);
[[nodiscard]] std::string to_python(const Model& model, const std::string& name);
/// `table` qualifies the columns unless it is "".
[[nodiscard]] std::string to_sql(const Model& model, const std::string& table);
[[nodiscard]] std::string to_latex(const Model& model, std::size_t terms, int digits);

}  // namespace shrimp
