#include "path/effects_reduction.hpp"

#include <algorithm>
#include <numeric>

#include "features/bases.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/effects_basis.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tall = 3;      // Rows per column from which it pays.
constexpr double most_extra = 0.25;  // Columns of Z beyond those of A, as a share of A's.
constexpr double least_rcond = 1e-5;

// Z is made a block of rows at a time, as often as it is needed: that takes less time than to store it.
class EffectsReduction : public Extension, public std::enable_shared_from_this<EffectsReduction> {
 public:
  explicit EffectsReduction(EffectsBasis basis) : basis_(std::move(basis)) {}

  // y = Z g + what is orthogonal to it; a second solve takes away what rounding left in the way of the first.
  std::optional<Reduction> reduce(const RowSpace& rows, std::span<const double> y) {
    Blocks blocks = blocks_of(rows, y);
    gram_ = Matrix(basis_.width(), basis_.width());
    g_ = visit(blocks, {}, &gram_).products;
    auto factor = Cholesky::factor(copy_in_parallel(gram_));
    if (!factor) return std::nullopt;
    L_transposed_ = std::move(*factor).upper();
    if (!(triangle_rcond(L_transposed_) > least_rcond)) return std::nullopt;
    solve(L_transposed_, g_);
    const Left left = visit(blocks, g_, nullptr);
    std::vector<double> step = left.products;
    solve(L_transposed_, step);
    add_scaled(g_, 1.0, step);
    rest_ = std::max(0.0, left.squares - dot(step, left.products));
    Reduction result = reduction(L_transposed_, g_, rest_);
    result.extension = shared_from_this();
    return result;
  }

  // The rows so far are Lᵀ g = b.
  [[nodiscard]] std::optional<Reduction> extend(const RowSpace& more, std::span<const double> y) const override {
    Blocks blocks = blocks_of(more, y);
    Matrix gram = copy_in_parallel(gram_);
    std::vector<double> step = visit(blocks, g_, &gram).products;
    auto factor = Cholesky::factor(std::move(gram));
    if (!factor) return std::nullopt;
    const Matrix L_transposed = std::move(*factor).upper();
    solve(L_transposed, step);
    std::vector<double> g = g_;
    add_scaled(g, 1.0, step);
    const std::vector<double> gap = multiply(L_transposed_, step);  // Lᵀ g − b
    Left left = visit(blocks, g, nullptr);
    add_scaled(left.products, -1.0, multiply_transposed(L_transposed_, gap));
    left.squares += squared_norm(gap);
    step = left.products;
    solve(L_transposed, step);
    add_scaled(g, 1.0, step);
    return reduction(L_transposed, g, rest_ + std::max(0.0, left.squares - dot(step, left.products)));
  }

 private:
  // Rows to go through a block at a time.
  struct Blocks {
    const RowSpace& rows;
    std::span<const double> y;
    Matrix buffer;  // Of a block of Z.
  };

  [[nodiscard]] Blocks blocks_of(const RowSpace& rows, std::span<const double> y) const {
    constexpr std::size_t entries = std::size_t{4} << 20;  // Of a block, about what a large cache holds.
    constexpr std::size_t least_rows = 1024;
    const std::size_t size = std::min(rows.rows(), std::max(least_rows, entries / basis_.width()));
    return {rows, y, Matrix::uninitialized(size, basis_.width())};
  }

  // Of y − Z g.
  struct Left {
    std::vector<double> products;  // Zᵀ (y − Z g)
    double squares = 0.0;
  };

  Left visit(Blocks& blocks, std::span<const double> g, Matrix* gram) const {
    const std::vector<std::size_t> all = all_columns(basis_.width());
    Left result{std::vector<double>(basis_.width(), 0.0)};
    for (std::size_t first = 0; first < blocks.y.size(); first += blocks.buffer.rows()) {
      const std::size_t count = std::min(blocks.buffer.rows(), blocks.y.size() - first);
      basis_.fill(blocks.buffer, blocks.rows, first, count);
      const MatrixView Z{blocks.buffer.data(), count, blocks.buffer.cols(), blocks.buffer.rows()};
      if (gram != nullptr) add_gram_of_columns(*gram, Z);
      const std::span<const double> y = blocks.y.subspan(first, count);
      std::vector<double> left(y.begin(), y.end());
      if (!g.empty()) add_scaled(left, -1.0, combine_columns(Z, all, g));
      add_scaled(result.products, 1.0, project_columns(Z, all, left));
      result.squares += squared_norm(left);
    }
    return result;
  }

  // b ← (L Lᵀ)⁻¹ b
  static void solve(const Matrix& L_transposed, std::span<double> b) {
    solve_triangle(L_transposed, b, true);
    solve_triangle(L_transposed, b, false);
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }

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
  if (rows.rows() < tall * rows.cols()) return false;
  std::vector<char> used;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (about(dictionary.functions[k]).form != Form::wave || dictionary.support(k).size() > 2) return false;
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
  if (!basis.is_finite()) return std::nullopt;
  if (static_cast<double>(basis.width()) > (1.0 + most_extra) * static_cast<double>(rows.cols())) return std::nullopt;
  return std::make_shared<EffectsReduction>(std::move(basis))->reduce(rows, y);
}

}  // namespace shrimp
