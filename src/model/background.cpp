#include "model/background.hpp"

#include "data/marginals.hpp"
#include "data/split.hpp"

namespace shrimp {

Matrix background_points(const std::vector<Marginal>& marginals, std::size_t count) {
  Matrix points(count, marginals.size());
  for (std::size_t j = 0; j < marginals.size(); ++j) {
    if (marginals[j].values.empty()) continue;
    const std::vector<std::size_t> order = permutation(count, j);
    for (std::size_t b = 0; b < count; ++b) {
      points(b, j) = quantile(marginals[j], (static_cast<double>(order[b]) + 0.5) / static_cast<double>(count));
    }
  }
  return points;
}

}  // namespace shrimp
