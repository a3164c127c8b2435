#include "features/kernel_section.hpp"

#include <algorithm>
#include <vector>

// Compiled once for every instruction set; the best one is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/kernel_section.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace shrimp::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;  // Whole numbers of four vectors in a block of rows.
using Vector = hn::Vec<Tag>;

// exp(t), t ≤ 0, to 2 units in the last place, or 0 below 4e-308: half the instructions of Highway's Exp, which takes
// all numbers. exp(t) = 2^n exp(r), n the whole number nearest to t/ln 2 and |r| ≤ ln(2)/2. exp(r) = 1 + r + r² p(r) to
// 2e-17, p the polynomial through ten Chebyshev points. Adding 1.5·2^52 rounds to a whole number and leaves it in the
// lowest bits.
HWY_INLINE Vector ExpOfNegative(Vector t) {
  const Tag d;
  const hn::RebindToSigned<Tag> integers;
  const Vector rounder = hn::Set(d, 0x1.8p52);
  const Vector shifted = hn::MulAdd(t, hn::Set(d, 1.4426950408889634), rounder);
  const Vector n = hn::Sub(shifted, rounder);
  // ln 2 in two parts, the first short enough for n times it to be exact.
  Vector r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e42fefa3p-1), t);
  r = hn::NegMulAdd(n, hn::Set(d, 2.8235290563031577e-13), r);
  Vector p = hn::Set(d, 2.5100375832561234e-08);
  p = hn::MulAdd(p, r, hn::Set(d, 2.7620075879983367e-07));
  p = hn::MulAdd(p, r, hn::Set(d, 2.7557268480310024e-06));
  p = hn::MulAdd(p, r, hn::Set(d, 2.4801521322368692e-05));
  p = hn::MulAdd(p, r, hn::Set(d, 0.00019841269863040545));
  p = hn::MulAdd(p, r, hn::Set(d, 0.0013888888917196719));
  p = hn::MulAdd(p, r, hn::Set(d, 0.008333333333330065));
  p = hn::MulAdd(p, r, hn::Set(d, 0.041666666666624164));
  p = hn::MulAdd(p, r, hn::Set(d, 0.16666666666666669));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5000000000000001));
  const Vector mantissa = hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), hn::Set(d, 1.0));
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(integers, shifted));
  const Vector value = hn::BitCast(d, hn::Add(hn::BitCast(integers, mantissa), exponent));
  // Below, the exponent has no room; exp(−708) is 3e-308.
  return hn::IfThenElseZero(hn::Ge(t, hn::Set(d, -708.0)), value);
}

HWY_INLINE Vector Distance(const KernelSection& section, const double* block, size_t l, size_t row) {
  const Tag d;
  const double* x = block + section.support[l] * TiledRows::size + row;
  return hn::Sub(hn::LoadU(d, x), hn::Set(d, section.centre[l]));
}

// What one input adds to the exponent of the product.
template <Law law>
HWY_INLINE Vector MinusDistance(const KernelSection& section, const double* block, size_t l, size_t row) {
  const Vector distance = Distance(section, block, l, row);
  const Vector minus_gamma = hn::Set(Tag(), -section.gamma[section.support[l]]);
  if constexpr (law == Law::normal) return hn::Mul(hn::Mul(distance, distance), minus_gamma);
  return hn::Mul(hn::Abs(distance), minus_gamma);
}

// exp(t), times `lead` for student_t. Where exp(−Σr) has no room and is 0, its Π(1 + r) may be infinite; with up to a
// thousand inputs the product of both is below 1e-75 there.
template <Law law>
HWY_INLINE Vector Value(Vector t, Vector lead) {
  if constexpr (law != Law::student_t) return ExpOfNegative(t);
  return hn::IfThenElseZero(hn::Ge(t, hn::Set(Tag(), -708.0)), hn::Mul(lead, ExpOfNegative(t)));
}

template <Law law>
HWY_INLINE Vector Kappa(const KernelSection& section, const double* block, size_t l, size_t row) {
  const Vector t = MinusDistance<law>(section, block, l, row);
  return Value<law>(t, hn::Sub(hn::Set(Tag(), 1.0), t));
}

