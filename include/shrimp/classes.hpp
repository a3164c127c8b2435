// Model of several classes: one linear predictor per class over shared basis functions, and a softmax.
//
//   p_k(x) = exp f_k(x) / Σ_l exp f_l(x),   f_k = b_k + Σ_j c_jk φ_j.
//
// Loss multinomial fits it. Models of two classes with loss logistic are ordinary models (shrimp/model.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

struct ClassModel {
  std::vector<std::string> classes;  ///< Names; at least two.
  /// The parts that are common to all classes: inputs, scaling, dictionary, marginals, options and results. Its terms have
  /// their fractions of the variance of all linear predictors together. It has no coefficients and cannot predict.
  Model shared;
  std::vector<double> intercepts;                 ///< b, one per class; their sum is 0.
  std::vector<std::vector<double>> coefficients;  ///< c, one list per class with one entry per column.
  std::vector<std::vector<double>> fractions;     ///< One list per class with one entry per term of `shared`.

  /// Linear predictors f: one row per row of X, whose columns are `shared.inputs`, and one column per class. The
  /// predictors of a row sum to 0, up to rounding. Throws std::invalid_argument if the number of columns of X differs.
  [[nodiscard]] Matrix predict_linear(MatrixView X, int threads = 0) const;

  /// Probabilities, in the same layout. Rows sum to 1.
  [[nodiscard]] Matrix predict_probabilities(MatrixView X, int threads = 0) const;

  /// Ordinary model of the linear predictor of class k, which is named logit(CLASS). It is the logarithm of the
  /// probability over the geometric mean of the probabilities of all classes (centred log-ratio).
  [[nodiscard]] Model model_of(std::size_t k) const;
};

/// The version of class model files that this program writes, and the highest that it reads. Version 1 was written by
/// Python's ShrimpClassifier, which still reads it; this library refuses it.
inline constexpr int class_model_format_version = 2;

/// JSON text. Equal models have equal text, and doubles round-trip exactly.
[[nodiscard]] std::string to_json(const ClassModel& model);

/// Throws ModelFileError, with `source` in the message, if the text is not a valid class model.
[[nodiscard]] ClassModel class_model_from_json(std::string_view text, const std::string& source);

/// Writes a temporary file, flushes and renames it. "-" is standard output. Throws FileError.
void save_model(const ClassModel& model, const std::string& path);
[[nodiscard]] ClassModel load_class_model(const std::string& path);

/// A file of either type.
[[nodiscard]] std::variant<Model, ClassModel> load_any_model(const std::string& path);

}  // namespace shrimp
