// Integrals over one input by Gauss–Legendre quadrature, panel by panel.
#pragma once

#include <cstddef>
#include <vector>

namespace shrimp {

/// ∫_{−1}^{1} g ≈ Σ weights·g(nodes), exact for polynomials of degree 2·count − 1. Nodes ascend.
struct GaussLegendre {
  std::vector<double> nodes;
  std::vector<double> weights;
};

[[nodiscard]] GaussLegendre gauss_legendre(std::size_t count);

}  // namespace shrimp
