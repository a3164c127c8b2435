#include "path/effects_reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "linalg/row_sketch.hpp"
#include "linalg/small.hpp"
#include "linalg/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tall = 3;               // Rows per column from which it pays.
constexpr std::size_t weights_per_input = 32; // More than enough for smooth functions of one input.
constexpr std::size_t sketch_factor = 4;      // Sketch rows per dimension of the widest space.
constexpr double most_extra = 0.25;           // Columns of Z beyond those of A, as a share of A's.
constexpr double rounding_level = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double least_rcond = 1e-5;

// Columns Y = B C + V R, V nearly orthonormal and orthogonal to the shared B; C and R by the sketch. R_J is a triangle.
struct Split {
  Matrix C;
  std::vector<std::size_t> J;
  Matrix R;

  [[nodiscard]] Matrix C_J() const { return gather_columns(C, J); }
  [[nodiscard]] Matrix R_J() const { return gather_columns(R, J); }
};

Split split(const Matrix& B_sketch, Matrix Y_sketch) {
  const std::size_t shared = B_sketch.cols();
  double largest = 0.0;
  for (std::size_t j = 0; j < Y_sketch.cols(); ++j) largest = std::max(largest, squared_norm(Y_sketch.col(j)));
  const HouseholderQr qr{Matrix(B_sketch)};
  const Matrix B_triangle = qr.R();
  Split result{Matrix(shared, Y_sketch.cols()), {}, {}};
  Matrix left = Matrix::uninitialized(Y_sketch.rows() - shared, Y_sketch.cols());
  for (std::size_t j = 0; j < Y_sketch.cols(); ++j) {
    qr.apply_transposed(Y_sketch.col(j));
    const std::span<const double> turned = Y_sketch.col(j);
    std::ranges::copy(turned.first(shared), result.C.col(j).begin());
    solve_triangle(B_triangle, result.C.col(j), false);
    std::ranges::copy(turned.subspan(shared), left.col(j).begin());
  }
  PivotedTriangle own = pivoted_triangle(std::move(left), rounding_level * std::sqrt(largest));
  result.J = std::move(own.columns);
  result.R = std::move(own.R);
  return result;
}

// The columns of A on one support.
struct Group {
  Columns columns;
  Split split;
  std::vector<ColumnRange> shared;  // Columns of Z: [1, U_i, U_j].
  ColumnRange own;                  // Z_S
};

using Groups = std::map<std::vector<std::uint32_t>, Group>;

Groups group_by_support(const Dictionary& dictionary) {
  Groups groups;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    groups[{support.begin(), support.end()}].columns.push_back(k);
  }
  return groups;
}

// The weights that some input has, from the largest to the smallest, thinned out.
std::map<std::uint32_t, std::vector<double>> weights_by_input(const FeatureWeights& W) {
  std::map<std::uint32_t, std::vector<double>> result;
  for (std::size_t k = 0; k < W.variables.size(); ++k) result[W.variables[k]].push_back(std::abs(W.values[k]));
  for (auto& [input, weights] : result) {
    std::ranges::sort(weights, std::greater<>());
    if (weights.size() <= weights_per_input) continue;
    std::vector<double> some;
    for (std::size_t k = 0; k < weights_per_input; ++k) {
      some.push_back(weights[k * (weights.size() - 1) / (weights_per_input - 1)]);
    }
    weights = std::move(some);
  }
  return result;
}

// U_i, with its sketch.
struct Effect {
  Matrix U;
  Matrix sketch;
  ColumnRange columns;  // Of Z.
};

class EffectsReduction {
 public:
  EffectsReduction(MatrixView A, const Dictionary& dictionary, MatrixView X, std::span<const double> factors)
      : A_(A),
        X_(X),
        factors_(factors),
        groups_(group_by_support(dictionary)),
        weights_(weights_by_input(dictionary.weights)),
        sketch_(A.rows, sketch_factor * (1 + 4 * weights_per_input + largest_group())) {
    one_ = Matrix(A.rows, 1);
    std::ranges::fill(one_.col(0), 1.0);
    if (!factors.empty()) std::ranges::copy(factors, one_.col(0).begin());
    const double length = std::sqrt(squared_norm(one_.col(0)));
    for (double& value : one_.col(0)) value /= length;
    one_sketch_ = sketch_.apply(one_);
  }

