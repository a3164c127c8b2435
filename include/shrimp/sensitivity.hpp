// Sensitivity analysis: Sobol' indices of a model.
//
// For independent inputs, f = Σ_u f_u (shrimp/explain.hpp) has uncorrelated components, and
//     S_u = Var f_u / Var f,   first order S_{j},   total order S_Tj = Σ_{u ∋ j} S_u.                             (1)
// For dependent inputs, components are correlated. Over the rows of a table (G. Li et al., J. Phys. Chem. A 114, 2010;
// Y. Caniou, PhD thesis, 2012)
//     S_u = Cov(f_u, f) / Var f = Var f_u / Var f  +  Cov(f_u, f − f_u) / Var f,                                   (2)
// the sum of a structural and a correlative part. The S_u sum to 1 and may be negative.
//
// If the target was transformed, f is on the transformed scale, log y or √y. Limits of predictions are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// Distribution of one input, in its units. Without parameters, they follow the training rows, as far as the model
/// keeps these. They are then uniform over the range, or normal with the mean and standard deviation.
struct InputLaw {
  enum class Kind {
    empirical,  ///< Marginal of the model: values of the training rows, or 64 quantiles.
    uniform,    ///< Between `first` and `second`.
    normal,     ///< With mean `first` and standard deviation `second` > 0.
  };
  Kind kind = Kind::empirical;
  std::optional<double> first = {};
  std::optional<double> second = {};
};

/// Distributions of all inputs of a model from text: one for all, such as `uniform`, some by name, such as
/// `x1=uniform(0,2),x3=normal`, or both. Names may be quoted. Empty text means empirical. Throws OptionError.
[[nodiscard]] std::vector<InputLaw> parse_input_laws(std::string_view text, const Model& model);

/// Fraction of variance, with its parts by (2) and an interval of probability 90 % for noise in the coefficients. The
/// interval is none if the model has no covariance of its coefficients (shrimp/intervals.hpp).
struct SobolIndex {
  double value = 0.0;
  double structural = 0.0;   ///< Equals the value for independent inputs.
  double correlative = 0.0;  ///< 0 for independent inputs.
  std::optional<double> low = {};
  std::optional<double> high = {};
};

struct InputSensitivity {
  std::uint32_t input = 0;
  SobolIndex first;
  SobolIndex total;
};

struct TermSensitivity {
  std::vector<std::uint32_t> variables;
  SobolIndex fraction;
};

struct Sensitivity {
  std::vector<InputSensitivity> inputs;  ///< All inputs of the model, in its order.
  std::vector<TermSensitivity> terms;    ///< Largest fraction first; terms below 1e-12 are omitted.
  double variance = 0.0;                 ///< Variance of f; if it is 0, all fractions are 0.
  /// Fraction of variance of components that are not listed: interactions of three or more inputs inside terms of more
  /// than four.
  double unlisted = 0.0;
};

/// Sobol' indices by (1) for independent inputs; an empty list means empirical distributions. Means and variances are
/// products of one-dimensional integrals, over values of the marginals or by Gauss–Legendre quadrature. They are exact
/// up to rounding for Fourier features and smooth kernels. Features with kinks in several inputs (relu, tanh) are
/// integrated on grids of 64 values per input, to about four digits.
///
/// Throws OptionError if such features depend on more than three inputs, a distribution is invalid, or the model has
/// more than 20000 components. Throws std::invalid_argument if the model has no marginals.
[[nodiscard]] Sensitivity sensitivity(const Model& model, const std::vector<InputLaw>& laws = {}, int threads = 0);

/// Sensitivity by (2) over the rows of X, whose columns are the model's inputs; terms are those of the model. Throws
/// std::invalid_argument if the number of columns differs, X has fewer than two rows, or the model has no marginals.
[[nodiscard]] Sensitivity sensitivity_on(const Model& model, MatrixView X, int threads = 0);

/// Interval of probability 90 % for a fraction of variance; none if unknown.
using FractionInterval = std::optional<std::pair<double, double>>;

/// Intervals for the fractions of variance of all terms, by their Sobol' indices. Fractions are over the training rows
/// and indices over their marginals; both are assumed to have the same relative uncertainty.
[[nodiscard]] std::vector<FractionInterval> fraction_intervals(const Model& model, const Sensitivity& indices);

}  // namespace shrimp
