#include "features/kernel_law.hpp"

#include <cmath>

#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// (1 + r) exp(−r), without an infinite number times nothing.
double matern(double r) { return r < 708.0 ? (1.0 + r) * std::exp(-r) : 0.0; }

}  // namespace

double kernel_factor(Law law, double gamma, double gap) {
  if (law == Law::normal) return std::exp(-gamma * gap * gap);
  const double r = gamma * std::abs(gap);
  return law == Law::student_t ? matern(r) : std::exp(-r);
}

double kernel_slope(Law law, double gamma, double gap) {
  if (law == Law::normal) return -2.0 * gamma * gap * std::exp(-gamma * gap * gap);
  const double falling = std::exp(-gamma * std::abs(gap));
  if (law == Law::student_t) return -gamma * gamma * gap * falling;
  return gap == 0.0 ? 0.0 : -std::copysign(gamma, gap) * falling;
}

bool has_kernel(Law law) { return law == Law::normal || law == Law::student_t || law == Law::cauchy; }

void check_kernel_law(Law law) {
  if (!has_kernel(law)) {
    throw OptionError("this frequency distribution has no kernel here.\nUse normal, student-t or cauchy.");
  }
}

}  // namespace shrimp
