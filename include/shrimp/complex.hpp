// Algorithm 1 over the complex numbers, as in the paper: features exp(i⟨x,w⟩) with complex targets and coefficients.
//
// c = A_P† y and |c_j| are complex. The implementation solves the equivalent real system
//     [Re A  −Im A] [Re c]   [Re y]
//     [Im A   Re A] [Im c] = [Im y].
// Its minimum-norm solution is the complex one. Both real columns of a c_j are kept or pruned together.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

using Complex = std::complex<double>;

/// One fit along the path. coefficients[k] belongs to columns[k]; columns ascend.
struct ComplexPathStep {
  std::vector<std::size_t> columns;
  std::vector<Complex> coefficients;
  std::size_t rank = 0;    ///< Numerical rank of A_P over the complex numbers.
  double train_mse = 0.0;  ///< ‖A_P c − y‖²/m
  double ridge = 0.0;
};

using ComplexPathVisitor = std::function<bool(const ComplexPathStep&)>;

/// The path of A = real + i·imaginary. options.groups and options.drop are not used.
/// Throws std::invalid_argument as visit_prune_path does.
void visit_complex_prune_path(MatrixView real, MatrixView imaginary, std::span<const Complex> y,
                              const PathOptions& options, const ComplexPathVisitor& visit);

struct ComplexDataset {
  std::vector<std::string> inputs;
  std::string target;
  Matrix X;  ///< m×d
  std::vector<Complex> y;
};

/// f(x) = target_mean + target_scale · Σ_k c_k exp(i⟨(x − x̅)/σ, w_k⟩)
struct ComplexModel {
  std::vector<std::string> inputs;
  std::string target;
  std::string method;
  std::vector<double> input_mean;
  std::vector<double> input_scale;  ///< Each > 0.
  Complex target_mean = 0.0;
  double target_scale = 1.0;  ///< > 0
  FeatureWeights weights;
  std::vector<Complex> coefficients;  ///< One per weight vector.
  std::map<std::string, std::string> options;
  std::map<std::string, double> results;

  /// Returns one prediction per row of X, whose columns are `inputs` in this order. Throws std::invalid_argument if the
  /// number of columns of X differs.
  [[nodiscard]] std::vector<Complex> predict(MatrixView X, int threads = 0) const;
};

struct ComplexFitResult {
  ComplexModel model;
  std::vector<int> order;
  double prune_rate = 0.0;
  double validation_mse = 0.0;
  double train_mse = 0.0;
  std::vector<PathRecord> path;  ///< Path of the selected dictionary and rate.
  std::size_t chosen = 0;        ///< Index into path.
};

/// Fits by method shrimp (also if method is auto) or min-l2, selects by validation rows and refits to all rows. Options
/// of the basis and of other methods are not used. Throws DataError or OptionError, as fit does.
[[nodiscard]] ComplexFitResult fit_complex(const ComplexDataset& train, FitOptions options);

/// Model files of complex models have their own format; see docs/reference/model-file.md. Otherwise as for Model.
[[nodiscard]] std::string to_json(const ComplexModel& model);
[[nodiscard]] ComplexModel complex_model_from_json(std::string_view text, const std::string& source);
void save_model(const ComplexModel& model, const std::string& path);
[[nodiscard]] ComplexModel load_complex_model(const std::string& path);

}  // namespace shrimp
