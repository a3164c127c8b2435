// Inputs by their rank or logarithm: how they enter the features, and back.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "shrimp/scaling.hpp"

namespace shrimp {

/// The ranks of x among its own rows, row i counting weights[i] times (no weights: once): the mass below a value and
/// half of that at it. More than 512 different values are thinned evenly in mass, both ends kept. None for a constant.
Warp rank_warp(std::span<const double> x, std::span<const double> weights = {});

/// Whether x is all above or all below zero, and not constant.
bool can_take_log(std::span<const double> x);

/// The logarithm, of the sign of x, which can take it.
Warp log_warp(std::span<const double> x);

/// x as it enters the features. Always finite, but for a missing x, which stays so.
double warped(const Warp& warp, double x);
void warp_in_place(const Warp& warp, std::span<double> x);

/// The derivative of `warped`: 0 beyond the knots, or at the other side of zero; at a knot, that above it.
double warp_slope(const Warp& warp, double x);

/// The x of this warped value; beyond the knots the outermost.
double unwarped(const Warp& warp, double z);

/// Whether a larger x has a smaller warped value: the logarithm below zero.
bool descends(const Warp& warp);

/// "none", "log" or "rank"
std::string_view name_of(Warp::Kind kind);

/// That of input j.
const Warp& warp_of(const Scaling& scaling, std::size_t j);

}  // namespace shrimp
