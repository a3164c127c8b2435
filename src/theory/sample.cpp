#include "features/normal_quantile.hpp"
#include "random/philox.hpp"
#include "shrimp/theory.hpp"

namespace shrimp {

Matrix normal_rows(std::size_t m, std::size_t d, double gamma, std::uint64_t seed) {
  Matrix X = Matrix::uninitialized(m, d);
  for (std::size_t j = 0; j < d; ++j) {
    PhiloxStream random(seed, Stream::rows, j);
    for (double& x : X.col(j)) x = gamma * normal_quantile(random.uniform());
  }
  return X;
}

}  // namespace shrimp
