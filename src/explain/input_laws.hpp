// The laws of inputs as points with masses, over which every mean is a sum.
#pragma once

#include <cstddef>
#include <vector>

#include "shrimp/sensitivity.hpp"

namespace shrimp {

/// What is integrated along one input, in the units in which features see it.
struct Integrands {
  double frequency = 0.0;     ///< How fast they change: that of their fastest wave.
  std::vector<double> kinks;  ///< Where they or their slopes jump.
  std::size_t grid_points =
      0;  ///< > 0: so many points for any law but the empirical, whatever the frequency and kinks.
};

/// The points of input j, in its own units, ascending; masses sum to 1. Between kinks of the integrands, of the input's
/// limits and of its form, Gauss–Legendre points as dense as the frequency asks for.
[[nodiscard]] Marginal law_points(const InputLaw& law, const Model& model, std::size_t j, Integrands integrands);

}  // namespace shrimp
