#include "path/effects_reduction.hpp"

#include <algorithm>
#include <numeric>

#include "features/bases.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/effects_basis.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tall = 3;      // Rows per column from which it pays.
constexpr double most_extra = 0.25;  // Columns of Z beyond those of A, as a share of A's.
constexpr double least_rcond = 1e-5;

// Z is made a block of rows at a time, as often as it is needed: that takes less time than to store it.
class EffectsReduction : public Extension, public std::enable_shared_from_this<EffectsReduction> {
 public:
  explicit EffectsReduction(EffectsBasis basis) : basis_(std::move(basis)), sums_(basis_.width()) {}

  // y = Z g + what is orthogonal to it.
  std::optional<Reduction> reduce(const RowSpace& rows, std::span<const double> y) {
    Blocks blocks = blocks_of(rows, y);
    visit(blocks, {}, [&](MatrixView Z, std::span<const double> left) { sums_.add(Z, left); });
    auto triangle = triangular_system(sums_);
    if (!triangle || !(triangle_rcond(triangle->R) > least_rcond)) return std::nullopt;
    g_ = triangle->b;
    solve_triangle(triangle->R, g_, false);
    refine(*triangle, g_, left_of(blocks, g_));
    triangle_ = *std::move(triangle);
    sums_.target = TargetSums(basis_.width());  // From here on those of y − Z g, which is orthogonal to Z.
    sums_.target.squares = triangle_.rest;
    Reduction result = reduction(triangle_);
    result.extension = shared_from_this();
    return result;
  }

  [[nodiscard]] std::optional<Reduction> extend(const RowSpace& more, std::span<const double> y) const override {
    Blocks blocks = blocks_of(more, y);
    NormalEquations sums = sums_;
    visit(blocks, g_, [&](MatrixView Z, std::span<const double> left) { sums.add(Z, left); });
    auto triangle = triangular_system(std::move(sums));
    if (!triangle) return std::nullopt;
    std::vector<double> step = triangle->b;
    solve_triangle(triangle->R, step, false);
    std::vector<double> g = g_;
    add_scaled(g, 1.0, step);
    TargetSums left = left_of(blocks, g);
    const std::vector<double> gap = multiply(triangle_.R, step);  // What g leaves of the first rows: Lᵀ g − b.
    add_scaled(left.products, -1.0, multiply_transposed(triangle_.R, gap));
    left.squares += squared_norm(gap);
    refine(*triangle, g, left);
    triangle->rest += triangle_.rest;
    return reduction(*triangle);
  }

 private:
  // Rows to go through a block at a time.
  struct Blocks {
    const RowSpace& rows;
    std::span<const double> y;
    Matrix buffer;  // Of a block of Z.
  };

  [[nodiscard]] Blocks blocks_of(const RowSpace& rows, std::span<const double> y) const {
    const std::size_t size = effects_block_entries(rows.rows(), basis_.width()) / basis_.width();
    return {rows, y, Matrix::uninitialized(size, basis_.width())};
  }

  // Calls body(Z, y − Z g) for every block of rows.
  template <typename Body>
  void visit(Blocks& blocks, std::span<const double> g, const Body& body) const {
    const std::vector<std::size_t> all = all_columns(basis_.width());
    for (std::size_t first = 0; first < blocks.y.size(); first += blocks.buffer.rows()) {
      const std::size_t count = std::min(blocks.buffer.rows(), blocks.y.size() - first);
      basis_.fill(blocks.buffer, blocks.rows, first, count);
      const MatrixView Z{blocks.buffer.data(), count, blocks.buffer.cols(), blocks.buffer.rows()};
      const std::span<const double> y = blocks.y.subspan(first, count);
      std::vector<double> left(y.begin(), y.end());
      if (!g.empty()) add_scaled(left, -1.0, combine_columns(Z, all, g));
      body(Z, std::span<const double>(left));
    }
  }

  TargetSums left_of(Blocks& blocks, std::span<const double> g) const {
    TargetSums sums(basis_.width());
    visit(blocks, g, [&](MatrixView Z, std::span<const double> left) { sums.add(Z, left); });
    return sums;
  }

  // A second solve takes away what rounding left in the way of the first: g ← g + (L Lᵀ)⁻¹ Zᵀ(y − Z g).
  static void refine(TriangularSystem& triangle, std::vector<double>& g, const TargetSums& left) {
    std::vector<double> step = left.products;
    solve_triangle(triangle.R, step, true);
    solve_triangle(triangle.R, step, false);
    add_scaled(g, 1.0, step);
    triangle.b = multiply(triangle.R, g);
    const double fitted = std::inner_product(step.begin(), step.end(), left.products.begin(), 0.0);
    triangle.rest = std::max(0.0, left.squares - fitted);
  }

  [[nodiscard]] Reduction reduction(const TriangularSystem& triangle) const {
    Reduction result;
    result.M = std::make_shared<const Matrix>(basis_.times_coefficients(triangle.R));
    result.order = basis_.order();
    result.b = triangle.b;
    result.rest = triangle.rest;
    result.ranked = true;
    return result;
  }

  EffectsBasis basis_;
  NormalEquations sums_;  // Of Z g ≈ y, then of what g leaves of y.
  TriangularSystem triangle_{0};
  std::vector<double> g_;
};

// Of one or two inputs, and enough of them for each to see what they share.
bool is_suitable(const RowSpace& rows, const Dictionary& dictionary) {
  if (rows.rows() < tall * rows.cols()) return false;
  std::vector<char> used;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (about(dictionary.functions[k]).form != Form::wave || dictionary.support(k).size() > 2) return false;
    for (const std::uint32_t input : dictionary.support(k)) {
      used.resize(std::max<std::size_t>(used.size(), input + 1), 0);
      used[input] = 1;
    }
  }
  return may_reduce_by_effects(rows.rows(), rows.cols(), static_cast<std::size_t>(std::ranges::count(used, 1)));
}

}  // namespace

bool may_reduce_by_effects(std::size_t rows, std::size_t columns, std::size_t inputs) {
  constexpr double least_dimensions = 16.0;  // What functions of one input are reckoned to take.
  return rows >= tall * columns &&
         least_dimensions * static_cast<double>(inputs) <= most_extra * static_cast<double>(columns);
}

std::size_t effects_block_entries(std::size_t rows, std::size_t columns) {
  constexpr std::size_t entries = std::size_t{4} << 20;  // About what a large cache holds.
  constexpr std::size_t least_rows = 1024;
  return columns * std::min(rows, std::max(least_rows, entries / columns));
}

std::optional<Reduction> reduce_by_effects(const RowSpace& rows, const Dictionary& dictionary,
                                           std::span<const double> y) {
  if (!is_suitable(rows, dictionary)) return std::nullopt;
  EffectsBasis basis(rows, dictionary);
  if (!basis.is_finite()) return std::nullopt;
  if (static_cast<double>(basis.width()) > (1.0 + most_extra) * static_cast<double>(rows.cols())) return std::nullopt;
  return std::make_shared<EffectsReduction>(std::move(basis))->reduce(rows, y);
}

}  // namespace shrimp
