#include "features/cos_sin.hpp"

#include <cmath>

// Compiled once for every instruction set; the best one is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/cos_sin.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace shrimp::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway's argument reduction holds up to here; beyond, libm takes over.
constexpr double largest_argument = 39000.0;

bool InRange(const double* x, size_t count) {
  const hn::ScalableTag<double> d;
  const auto limit = hn::Set(d, largest_argument);
  size_t i = 0;
  auto within = hn::FirstN(d, hn::Lanes(d));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    within = hn::And(within, hn::Le(hn::Abs(hn::LoadU(d, x + i)), limit));
  }
  bool in_range = hn::AllTrue(d, within);
  for (; i < count; ++i) in_range = in_range && std::abs(x[i]) <= largest_argument;
  return in_range;
}

// Applies a vector function; the last few numbers go through a padded vector, so that every number is treated alike
// wherever it stands.
template <typename Function>
void Apply(double* x, size_t count, const Function& function) {
  const hn::ScalableTag<double> d;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) hn::StoreU(function(d, hn::LoadU(d, x + i)), d, x + i);
  if (i == count) return;
  HWY_ALIGN double padded[HWY_MAX_BYTES / sizeof(double)] = {};
  for (size_t k = i; k < count; ++k) padded[k - i] = x[k];
  hn::Store(function(d, hn::Load(d, padded)), d, padded);
  for (size_t k = i; k < count; ++k) x[k] = padded[k - i];
}

void Cos(double* x, size_t count) {
  if (InRange(x, count)) {
    Apply(x, count, [](auto d, auto v) HWY_ATTR { return hn::Cos(d, v); });
  } else {
    for (size_t i = 0; i < count; ++i) x[i] = std::cos(x[i]);
  }
}

void Sin(double* x, size_t count) {
  if (InRange(x, count)) {
    Apply(x, count, [](auto d, auto v) HWY_ATTR { return hn::Sin(d, v); });
  } else {
    for (size_t i = 0; i < count; ++i) x[i] = std::sin(x[i]);
  }
}

}  // namespace shrimp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shrimp {

HWY_EXPORT(Cos);
HWY_EXPORT(Sin);

void cos_in_place(std::span<double> x) { HWY_DYNAMIC_DISPATCH(Cos)(x.data(), x.size()); }

void sin_in_place(std::span<double> x) { HWY_DYNAMIC_DISPATCH(Sin)(x.data(), x.size()); }

}  // namespace shrimp
#endif
