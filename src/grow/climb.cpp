#include "grow/climb.hpp"

#include <algorithm>
#include <cmath>

namespace shrimp {

std::vector<double> climb(std::vector<double> start, std::span<const double> lowest, std::span<const double> highest,
                          const std::function<Height(std::span<const double>)>& height, const ClimbOptions& options) {
  constexpr double longer = 1.3;
  constexpr double shorter = 0.5;
  std::vector<double> here = std::move(start);
  Height at = height(here);
  if (!std::isfinite(at.value)) return here;
  std::vector<double> steps(here.size(), options.first_step);
  std::vector<double> best = here;
  double best_value = at.value;
  std::vector<double> best_values;  // After each step.
  std::vector<double> last(here.size(), 0.0);
  for (int step = 0; step < options.most_steps && !(options.is_over && options.is_over()); ++step) {
    double moved = 0.0;
    for (std::size_t k = 0; k < here.size(); ++k) {
      double slope = at.slope[k];
      if (slope * last[k] > 0.0) steps[k] = std::min(options.longest_step, longer * steps[k]);
      if (slope * last[k] < 0.0) {
        steps[k] *= shorter;
        slope = 0.0;  // It passed the top: it waits a step for the others.
        moved = std::max(moved, steps[k]);
      }
      last[k] = slope;
      if (slope == 0.0) continue;
      const double next = std::clamp(here[k] + std::copysign(steps[k], slope), lowest[k], highest[k]);
      moved = std::max(moved, std::abs(next - here[k]));
      here[k] = next;
    }
    if (moved < options.shortest_step) break;
    at = height(here);
    if (!std::isfinite(at.value)) {
      here = best;
      for (double& length : steps) length *= shorter * shorter;
      std::ranges::fill(last, 0.0);
      at = height(here);
    }
    if (at.value > best_value) {
      best_value = at.value;
      best = here;
    }
    best_values.push_back(best_value);
    if (step >= options.patience && best_value - best_values[step - options.patience] < options.least_gain) break;
  }
  return best;
}

}  // namespace shrimp
