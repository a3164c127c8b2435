#include "path/effects_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "features/supports.hpp"
#include "linalg/householder.hpp"
#include "linalg/small.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t weights_per_input = 32;  // More than enough for smooth functions of one input.
constexpr std::size_t sketch_factor = 2;       // Sketch rows per dimension of the widest space.
constexpr std::size_t block_rows = 512;        // That stay in cache.
constexpr double rounding_level = 64.0 * std::numeric_limits<double>::epsilon();

template <typename Groups>
Groups group_by_support(const Dictionary& dictionary) {
  Groups groups;
  for (auto& [support, columns] : columns_by_support(dictionary)) groups[support].columns = std::move(columns);
  return groups;
}

// The sizes of weights that some input has, from the largest to the smallest, thinned out.
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

Dictionary waves_of(std::uint32_t input, std::span<const double> weights) {
  FeatureWeights W;
  for (const double weight : weights) W.append(std::array{input}, std::array{weight});
  return make_dictionary(std::move(W), Basis::fourier);
}

Matrix side_by_side(std::span<const Matrix* const> parts) {
  std::size_t cols = 0;
  for (const Matrix* part : parts) cols += part->cols();
  Matrix result = Matrix::uninitialized(parts.front()->rows(), cols);
  std::size_t next = 0;
  for (const Matrix* part : parts) {
    for (std::size_t j = 0; j < part->cols(); ++j) std::ranges::copy(part->col(j), result.col(next++).begin());
  }
  return result;
}

template <typename Map, typename Body>
void for_each_in_parallel(Map& map, const Body& body) {
  std::vector<decltype(&*map.begin())> entries;
  for (auto& entry : map) entries.push_back(&entry);
  parallel_for(entries.size(), [&](std::size_t k) { body(entries[k]->first, entries[k]->second); });
}

}  // namespace

EffectsBasis::EffectsBasis(const RowSpace& rows, const Dictionary& dictionary)
    : groups_(group_by_support<decltype(groups_)>(dictionary)),
      sketch_(rows.rows(), sketch_factor * (1 + 4 * weights_per_input + largest_group())) {
  find_constant(rows);
  find_effects(rows, dictionary);
  split_groups(rows, dictionary);
  rank_columns(rows.cols());
}

bool EffectsBasis::is_finite() const {
  return std::ranges::all_of(effects_, [](const auto& entry) { return entry.second.finite; }) &&
         std::ranges::all_of(groups_, [](const auto& entry) { return entry.second.split.finite; });
}

std::size_t EffectsBasis::largest_group() const {
  std::size_t largest = 0;
  for (const auto& [support, group] : groups_) largest = std::max(largest, group.columns.size());
  return largest;
}

