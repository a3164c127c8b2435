#include "path/rows.hpp"

#include <cmath>
#include <numeric>

#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "linalg/threads.hpp"

namespace shrimp {

Rows scale(const Dataset& data, const Scaling& scaling) {
  return {scale_inputs(data.X, scaling), scale_target(data.y, scaling), data.weights};
}

Rows gather(const Rows& rows, std::span<const std::size_t> which) {
  Rows part{gather_rows(rows.X, which), {}, {}};
  for (const std::size_t i : which) {
    part.y.push_back(rows.y[i]);
    if (!rows.weights.empty()) part.weights.push_back(rows.weights[i]);
  }
  return part;
}

Equations::Equations(const Dictionary& dictionary, const Rows& rows)
    : A(evaluate(dictionary, rows.X)), y(rows.y), weights(rows.weights) {
  if (weights.empty()) return;
  std::vector<double> roots;
  for (std::size_t i = 0; i < y.size(); ++i) {
    roots.push_back(std::sqrt(weights[i]));
    y[i] *= roots[i];
  }
  parallel_for(A.cols(), [&](std::size_t j) {
    const std::span<double> column = A.col(j);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] *= roots[i];
  });
}

Equations gather(const Equations& equations, std::span<const std::size_t> which) {
  Equations part;
  part.A = gather_rows(equations.A, which);
  for (const std::size_t i : which) {
    part.y.push_back(equations.y[i]);
    if (!equations.weights.empty()) part.weights.push_back(equations.weights[i]);
  }
  return part;
}

EquationsView::EquationsView(const Equations& equations, std::size_t first, std::size_t count)
    : A{equations.A.data() + first, count, equations.A.cols(), equations.A.rows()},
      y(std::span(equations.y).subspan(first, count)),
      total_weight(static_cast<double>(count)) {
  if (equations.weights.empty()) return;
  const std::span<const double> weights = std::span(equations.weights).subspan(first, count);
  total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
}

double EquationsView::mean_squared_error(const PathStep& step) const {
  std::vector<double> gap = combine_columns(A, step.columns, step.coefficients);
  for (std::size_t i = 0; i < y.size(); ++i) gap[i] -= y[i];
  return squared_norm(gap) / total_weight;
}

}  // namespace shrimp
