// Intervals of shares: where they lie as the coefficients vary as noise lets them.
#pragma once

#include <functional>
#include <span>

#include "shrimp/sensitivity.hpp"

namespace shrimp {

/// The probability of intervals of shares.
inline constexpr double share_level = 0.9;

/// So many draws of z, the coordinates of coefficients c + F z (shrimp/model.hpp: Uncertainty), each with its opposite.
std::vector<std::vector<double>> draw_coordinates(std::size_t count, std::size_t size);

/// Gives all shares of `found` intervals by those of draws about `centre`, which is `found` or what it is on fewer
/// rows. Terms that a draw does not list have no share in it.
void set_intervals(Sensitivity& found, const Sensitivity& centre, const std::vector<Sensitivity>& draws);

}  // namespace shrimp
