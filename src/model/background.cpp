#include "model/background.hpp"

#include "data/marginals.hpp"
#include "data/split.hpp"

namespace shrimp {

Matrix background_points(const std::vector<Marginal>& marginals) {
  Matrix points(background, marginals.size());
  for (std::size_t j = 0; j < marginals.size(); ++j) {
    if (marginals[j].values.empty()) continue;
    const std::vector<std::size_t> order = permutation(background, j);
    for (std::size_t b = 0; b < background; ++b) {
      points(b, j) = quantile(marginals[j], (static_cast<double>(order[b]) + 0.5) / background);
    }
  }
  return points;
}

}  // namespace shrimp
