#include "report/effects.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "data/warp.hpp"
#include "shrimp/explain.hpp"
#include "shrimp/intervals.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t few_values = 10;
constexpr std::size_t points_of_curve = 81;
constexpr std::size_t points_of_side = 32;

enum class Steps { from_end_to_end, middles };

// Of more levels, those of most rows, in the order of their codes.
InputGrid grid_of_levels(const Model& model, std::uint32_t input) {
  constexpr std::size_t most_levels = 12;
  const Marginal& marginal = model.marginals[input];
  std::vector<std::size_t> order(marginal.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return marginal.masses[k]; });
  order.resize(std::min(order.size(), most_levels));
  std::ranges::sort(order);
  InputGrid grid;
  grid.input = input;
  grid.few = true;
  for (const std::size_t k : order) {
    grid.values.push_back(marginal.values[k]);
    grid.names.push_back(model.columns[input].levels[static_cast<std::size_t>(marginal.values[k])]);
  }
  grid.low = grid.values.front();
  grid.high = grid.values.back();
  return grid;
}

InputGrid grid_of(const Model& model, std::uint32_t input, std::size_t points, Steps steps) {
  if (!model.columns.empty() && model.columns[input].is_category()) return grid_of_levels(model, input);
  const std::vector<double>& seen = model.marginals[input].values;
  InputGrid grid{.input = input, .values = seen, .low = seen.front(), .high = seen.back(), .few = true};
  if (seen.size() <= few_values) return grid;
  grid.few = false;
  grid.logarithmic = warp_of(model.scaling, input).kind == Warp::Kind::log && seen.front() > 0.0;
  const auto forth = [&](double x) { return grid.logarithmic ? std::log(x) : x; };
  const auto back = [&](double x) { return grid.logarithmic ? std::exp(x) : x; };
  const double offset = steps == Steps::middles ? 0.5 : 0.0;
  const double count = static_cast<double>(points) - (steps == Steps::middles ? 0.0 : 1.0);
  grid.values.clear();
  for (std::size_t i = 0; i < points; ++i) {
    const double share = (static_cast<double>(i) + offset) / count;
    const double value = back((1.0 - share) * forth(grid.low) + share * forth(grid.high));
    grid.values.push_back(std::clamp(value, grid.low, grid.high));
  }
  return grid;
}

// A row in which every input has a value; terms do not depend on inputs that are not theirs.
std::vector<double> some_row(const Model& model) {
  std::vector<double> row;
  for (const Marginal& marginal : model.marginals) {
    row.push_back(marginal.values.empty() ? 0.0 : marginal.values[marginal.values.size() / 2]);
  }
  return row;
}

Matrix rows_of(const Model& model, std::size_t count) {
  const std::vector<double> row = some_row(model);
  Matrix X(count, row.size());
  for (std::size_t j = 0; j < row.size(); ++j) std::ranges::fill(X.col(j), row[j]);
  return X;
}

// Shorter grids stay at their end.
double at(const InputGrid& grid, std::size_t i) { return grid.values[std::min(i, grid.values.size() - 1)]; }

// Inputs in two halves: those of one move along the columns of a square of rows, those of the other along its rows.
class Halves {
 public:
  Halves(const std::map<std::uint32_t, InputGrid>& grids, std::size_t bit) : grids_(grids) {
    std::size_t number = 0;
    for (const auto& [input, grid] : grids) by_column_[input] = (number++ >> bit) % 2 == 1;
  }

  [[nodiscard]] bool part(const Surface& surface) const {
    return by_column_.at(surface.x.input) != by_column_.at(surface.y.input);
  }

  [[nodiscard]] Matrix rows(const Model& model) const {
    Matrix X = rows_of(model, points_of_side * points_of_side);
    for (const auto& [input, grid] : grids_) {
      const bool by_column = by_column_.at(input);
      for (std::size_t i = 0; i < X.rows(); ++i) {
        X.col(input)[i] = at(grid, by_column ? i / points_of_side : i % points_of_side);
      }
    }
    return X;
  }

  /// The surface's own part of what its term has in these rows, x fastest.
  [[nodiscard]] std::vector<double> square(const Surface& surface, std::span<const double> values) const {
    const bool turned = by_column_.at(surface.x.input);
    std::vector<double> own;
    for (std::size_t k = 0; k < surface.y.values.size(); ++k) {
      for (std::size_t i = 0; i < surface.x.values.size(); ++i) {
        own.push_back(values[turned ? k + points_of_side * i : i + points_of_side * k]);
      }
    }
    return own;
  }

 private:
  const std::map<std::uint32_t, InputGrid>& grids_;
  std::map<std::uint32_t, bool> by_column_;
};

// About the curve as it is drawn, which may have small components with it that are no terms of their own.
void add_band(const Model& model, Curve& curve, int threads) {
  const MatrixView points{curve.x.values.data(), curve.x.values.size(), 1, curve.x.values.size()};
  const TermBand band = term_band(model, {curve.x.input}, points, band_level, threads);
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    curve.low.push_back(curve.values[i] - (band.value[i] - band.lower[i]));
    curve.high.push_back(curve.values[i] + (band.upper[i] - band.value[i]));
  }
}

}  // namespace

// As a term looks at its own inputs alone, all inputs move along their grids at once, and the rows of one grid give all
// main effects.
std::vector<Curve> curves_of(const Model& model, std::span<const std::size_t> terms, int threads) {
  std::vector<Curve> curves;
  Matrix X = rows_of(model, points_of_curve);
  for (const std::size_t term : terms) {
    const std::uint32_t input = model.terms[term].variables.front();
    curves.push_back({term, grid_of(model, input, points_of_curve, Steps::from_end_to_end), {}});
    for (std::size_t i = 0; i < X.rows(); ++i) X.col(input)[i] = at(curves.back().x, i);
  }
  if (curves.empty()) return curves;
  const Matrix values = term_values(model, X, threads);
  for (Curve& curve : curves) {
    const auto column = values.col(1 + curve.term).first(curve.x.values.size());
    curve.values.assign(column.begin(), column.end());
    if (knows_coefficients(model)) add_band(model, curve, threads);
  }
  return curves;
}

// Likewise, half of the inputs move along the rows of a square and half along its columns, which gives all pairs of one
// from each half. Numbers of inputs differ in some bit: halves by each bit in turn give every pair.
std::vector<Surface> surfaces_of(const Model& model, std::span<const std::size_t> terms, int threads) {
  std::map<std::uint32_t, InputGrid> grids;
  std::vector<Surface> surfaces;
  for (const std::size_t term : terms) {
    const auto& variables = model.terms[term].variables;
    for (const std::uint32_t input : variables) {
      grids.try_emplace(input, grid_of(model, input, points_of_side, Steps::middles));
    }
    surfaces.push_back({term, grids.at(variables[0]), grids.at(variables[1]), {}});
  }
  for (std::size_t bit = 0; (grids.size() >> bit) > 0; ++bit) {
    const Halves halves(grids, bit);
    std::vector<Surface*> here;
    for (Surface& surface : surfaces) {
      if (surface.values.empty() && halves.part(surface)) here.push_back(&surface);
    }
    if (here.empty()) continue;
    const Matrix values = term_values(model, halves.rows(model), threads);
    for (Surface* surface : here) surface->values = halves.square(*surface, values.col(1 + surface->term));
  }
  return surfaces;
}

}  // namespace shrimp::report
