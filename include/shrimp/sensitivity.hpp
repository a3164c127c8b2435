// Which inputs matter, and how much: Sobol' indices of a model.
//
// For independent inputs f = Σ_u f_u (shrimp/explain.hpp) with uncorrelated components, and
//   S_u = Var f_u / Var f,   first order S_{j},   total order S_Tj = Σ_{u ∋ j} S_u.                               (1)
// For inputs that depend on each other the components are correlated, and variances alone leave their covariances out.
// Over the rows of a table (G. Li et al., J. Phys. Chem. A 114, 2010; Y. Caniou, PhD thesis, 2012)
//   S_u = Cov(f_u, f) / Var f = Var f_u / Var f  +  Cov(f_u, f − f_u) / Var f,                                     (2)
// a structural and a correlative share; the S_u sum to 1, and may be negative.
//
// Where the target was fitted in another form, f is that form: log y or √y. Limits of predictions are not looked at.
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

/// How one input is taken to be spread, in its own units. Laws without parameters take them from the training rows, as
/// far as the model keeps these: uniform over their range, normal with their mean and deviation.
struct InputLaw {
  enum class Kind {
    empirical,  ///< The model's marginal: the training rows' values, or 64 quantiles of them.
    uniform,    ///< From `first` to `second`.
    normal,     ///< Of mean `first` and standard deviation `second` > 0.
  };
  Kind kind = Kind::empirical;
  std::optional<double> first = {};
  std::optional<double> second = {};
};

/// Laws of all inputs of a model from text: one for all, as in `uniform`, or some by name, `x1=uniform(0,2),x3=normal`;
/// both may stand together. Double quotes hold a name together. "" means empirical. Throws OptionError.
[[nodiscard]] std::vector<InputLaw> parse_input_laws(std::string_view text, const Model& model);

/// A share, what it is made of by (2), and where it lies with a probability of 90 %, as noise moves the coefficients:
/// not known where the model does not tell how sure these are (shrimp/intervals.hpp).
struct SobolIndex {
  double value = 0.0;
  double structural = 0.0;   ///< The same as the value for independent inputs.
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
  std::vector<TermSensitivity> terms;    ///< Largest fraction first; those below 1e-12 are left out.
  double variance = 0.0;                 ///< Of f, in the square of its units; where it is 0, all shares are.
  /// The share of components that are too many to list: those of three and more inputs, of columns on more than four.
  double unlisted = 0.0;
};

/// By (1), for independent inputs of these laws; none: all empirical. Means and variances are products of integrals
/// over one input, taken over the marginals' values or by Gauss–Legendre quadrature: exact up to rounding for Fourier
/// columns and sections of smooth kernels. Columns with a kink across several inputs (relu, tanh) are integrated over
/// grids of 64 values an input, to about four digits. Throws OptionError where these look at more than three inputs,
/// where a law does not suit the model, and where the model has more than 20000 components; std::invalid_argument if
/// the model has no marginals.
[[nodiscard]] Sensitivity sensitivity(const Model& model, const std::vector<InputLaw>& laws = {}, int threads = 0);

/// By (2), over the rows of X, whose columns are the model's inputs. Terms are the model's. Throws
/// std::invalid_argument if X has another number of columns or fewer than two rows, or the model has no marginals.
[[nodiscard]] Sensitivity sensitivity_on(const Model& model, MatrixView X, int threads = 0);

/// Where a share lies with a probability of 90 %; none: not known.
using FractionInterval = std::optional<std::pair<double, double>>;

/// Of each of the model's terms, by its Sobol' index: shares are over the training rows, indices over their marginals,
/// and a share is as unsure as its index.
[[nodiscard]] std::vector<FractionInterval> fraction_intervals(const Model& model, const Sensitivity& indices);

}  // namespace shrimp
