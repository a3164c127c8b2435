// What the ℓ1 methods share: the proximal maps of ‖·‖₁ and of its ball, and the norms of their duality gaps.
#pragma once

#include <span>

namespace shrimp {

/// The minimiser of ½(z − v)² + t|z|, t ≥ 0.
inline double soft_threshold(double v, double t) { return v > t ? v - t : v < -t ? v + t : 0.0; }

/// ‖x‖₁ and ‖x‖_∞
double l1_norm(std::span<const double> x);
double largest_magnitude(std::span<const double> x);

/// x becomes the nearest point with ‖x‖₁ ≤ radius: soft thresholding with the one threshold that gets it there (Condat,
/// Math. Program. 158, 2016). Exact up to rounding, in expected linear time. Returns that threshold, 0 inside the ball.
double project_onto_l1_ball(std::span<double> x, double radius);

}  // namespace shrimp
