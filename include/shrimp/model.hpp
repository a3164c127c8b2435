// Fitted model  f(x) = y̅ + s · Σ_k c_k φ_k⟨(x − x̅)/σ, w_k⟩, with c_k K((x − x̅)/σ, w_k) for kernel functions. Inputs x
// and target f may be transformed (shrimp/scaling.hpp). Predicts, is saved to and loaded from files.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shrimp/columns.hpp"
#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// Main effect or interaction: one component of the model's functional ANOVA.
struct Term {
  std::vector<std::uint32_t> variables;
  /// Number of basis functions of exactly these inputs; 0 for a main effect contained in an interaction.
  std::size_t basis_functions = 0;
  double fraction = 0.0;  ///< Fraction of the components' variance over the training rows; fractions sum to 1.
  /// The p-value of the term given the others: the probability, if the term has no effect, that any candidate is as
  /// significant. It is adjusted over all candidates of one screening pass (max statistic under random sign flips,
  /// before selection). None if no valid test exists: methods other than auto, exact fits, models with a kernel term,
  /// and simplified models.
  std::optional<double> p_value = {};
};

/// Ridge penalty of the fit in scaled units: λ Σ_k (c_k / scale_k)² for features, and λ cᵀ S⁻¹ (K + εI) S⁻¹ c for
/// kernel functions. S holds their scales, K is the kernel matrix of the landmarks, and ε = kernel_jitter
/// (shrimp/kernels.hpp). The coefficients are the posterior mean for a Gaussian prior. Its precision matrix is λ/σ²
/// times the matrix of this form, where σ² is the noise variance.
struct RidgePenalty {
  double ridge = 0.0;          ///< λ > 0
  std::vector<double> scales;  ///< One per weight vector of the dictionary, each > 0; the scale of all its columns.
};

/// Uncertainty of predictions in scaled units. The standard deviation s(x) of a target about the sum satisfies
///     s(x)² = noise² + ‖Fᵀφ(x)‖².
/// F Fᵀ is the covariance of the constant and the coefficients, and φ(x) is 1 followed by the basis functions at x. The
/// multiple of s(x) for an interval is calibrated on held-out rows (shrimp/intervals.hpp).
/// Under a loss with a link, the sum is the linear predictor, and ‖Fᵀφ(x)‖² is its variance. `noise` is then the
/// standard deviation of the working response of an average row, and `dispersion` that of the response distribution.
/// The constant's variance includes that of undetected effects under the logistic loss.
struct Uncertainty {
  double noise = 0.0;          ///< > 0
  double spread = 0.0;         ///< ≥ 0, standard deviation of the sum over the training rows.
  std::vector<float> factor;   ///< F in column-major order, with 1 + n rows for n basis functions; empty if unknown.
  std::vector<double> levels;  ///< Fractions of held-out rows, ascending in (0, 1), not empty, …
  std::vector<double>
      quantiles;  ///< … whose distance from the prediction is at most this multiple of s(x): ascending, ≥ 0.
  double dispersion = 1.0;  ///< > 0, variance of the target over the variance function of the loss at its mean.
};

struct Model {
  std::vector<std::string> inputs;
  /// Derivation of the inputs from table columns, one per input; empty if each is the number in the column of its name.
  std::vector<InputColumn> columns = {};
  std::string target;
  /// Names of the two classes, if predictions are the probability of the second; otherwise empty.
  std::vector<std::string> classes = {};
  std::string method;
  Scaling scaling;
  Dictionary dictionary;
  std::vector<double> coefficients;             ///< One per column of the dictionary.
  std::optional<RidgePenalty> penalty = {};     ///< None for least squares, for other methods, and in files without it.
  std::optional<Uncertainty> uncertainty = {};  ///< None in files without it.
  std::vector<Term> terms;                      ///< Largest fraction first.
  std::vector<Marginal> marginals;              ///< One per input; empty values for inputs without effect. Empty
                                                ///< in files without them.
  std::map<std::string, std::string> options;   ///< All options of the fit, as text.
  /// Options given by the caller, as they were; the method selected the others. None in files without them.
  std::optional<std::map<std::string, std::string>> given = {};
  /// Results of the fit: rows, errors, sizes. `fraction_above_order_three` is the fraction of the terms' variance from
  /// interactions of more than three inputs, if basis functions depend on as many. `covariance_fraction` is the
  /// fraction of the variance over the training rows that is covariance between terms. `independence_p_value` tests the
  /// hypothesis that the terms' inputs are independent, adjusted for all pairs.
  std::map<std::string, double> results;

  /// Returns one prediction per row of X, whose columns are `inputs` in this order. Categories are codes, and missing
  /// cells are NaN. Throws std::invalid_argument if the number of columns of X differs.
  [[nodiscard]] std::vector<double> predict(MatrixView X, int threads = 0) const;

  [[nodiscard]] std::string term_name(const Term& term) const;

  /// Short name for display: for more than four inputs, three names and the number, "(x1, x2, x3, … 9 inputs)".
  [[nodiscard]] std::string short_term_name(const Term& term) const;
};

/// Ranges of the inputs: input j is between lowest[j] and highest[j].
struct InputRange {
  std::vector<double> lowest;
  std::vector<double> highest;
};

/// Range to which `predict` clips inputs. Infinite for inputs without effect, and in models without limits.
[[nodiscard]] InputRange clipping_range(const Model& model);

/// Numbers of rows outside the clipping range.
struct ClippedRows {
  std::size_t of = 0;                 ///< All rows.
  std::size_t rows = 0;               ///< Rows with at least one input outside.
  std::vector<std::size_t> by_input;  ///< Rows with this input outside.
};

/// X has the columns `inputs` in this order. Throws std::invalid_argument if the number of columns differs.
[[nodiscard]] ClippedRows clipped_rows(const Model& model, MatrixView X);

/// Warning with these numbers, with the most frequently clipped inputs first; empty if no row was clipped.
[[nodiscard]] std::string clipping_warning(const Model& model, const ClippedRows& clipped);

/// Transformed inputs with an effect: the index of the input, and "rank" or "log".
[[nodiscard]] std::vector<std::pair<std::size_t, std::string>> input_forms(const Model& model);

/// The version that this program writes, and the highest that it reads (docs/reference/model-file.md).
inline constexpr int model_format_version = 6;

/// JSON text. Equal models have equal text, and doubles round-trip exactly.
[[nodiscard]] std::string to_json(const Model& model);

/// Throws ModelFileError, with `source` in the message, if the text is not a valid model.
[[nodiscard]] Model model_from_json(std::string_view text, const std::string& source);

/// Writes a temporary file, flushes and renames it, so that an existing file is replaced atomically. "-" is standard
/// output. Throws FileError.
void save_model(const Model& model, const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace shrimp
