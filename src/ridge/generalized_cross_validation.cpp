#include "ridge/generalized_cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/tridiagonal.hpp"

namespace shrimp {
namespace {

// Computes the score by K = Q T Qᵀ with tridiagonal T: each λ costs O(r).
class GcvScore {
 public:
  GcvScore(Matrix K, std::vector<double> b, double rest, std::size_t equations)
      : T_(tridiagonalize(std::move(K), b)),
        z_(std::move(b)),
        rest_(rest),
        equations_(static_cast<double>(equations)) {}

  [[nodiscard]] double largest_eigenvalue() const { return T_.eigenvalues.back(); }

  double operator()(double lambda) const {
    // (I − H) y = λ (T + λI)⁻¹ z in the compressed part.
    double squares = rest_;
    for (const double entry : T_.solve_shifted(lambda, z_)) squares += lambda * lambda * entry * entry;
    double freedom = equations_;
    for (const double eigenvalue : T_.eigenvalues)
      freedom -= std::max(0.0, eigenvalue) / (std::max(0.0, eigenvalue) + lambda);
    return freedom > 0.0 ? equations_ * squares / (freedom * freedom) : std::numeric_limits<double>::infinity();
  }

 private:
  Tridiagonal T_;
  std::vector<double> z_;
  double rest_;
  double equations_;
};

}  // namespace

double gcv_ridge(Matrix K, std::vector<double> b, double rest, std::size_t equations) {
  if (K.rows() == 0) return 0.0;
  const GcvScore score(std::move(K), std::move(b), rest, equations);
  const double top = score.largest_eigenvalue();
  if (!(top > 0.0)) return 0.0;
  // A grid of half decades finds the lowest of several valleys, golden section its minimum.
  constexpr double lowest_decade = -15.0;
  constexpr double highest_decade = 2.0;
  double best = lowest_decade;
  const auto at = [&](double decade) { return score(top * std::pow(10.0, decade)); };
  constexpr int steps = static_cast<int>(2.0 * (highest_decade - lowest_decade));
  for (int k = 0; k <= steps; ++k) {
    const double decade = lowest_decade + 0.5 * k;
    if (at(decade) < at(best)) best = decade;
  }
  double left = best - 0.5;
  double right = best + 0.5;
  constexpr double golden = 0.6180339887498949;
  for (int k = 0; k < 20; ++k) {
    const double a = right - golden * (right - left);
    const double c = left + golden * (right - left);
    if (at(a) < at(c)) {
      right = c;
    } else {
      left = a;
    }
  }
  return top * std::pow(10.0, (left + right) / 2.0);
}

}  // namespace shrimp
