#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/present.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "features/bases.hpp"
#include "features/kernel_law.hpp"
#include "model/column_sums.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/explain.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Slopes of E_k(κ_j : j ∈ S): κ_j's own slope times E_{k−1} of all the others, which the
// polynomials of those before j and of those after j give without a division.
class KernelSlopes {
 public:
  KernelSlopes(const Dictionary& dictionary, std::size_t column)
      : support_(dictionary.support(column)),
        centre_(dictionary.weights.weights(dictionary.rows[column])),
        gamma_(dictionary.gamma),
        law_(dictionary.kernel_law),
        degree_(dictionary.kernel_order == 0 ? support_.size() : static_cast<std::size_t>(dictionary.kernel_order)),
        kappa_(support_.size()),
        before_((support_.size() + 1) * (degree_ + 1)),
        after_((support_.size() + 1) * (degree_ + 1)) {}

  /// Puts the slope along input support[l] into slopes[l].
  void at(MatrixView Z, std::size_t row, std::span<double> slopes) {
    const std::size_t size = support_.size();
    const std::size_t stride = degree_ + 1;
    for (std::size_t l = 0; l < size; ++l) {
      const double gap = Z(row, support_[l]) - centre_[l];
      kappa_[l] = kernel_factor(law_, gamma_[support_[l]], gap);
      slopes[l] = kernel_slope(law_, gamma_[support_[l]], gap);
    }
    start(&before_[0]);
    for (std::size_t l = 0; l < size; ++l) extend(&before_[l * stride], &before_[(l + 1) * stride], kappa_[l]);
    start(&after_[size * stride]);
    for (std::size_t l = size; l-- > 0;) extend(&after_[(l + 1) * stride], &after_[l * stride], kappa_[l]);
    for (std::size_t l = 0; l < size; ++l) {
      double others = 0.0;
      for (std::size_t k = 0; k < degree_; ++k)
        others += before_[l * stride + k] * after_[(l + 1) * stride + degree_ - 1 - k];
      slopes[l] *= others;
    }
  }

 private:
  void start(double* E) const {
    std::fill_n(E, degree_ + 1, 0.0);
    E[0] = 1.0;
  }

  void extend(const double* from, double* to, double kappa) const {
    to[0] = 1.0;
    for (std::size_t k = 1; k <= degree_; ++k) to[k] = from[k] + kappa * from[k - 1];
  }

  std::span<const std::uint32_t> support_;
  std::span<const double> centre_;
  std::span<const double> gamma_;
  Law law_;
  std::size_t degree_;
  std::vector<double> kappa_;
  std::vector<double> before_;  // E_0 … E_degree of the inputs before l, for every l.
  std::vector<double> after_;
};

void add_kernel_column(const Model& model, std::size_t k, MatrixView Z, std::size_t first, Matrix& G) {
  KernelSlopes kernel(model.dictionary, k);
  const auto support = model.dictionary.support(k);
  std::vector<double> slopes(support.size());
  for (std::size_t i = 0; i < Z.rows; ++i) {
    kernel.at(Z, i, slopes);
    for (std::size_t l = 0; l < support.size(); ++l) G(first + i, support[l]) += model.coefficients[k] * slopes[l];
  }
}

void add_column(const Model& model, std::size_t k, MatrixView Z, std::size_t first, Matrix& G) {
  const FeatureWeights& W = model.dictionary.weights;
  const std::size_t row = model.dictionary.rows[k];
  const auto support = W.support(row);
  const auto weights = W.weights(row);
  std::vector<double> slopes(Z.rows, W.phases.empty() ? 0.0 : W.phases[row]);
  for (std::size_t l = 0; l < support.size(); ++l) {
    for (std::size_t i = 0; i < Z.rows; ++i) slopes[i] += weights[l] * Z(i, support[l]);
  }
  about(model.dictionary.functions[k]).slope(slopes);
  for (double& slope : slopes) slope *= model.coefficients[k];
  for (std::size_t l = 0; l < support.size(); ++l) {
    for (std::size_t i = 0; i < Z.rows; ++i) G(first + i, support[l]) += slopes[i] * weights[l];
  }
}

// How much a prediction changes with the sum of the columns.
std::vector<double> target_slopes(const Model& model, MatrixView Z) {
  std::vector<double> slopes(Z.rows, 0.0);
  if (model.scaling.target_form != TargetForm::identity) add_columns(model, Z, slopes);
  for (double& sum : slopes) sum = target_slope(model.scaling, sum);
  return slopes;
}

// How much input j, as features see it, changes with x; not at all beyond its limits.
double input_slope(const Scaling& scaling, std::size_t j, double x) {
  const bool limited = !scaling.input_lowest.empty();
  if (limited && (x < scaling.input_lowest[j] || x > scaling.input_highest[j])) return 0.0;
  return warp_slope(warp_of(scaling, j), x) / scaling.input_scale[j];
}

}  // namespace

Matrix gradient(const Model& model, MatrixView X, int threads) {
  if (X.cols != model.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns, but the model has {} inputs.", X.cols, model.inputs.size()));
  }
  for (std::size_t j = 0; j < X.cols; ++j) {
    if (!any_missing(X.col(j))) continue;
    throw DataError(fmt::format(
        "\"{}\" is missing in some rows, where the gradient is undefined.\nFill the cells, or drop the rows.",
        model.inputs[j]));
  }
  constexpr std::size_t block_rows = 512;
  const ThreadScope scope(threads);
  Matrix G(X.rows, X.cols);
  parallel_for((X.rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    const Matrix Z =
        scale_inputs({X.data + first, std::min(block_rows, X.rows - first), X.cols, X.stride}, model.scaling);
    for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
      const bool kernel = model.dictionary.functions[k] == Function::kernel;
      kernel ? add_kernel_column(model, k, Z, first, G) : add_column(model, k, Z, first, G);
    }
    const std::vector<double> outer = target_slopes(model, Z);
    for (std::size_t j = 0; j < X.cols; ++j) {
      for (std::size_t i = first; i < first + Z.rows(); ++i) {
        const double inner = input_slope(model.scaling, j, X(i, j));
        G(i, j) = inner == 0.0 ? 0.0 : G(i, j) * outer[i - first] * inner;  // However steep the target's form is.
      }
    }
  });
  return G;
}

}  // namespace shrimp
