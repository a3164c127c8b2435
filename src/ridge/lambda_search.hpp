// Choice of λ by a line search: λ moves by a constant factor while the estimated error falls.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

namespace shrimp {

/// A candidate λ. A search may keep more than this with it.
struct TriedLambda {
  double lambda = 0.0;
  double error = 0.0;
};

/// Multiplies `best.lambda` by `factor` while the error falls, `most_steps` times at most. `attempt(λ)` returns a
/// candidate with members `lambda` and `error`, or nothing at a bound. Returns whether λ moved.
template <typename Candidate, typename Attempt>
bool walk_lambda(Candidate& best, double factor, int most_steps, const Attempt& attempt) {
  for (int k = 0; k < most_steps; ++k) {
    std::optional<Candidate> next = attempt(factor * best.lambda);
    if (!next || !(next->error < best.error)) return k > 0;
    best = std::move(*next);
  }
  return true;
}

/// Factor of one step. Smaller steps change the error by less than its standard error. Chosen by hand.
inline const double lambda_step = std::sqrt(10.0);

/// Searches upward, then downward if no larger λ was better.
template <typename Candidate, typename Attempt>
void search_lambda(Candidate& best, const Attempt& attempt) {
  constexpr int most_steps = 12;  // A factor of a million.
  if (!walk_lambda(best, lambda_step, most_steps, attempt)) walk_lambda(best, 1.0 / lambda_step, most_steps, attempt);
}

}  // namespace shrimp
