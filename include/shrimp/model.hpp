// The fitted model  f(x) = y̅ + s · Σ_k c_k φ_k⟨(x − x̅)/σ, w_k⟩, or c_k K((x − x̅)/σ, w_k) in kernel columns, where x
// and f may stand for forms of the inputs and the target (shrimp/scaling.hpp): predict, read, save, load.
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

/// What some inputs do together and fewer of them cannot: one component of the model's functional ANOVA.
struct Term {
  std::vector<std::uint32_t> variables;
  /// Number of basis functions of exactly these inputs; 0 for a main effect contained in an interaction.
  std::size_t basis_functions = 0;
  double fraction = 0.0;  ///< Fraction of the components' variance over the training rows; fractions sum to 1.
  /// The p-value of the term given the others: the probability, where it has no effect besides these, that the test of
  /// any candidate term is as significant. None where no test is valid: other methods than auto, exact fits, models
  /// with a kernel term, simplified models.
  std::optional<double> p_value = {};
};

/// What a ridge fit added to the squared error of its rows, in scaled units: λ Σ_k (c_k / scale_k)² over the columns
/// that are no kernel's, and λ cᵀ S⁻¹ (K + εI) S⁻¹ c of the kernel's, S their scales, K the kernel at their centres and
/// ε = kernel_jitter (shrimp/kernels.hpp). Such coefficients are the mean of their posterior under a prior of
/// covariance σ²/λ times the inverse of that, σ² the variance of the noise.
struct RidgePenalty {
  double ridge = 0.0;          ///< λ > 0
  std::vector<double> scales;  ///< One per weight vector of the dictionary, each > 0: the scale of all its columns.
};

/// How far targets lie from a model's sums, and how sure its coefficients are, in scaled units. A target is expected
/// about the sum with the deviation s(x),
///   s(x)² = noise² + ‖Fᵀφ(x)‖²,
/// where F Fᵀ is the covariance of the constant and the coefficients, and φ(x) a 1 and the columns at x. How many s(x)
/// an interval needs, rows that were not fitted tell (shrimp/intervals.hpp).
struct Uncertainty {
  double noise = 0.0;             ///< > 0
  double spread = 0.0;            ///< ≥ 0: the deviation of the sums over the training rows.
  std::vector<float> factor;      ///< F, column by column, each 1 + the model's columns long; none: not known.
  std::vector<double> levels;     ///< Shares of rows that were not fitted, ascending in (0, 1), not empty, …
  std::vector<double> quantiles;  ///< … that lie so many s(x) from the prediction, or less: ascending, ≥ 0.
};

struct Model {
  std::vector<std::string> inputs;
  /// How they are made of the columns of a table, one per input; empty: each is the number in the column of its name.
  std::vector<InputColumn> columns = {};
  std::string target;
  /// Names of the two classes, where predictions are the probability of the second; empty elsewhere.
  std::vector<std::string> classes = {};
  std::string method;
  Scaling scaling;
  Dictionary dictionary;
  std::vector<double> coefficients;             ///< One per column of the dictionary.
  std::optional<RidgePenalty> penalty = {};     ///< None: least squares, another method, or a file that does not tell.
  std::optional<Uncertainty> uncertainty = {};  ///< None in models of files that do not tell.
  std::vector<Term> terms;                      ///< Largest fraction first.
  std::vector<Marginal> marginals;              ///< One per input; no values for inputs that no column looks at. Empty
                                                ///< in models of files that do not have them.
  std::map<std::string, std::string> options;   ///< How it was made: every option of the fit, as text.
  /// Those that were asked for, as they were; the others the method chose. None in models of files that do not tell.
  std::optional<std::map<std::string, std::string>> given = {};
  /// What came out: rows, errors, sizes; `fraction_above_order_three`, where columns look at more than three inputs, is
  /// the part of the terms' variance that takes as many; `covariance_fraction` is the part of the sum's variance over
  /// the training rows that is covariance between terms, which shares leave out; `independence_p_value` is that of the
  /// hypothesis that the terms' inputs are independent of each other, adjusted for all pairs.
  std::map<std::string, double> results;

  /// One value per row of X, whose columns are `inputs` in this order: categories by their codes, NaN where a cell is
  /// missing.
  /// Throws std::invalid_argument if X has another number of columns.
  [[nodiscard]] std::vector<double> predict(MatrixView X, int threads = 0) const;

  [[nodiscard]] std::string term_name(const Term& term) const;

  /// For people: of more than four inputs it names three and counts them, "(x1, x2, x3, … 9 inputs)".
  [[nodiscard]] std::string short_term_name(const Term& term) const;
};

/// Values of the inputs: input j from lowest[j] to highest[j].
struct InputRange {
  std::vector<double> lowest;
  std::vector<double> highest;
};

/// Where `predict` takes inputs as they are; outside it takes them as if they lay at the edge. Infinite for inputs that
/// no column looks at, and in models without limits.
[[nodiscard]] InputRange clipping_range(const Model& model);

/// How many rows lie outside the clipping range.
struct ClippedRows {
  std::size_t of = 0;                 ///< All rows.
  std::size_t rows = 0;               ///< Those with any input outside.
  std::vector<std::size_t> by_input;  ///< Those with this input outside.
};

/// X has the columns `inputs` in this order. Throws std::invalid_argument if it has another number of columns.
[[nodiscard]] ClippedRows clipped_rows(const Model& model, MatrixView X);

/// One sentence with these numbers, the inputs with most rows first; "" where no row was clipped.
[[nodiscard]] std::string clipping_warning(const Model& model, const ClippedRows& clipped);

/// The forms of inputs that columns look at and that do not enter as they are: the input's number, and "rank" or "log".
[[nodiscard]] std::vector<std::pair<std::size_t, std::string>> input_forms(const Model& model);

/// The version that this program writes, and the highest that it reads (docs/reference/model-file.md).
inline constexpr int model_format_version = 6;

/// JSON text; equal models give equal text, and doubles survive the round trip.
[[nodiscard]] std::string to_json(const Model& model);

/// Throws ModelFileError, with `source` named, if the text is no valid model.
[[nodiscard]] Model model_from_json(std::string_view text, const std::string& source);

/// Writes through a temporary file that is flushed and renamed: the old file stays whole until the new
/// one is. "-" is standard output. Throws FileError.
void save_model(const Model& model, const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace shrimp