// Four vectors of rows at a time, so that no sum waits for its own last addition.
template <Law law>
void Product(const KernelSection& section, const double* block, double* values) {
  const Tag d;
  const size_t lanes = hn::Lanes(d);
  const Vector one = hn::Set(d, 1.0);
  for (size_t row = 0; row < TiledRows::size; row += 4 * lanes) {
    Vector t0 = hn::Zero(d);
    Vector t1 = t0;
    Vector t2 = t0;
    Vector t3 = t0;
    Vector lead0 = one;
    Vector lead1 = one;
    Vector lead2 = one;
    Vector lead3 = one;
    for (size_t l = 0; l < section.support.size(); ++l) {
      const Vector minus_gamma = hn::Set(d, -section.gamma[section.support[l]]);
      const auto add = [&](Vector& t, Vector& lead, size_t first) HWY_ATTR {
        const Vector distance = Distance(section, block, l, first);
        if constexpr (law == Law::normal) {
          t = hn::MulAdd(hn::Mul(distance, distance), minus_gamma, t);
        } else {
          const Vector size = hn::Abs(distance);
          t = hn::MulAdd(size, minus_gamma, t);
          if constexpr (law == Law::student_t) lead = hn::Mul(lead, hn::NegMulAdd(size, minus_gamma, one));
        }
      };
      add(t0, lead0, row);
      add(t1, lead1, row + lanes);
      add(t2, lead2, row + 2 * lanes);
      add(t3, lead3, row + 3 * lanes);
    }
    hn::StoreU(Value<law>(t0, lead0), d, values + row);
    hn::StoreU(Value<law>(t1, lead1), d, values + row + lanes);
    hn::StoreU(Value<law>(t2, lead2), d, values + row + 2 * lanes);
    hn::StoreU(Value<law>(t3, lead3), d, values + row + 3 * lanes);
  }
}

// Low degrees keep E_1 … E_k in registers.
template <Law law, int order>
void LowDegree(const KernelSection& section, const double* block, double* values) {
  static_assert(order >= 1 && order <= 4);
  const Tag d;
  for (size_t row = 0; row < TiledRows::size; row += hn::Lanes(d)) {
    Vector e1 = hn::Zero(d);
    Vector e2 = e1;
    Vector e3 = e1;
    Vector e4 = e1;
    for (size_t l = 0; l < section.support.size(); ++l) {
      const Vector kappa = Kappa<law>(section, block, l, row);
      if constexpr (order >= 4) e4 = hn::MulAdd(kappa, e3, e4);
      if constexpr (order >= 3) e3 = hn::MulAdd(kappa, e2, e3);
      if constexpr (order >= 2) e2 = hn::MulAdd(kappa, e1, e2);
      e1 = hn::Add(e1, kappa);
    }
    hn::StoreU(order == 1 ? e1 : order == 2 ? e2 : order == 3 ? e3 : e4, d, values + row);
  }
}

template <Law law>
void AnyDegree(const KernelSection& section, const double* block, double* values) {
  const Tag d;
  const size_t lanes = hn::Lanes(d);
  std::vector<double> E((section.order + 1) * lanes);  // E_0, E_1, …
  for (size_t row = 0; row < TiledRows::size; row += lanes) {
    std::fill(E.begin(), E.end(), 0.0);
    hn::StoreU(hn::Set(d, 1.0), d, E.data());
    for (size_t l = 0; l < section.support.size(); ++l) {
      const Vector kappa = Kappa<law>(section, block, l, row);
      for (size_t k = std::min(section.order, l + 1); k > 0; --k) {
        double* e = E.data() + k * lanes;
        hn::StoreU(hn::MulAdd(kappa, hn::LoadU(d, e - lanes), hn::LoadU(d, e)), d, e);
      }
    }
    hn::StoreU(hn::LoadU(d, E.data() + section.order * lanes), d, values + row);
  }
}

template <Law law>
void EvaluateWith(const KernelSection& section, const double* block, double* values) {
  if (section.order == section.support.size()) return Product<law>(section, block, values);
  switch (section.order) {
    case 1:
      return LowDegree<law, 1>(section, block, values);
    case 2:
      return LowDegree<law, 2>(section, block, values);
    case 3:
      return LowDegree<law, 3>(section, block, values);
    case 4:
      return LowDegree<law, 4>(section, block, values);
    default:
      return AnyDegree<law>(section, block, values);
  }
}

void EvaluateSection(const KernelSection& section, const double* block, double* values) {
  if (section.law == Law::cauchy) return EvaluateWith<Law::cauchy>(section, block, values);
  if (section.law == Law::student_t) return EvaluateWith<Law::student_t>(section, block, values);
  EvaluateWith<Law::normal>(section, block, values);
}

}  // namespace shrimp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shrimp {

HWY_EXPORT(EvaluateSection);

TiledRows::TiledRows(MatrixView X) : rows_(X.rows), blocks_(size * X.cols, (X.rows + size - 1) / size) {
  for (std::size_t b = 0; b < count(); ++b) {
    for (std::size_t j = 0; j < X.cols; ++j) {
      std::copy_n(X.data + j * X.stride + b * size, rows(b), &blocks_(j * size, b));
    }
  }
}

void evaluate_section(const KernelSection& section, const double* block, double* values) {
  HWY_DYNAMIC_DISPATCH(EvaluateSection)(section, block, values);
}

}  // namespace shrimp
#endif
