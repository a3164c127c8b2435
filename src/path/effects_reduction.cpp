#include "path/effects_reduction.hpp"

#include <algorithm>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/effects_basis.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tall = 3;      // Rows per column from which it pays.
constexpr double most_extra = 0.25;  // Columns of Z beyond those of A, as a share of A's.
constexpr double least_rcond = 1e-5;

// y = Z g + what is orthogonal to it, from the equations of the rows so far, Lᵀ g = b, and those of more rows.
class EffectsReduction : public Extension, public std::enable_shared_from_this<EffectsReduction> {
 public:
  explicit EffectsReduction(EffectsBasis basis) : basis_(std::move(basis)) {}

  std::optional<Reduction> reduce(const RowSpace& rows, std::span<const double> y) {
    const Matrix Z = basis_.take_own(*rows.dense());
    gram_ = gram_of_columns(Z);
    const auto factor = Cholesky::factor(Matrix(gram_));
    if (!factor) return std::nullopt;
    L_transposed_ = factor->upper();
    if (!(triangle_rcond(L_transposed_) > least_rcond)) return std::nullopt;
    const std::vector<std::size_t> all = all_columns(Z.cols());
    g_.assign(Z.cols(), 0.0);
    std::vector<double> left(y.begin(), y.end());
    // A second solve takes away what rounding left in the way of the first.
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<double> step = project_columns(Z, all, left);
      factor->solve(step);
      add_scaled(g_, 1.0, step);
      add_scaled(left, -1.0, combine_columns(Z, all, step));
    }
    rest_ = squared_norm(left);
    Reduction result = reduction(L_transposed_, g_, rest_);
    result.extension = shared_from_this();
    return result;
  }

  [[nodiscard]] std::optional<Reduction> extend(const RowSpace& more, std::span<const double> y) const override {
    const Matrix Z = basis_.on(more);
    Matrix gram = gram_of_columns(Z);
    for (std::size_t j = 0; j < gram.cols(); ++j) add_scaled(gram.col(j), 1.0, gram_.col(j));
    const auto factor = Cholesky::factor(std::move(gram));
    if (!factor) return std::nullopt;
    const std::vector<std::size_t> all = all_columns(Z.cols());
    std::vector<double> g = g_;
    std::vector<double> above(g.size(), 0.0);  // What is left of the equations so far.
    std::vector<double> left(y.begin(), y.end());
    add_scaled(left, -1.0, combine_columns(Z, all, g));
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<double> step = project_columns(Z, all, left);
      add_scaled(step, 1.0, multiply_transposed(L_transposed_, above));
      factor->solve(step);
      add_scaled(g, 1.0, step);
      add_scaled(above, -1.0, multiply(L_transposed_, step));
      add_scaled(left, -1.0, combine_columns(Z, all, step));
    }
    return reduction(factor->upper(), g, rest_ + squared_norm(above) + squared_norm(left));
  }

 private:
  [[nodiscard]] Reduction reduction(const Matrix& L_transposed, std::span<const double> g, double rest) const {
    Reduction result;
    result.M = std::make_shared<const Matrix>(basis_.times_coefficients(L_transposed));
    result.order = basis_.order();
    result.b = multiply(L_transposed, g);
    result.rest = rest;
    result.ranked = true;
    return result;
  }

  EffectsBasis basis_;
  Matrix gram_;
  Matrix L_transposed_;
  std::vector<double> g_;
  double rest_ = 0.0;
};

// Of one or two inputs, and enough of them for each to see what they share.
bool is_suitable(const RowSpace& rows, const Dictionary& dictionary) {
  constexpr std::size_t least_dimensions = 16;  // What functions of one input are reckoned to take.
  if (!rows.dense() || rows.rows() < tall * rows.cols()) return false;
  std::vector<char> used;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const bool wave = dictionary.functions[k] == Function::cos || dictionary.functions[k] == Function::sin;
    if (!wave || dictionary.support(k).size() > 2) return false;
    for (const std::uint32_t input : dictionary.support(k)) {
      used.resize(std::max<std::size_t>(used.size(), input + 1), 0);
      used[input] = 1;
    }
  }
  const auto inputs = static_cast<double>(std::ranges::count(used, 1));
  return inputs * least_dimensions <= most_extra * static_cast<double>(rows.cols());
}

}  // namespace

std::optional<Reduction> reduce_by_effects(const RowSpace& rows, const Dictionary& dictionary,
                                           std::span<const double> y) {
  if (!is_suitable(rows, dictionary)) return std::nullopt;
  EffectsBasis basis(rows, dictionary);
  if (static_cast<double>(basis.width()) > (1.0 + most_extra) * static_cast<double>(rows.cols())) return std::nullopt;
  return std::make_shared<EffectsReduction>(std::move(basis))->reduce(rows, y);
}

}  // namespace shrimp
