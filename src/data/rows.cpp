#include "data/rows.hpp"

#include <numeric>

#include "data/standardize.hpp"
#include "linalg/dense.hpp"

namespace shrimp {

double Rows::total_weight() const {
  return weights.empty() ? static_cast<double>(size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::shared_ptr<const std::vector<Marginal>> Rows::marginals() const {
  return kinds ? std::shared_ptr<const std::vector<Marginal>>(kinds, &kinds->marginals) : nullptr;
}

Rows scale(const Dataset& data, const Scaling& scaling) {
  return {scale_inputs(data.X, scaling), scale_target(data.y, scaling), data.weights, data.groups};
}

Rows gather(const Rows& rows, std::span<const std::size_t> which) {
  Rows part{gather_rows(rows.X, which), {}, {}, {}, rows.in_order, rows.kinds};
  for (const std::size_t i : which) {
    part.y.push_back(rows.y[i]);
    if (!rows.weights.empty()) part.weights.push_back(rows.weights[i]);
    if (!rows.groups.empty()) part.groups.push_back(rows.groups[i]);
  }
  return part;
}

}  // namespace shrimp