  std::optional<Reduction> run(std::span<const double> y) {
    make_effects();
    split_groups();
    if (static_cast<double>(width_) > (1.0 + most_extra) * static_cast<double>(A_.cols)) return std::nullopt;
    const Matrix Z = make_basis();
    const auto factor = Cholesky::factor(gram_of_columns(Z));
    if (!factor) return std::nullopt;
    const Matrix upper = factor->upper();
    if (!(triangle_rcond(upper) > least_rcond)) return std::nullopt;

    // y = Z g + what is orthogonal to it; a second solve takes away what rounding left in the way of the first.
    std::vector<double> g(width_, 0.0);
    std::vector<double> left(y.begin(), y.end());
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<double> step = multiply_transposed(Z, left);
      factor->solve(step);
      add_scaled(g, 1.0, step);
      add_scaled(left, -1.0, multiply(Z, step));
    }
    return Reduction{times_coefficients(upper), all_columns(A_.cols), multiply(upper, g), squared_norm(left), false, false};
  }

 private:
  [[nodiscard]] std::size_t largest_group() const {
    std::size_t largest = 0;
    for (const auto& [support, group] : groups_) largest = std::max(largest, group.columns.size());
    return largest;
  }

  // Z begins with [1, U].
  void make_effects() {
    std::vector<std::uint32_t> inputs;
    for (const auto& [input, weights] : weights_) {
      effects_[input] = {};
      inputs.push_back(input);
    }
    parallel_for(inputs.size(), [&](std::size_t k) {
      Effect& effect = effects_.at(inputs[k]);
      effect.U = make_effect(inputs[k]);
      effect.sketch = sketch_.apply(effect.U);
    });
    width_ = 1;
    for (auto& [input, effect] : effects_) {
      effect.columns = {width_, effect.U.cols()};
      width_ += effect.U.cols();
    }
  }

  // cos(w x_i) and sin(w x_i) for some weights w, orthogonalised: U_i.
  [[nodiscard]] Matrix make_effect(std::uint32_t input) const {
    FeatureWeights W;
    for (const double weight : weights_.at(input)) W.append(std::array{input}, std::array{weight});
    Matrix F = evaluate(make_dictionary(std::move(W), Basis::fourier), X_);
    if (!factors_.empty()) scale_rows(F, factors_);
    const Split parts = split(one_sketch_, sketch_.apply(F));
    Matrix U = Matrix::uninitialized(A_.rows, 1 + parts.J.size());
    std::ranges::copy(one_.col(0), U.col(0).begin());
    for (std::size_t k = 0; k < parts.J.size(); ++k) std::ranges::copy(F.col(parts.J[k]), U.col(1 + k).begin());
    orthogonalize_columns(U, {1, parts.J.size()}, std::array{ColumnRange{0, 1}}, parts.C_J(), parts.R_J());
    return Matrix(MatrixView{U.col(1).data(), U.rows(), parts.J.size(), U.rows()});
  }

  void split_groups() {
    for_groups([&](const std::vector<std::uint32_t>& support, Group& group) {
      group.shared.push_back({0, 1});
      std::vector<const Matrix*> sketches = {&one_sketch_};
      for (const std::uint32_t input : support) {
        group.shared.push_back(effects_.at(input).columns);
        sketches.push_back(&effects_.at(input).sketch);
      }
      Matrix Y(sketch_.rows(), group.columns.size());
      for (std::size_t k = 0; k < group.columns.size(); ++k) sketch_.add(A_.col(group.columns[k]), 0.0, Y.col(k));
      group.split = split(side_by_side(sketches), std::move(Y));
    });
    for (auto& [support, group] : groups_) {
      group.own = {width_, group.split.J.size()};
      width_ += group.split.J.size();
    }
  }

  [[nodiscard]] Matrix make_basis() {
    Matrix Z = Matrix::uninitialized(A_.rows, width_);
    std::ranges::copy(one_.col(0), Z.col(0).begin());
    for (auto& [input, effect] : effects_) {
      for (std::size_t k = 0; k < effect.columns.count; ++k) {
        std::ranges::copy(effect.U.col(k), Z.col(effect.columns.first + k).begin());
      }
      effect.U = Matrix();
    }
    for_groups([&](const std::vector<std::uint32_t>& /*support*/, const Group& group) {
      for (std::size_t k = 0; k < group.own.count; ++k) {
        std::ranges::copy(A_.col(group.columns[group.split.J[k]]), Z.col(group.own.first + k).begin());
      }
      orthogonalize_columns(Z, group.own, group.shared, group.split.C_J(), group.split.R_J());
    });
    return Z;
  }

  // Lᵀ C
  [[nodiscard]] Matrix times_coefficients(const Matrix& upper) {
    Matrix M = Matrix::uninitialized(width_, A_.cols);
    for_groups([&](const std::vector<std::uint32_t>& /*support*/, const Group& group) {
      std::vector<ColumnRange> ranges = group.shared;
      ranges.push_back(group.own);
      Columns rows;
      for (const ColumnRange& range : ranges) {
        for (std::size_t k = 0; k < range.count; ++k) rows.push_back(range.first + k);
      }
      Matrix C = Matrix::uninitialized(rows.size(), group.columns.size());
      for (std::size_t k = 0; k < group.columns.size(); ++k) {
        const auto end = std::ranges::copy(group.split.C.col(k), C.col(k).begin()).out;
        std::ranges::copy(group.split.R.col(k), end);
      }
      const Matrix product = multiply(MatrixView(gather_columns(upper, rows)), MatrixView(C));
      for (std::size_t k = 0; k < group.columns.size(); ++k) {
        std::ranges::copy(product.col(k), M.col(group.columns[k]).begin());
      }
    });
    return M;
  }

  template <typename Body>
  void for_groups(const Body& body) {
    std::vector<Groups::value_type*> all;
    for (auto& entry : groups_) all.push_back(&entry);
    parallel_for(all.size(), [&](std::size_t k) { body(all[k]->first, all[k]->second); });
  }

  [[nodiscard]] static Matrix side_by_side(const std::vector<const Matrix*>& parts) {
    std::size_t cols = 0;
    for (const Matrix* part : parts) cols += part->cols();
    Matrix result = Matrix::uninitialized(parts.front()->rows(), cols);
    std::size_t next = 0;
    for (const Matrix* part : parts) {
      for (std::size_t j = 0; j < part->cols(); ++j) std::ranges::copy(part->col(j), result.col(next++).begin());
    }
    return result;
  }

  MatrixView A_;
  MatrixView X_;
  std::span<const double> factors_;
  Groups groups_;
  std::map<std::uint32_t, std::vector<double>> weights_;
  RowSketch sketch_;
  Matrix one_;  // The constant, of length 1.
  Matrix one_sketch_;
  std::map<std::uint32_t, Effect> effects_;
  std::size_t width_ = 0;  // Columns of Z so far.
};

// Of one or two inputs, and enough of them for each to see what they share.
bool is_suitable(MatrixView A, const Dictionary& dictionary) {
  constexpr std::size_t least_dimensions = 16;  // What functions of one input are reckoned to take.
  if (A.rows < tall * A.cols) return false;
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
  return inputs * least_dimensions <= most_extra * static_cast<double>(A.cols);
}

}  // namespace

std::optional<Reduction> reduce_by_effects(MatrixView A, const Dictionary& dictionary, MatrixView X,
                                           std::span<const double> factors, std::span<const double> y) {
  if (!is_suitable(A, dictionary)) return std::nullopt;
  return EffectsReduction(A, dictionary, X, factors).run(y);
}

}  // namespace shrimp