EffectsBasis::Split EffectsBasis::split(const Matrix& B_sketch, Matrix Y_sketch) {
  const std::size_t shared = B_sketch.cols();
  double largest = 0.0;
  double total = 0.0;  // Of all columns of both: finite if all of them are.
  for (std::size_t j = 0; j < shared; ++j) total += squared_norm(B_sketch.col(j));
  for (std::size_t j = 0; j < Y_sketch.cols(); ++j) {
    const double size = squared_norm(Y_sketch.col(j));
    largest = std::max(largest, size);
    total += size;
  }
  if (!std::isfinite(total)) return {Matrix(shared, Y_sketch.cols()), {}, Matrix(0, Y_sketch.cols()), false};
  const HouseholderQr qr{Matrix(B_sketch)};
  const Matrix B_triangle = qr.R();
  Split result{Matrix(shared, Y_sketch.cols()), {}, {}, true};
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

// Ω of a matrix that is made a block of rows at a time.
template <typename Block>
Matrix EffectsBasis::sketch_of(std::size_t rows, std::size_t cols, const Block& block) const {
  Matrix S(sketch_.rows(), cols);
  for (std::size_t first = 0; first < rows; first += block_rows) {
    const Matrix part = block(first, std::min(block_rows, rows - first));
    for (std::size_t j = 0; j < cols; ++j) sketch_.add_rows(part.col(j), first, 0.0, S.col(j));
  }
  return S;
}

Matrix EffectsBasis::sketch_of(const RowSpace& rows, const Dictionary& waves) const {
  return sketch_of(rows.rows(), waves.columns(),
                   [&](std::size_t first, std::size_t count) { return rows.columns_of(waves, first, count); });
}

// A wave of weight 0.
Matrix EffectsBasis::constant(const RowSpace& rows, std::size_t first, std::size_t count) const {
  Matrix one = rows.columns_of(waves_of(0, std::array{0.0}).subset(std::array{std::size_t{0}}), first, count);
  for (double& value : one.col(0)) value /= constant_length_;
  return one;
}

void EffectsBasis::find_constant(const RowSpace& rows) {
  constant_length_ = std::sqrt(squared_norm(constant(rows, 0, rows.rows()).col(0)));  // It was 1 until now.
  one_sketch_ =
      sketch_of(rows.rows(), 1, [&](std::size_t first, std::size_t count) { return constant(rows, first, count); });
}

void EffectsBasis::find_effects(const RowSpace& rows, const Dictionary& dictionary) {
  for (const auto& [input, weights] : weights_by_input(dictionary.weights)) {
    effects_[input].waves = waves_of(input, weights);
  }
  for_each_in_parallel(effects_, [&](std::uint32_t /*input*/, Effect& effect) { find_effect(effect, rows); });
  width_ = 1;
  for (auto& [input, effect] : effects_) {
    for (std::size_t k = 0; k < effect.waves.columns(); ++k) effect.columns.push_back(width_++);
  }
}

void EffectsBasis::find_effect(Effect& effect, const RowSpace& rows) {
  const Split parts = split(one_sketch_, sketch_of(rows, effect.waves));
  effect.finite = parts.finite;
  effect.waves = effect.waves.subset(parts.J);
  effect.C = gather_columns(parts.C, parts.J);
  effect.R = gather_columns(parts.R, parts.J);
  effect.sketch = sketch_of(rows.rows(), parts.J.size(),
                            [&](std::size_t first, std::size_t count) { return values(effect, rows, first, count); });
}

Matrix EffectsBasis::values(const Effect& effect, const RowSpace& rows, std::size_t first, std::size_t count) const {
  Matrix U = rows.columns_of(effect.waves, first, count);
  orthogonalize(U, constant(rows, first, count), effect.C, effect.R);
  return U;
}

void EffectsBasis::split_groups(const RowSpace& rows, const Dictionary& dictionary) {
  for_each_in_parallel(groups_, [&](const std::vector<std::uint32_t>& support, Group& group) {
    group.shared.push_back(0);
    std::vector<const Matrix*> sketches = {&one_sketch_};
    for (const std::uint32_t input : support) {
      const std::vector<std::size_t>& columns = effects_.at(input).columns;
      group.shared.insert(group.shared.end(), columns.begin(), columns.end());
      sketches.push_back(&effects_.at(input).sketch);
    }
    const Dictionary waves = dictionary.subset(group.columns);
    group.split = split(side_by_side(sketches), sketch_of(rows, waves));
    group.waves_J = waves.subset(group.split.J);
    group.C_J = gather_columns(group.split.C, group.split.J);
    group.R_J = gather_columns(group.split.R, group.split.J);
  });
}

// The columns of Z_S follow the same order.
void EffectsBasis::rank_columns(std::size_t columns) {
  struct Place {
    double size;
    Group* group;
    std::size_t k;
  };
  std::vector<Place> places;
  for (auto& [support, group] : groups_) {
    const std::vector<std::size_t>& J = group.split.J;
    group.own.resize(J.size());
    for (std::size_t k = 0; k < J.size(); ++k) places.push_back({std::abs(group.split.R(k, J[k])), &group, k});
  }
  std::ranges::stable_sort(places, std::greater<>(), &Place::size);
  std::vector<char> taken(columns, 0);
  for (const Place& place : places) {
    place.group->own[place.k] = width_++;
    order_.push_back(place.group->columns[place.group->split.J[place.k]]);
    taken[order_.back()] = 1;
  }
  for (std::size_t k = 0; k < columns; ++k) {
    if (taken[k] == 0) order_.push_back(k);
  }
}

namespace {

// From row `first` on.
void put(Matrix& target, std::span<const std::size_t> columns, std::size_t first, MatrixView values) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::ranges::copy(values.col(k), target.col(columns[k]).begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace

void EffectsBasis::fill(Matrix& Z, const RowSpace& rows, std::size_t first, std::size_t count) const {
  put(Z, std::array{std::size_t{0}}, 0, constant(rows, first, count));
  for_each_in_parallel(effects_, [&](std::uint32_t /*input*/, const Effect& effect) {
    put(Z, effect.columns, 0, values(effect, rows, first, count));
  });
  for_each_in_parallel(groups_, [&](const std::vector<std::uint32_t>& /*support*/, const Group& group) {
    for (std::size_t begin = 0; begin < count; begin += block_rows) {
      const MatrixView part{Z.data() + begin, std::min(block_rows, count - begin), Z.cols(), Z.rows()};
      Matrix own = rows.columns_of(group.waves_J, first + begin, part.rows);
      orthogonalize(own, gather_columns(part, group.shared), group.C_J, group.R_J);
      put(Z, group.own, begin, own);
    }
  });
}

Matrix EffectsBasis::times_coefficients(const Matrix& L_transposed) const {
  Matrix M = Matrix::uninitialized(width_, order_.size());
  std::vector<std::size_t> places(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) places[order_[k]] = k;
  for_each_in_parallel(groups_, [&](const std::vector<std::uint32_t>& /*support*/, const Group& group) {
    std::vector<std::size_t> rows = group.shared;
    rows.insert(rows.end(), group.own.begin(), group.own.end());
    Matrix C = Matrix::uninitialized(rows.size(), group.columns.size());
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      const auto end = std::ranges::copy(group.split.C.col(k), C.col(k).begin()).out;
      std::ranges::copy(group.split.R.col(k), end);
    }
    const Matrix product = multiply(MatrixView(gather_columns(L_transposed, rows)), MatrixView(C));
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      std::ranges::copy(product.col(k), M.col(places[group.columns[k]]).begin());
    }
  });
  return M;
}

}  // namespace shrimp
