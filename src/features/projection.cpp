#include "features/projection.hpp"

#include <vector>

// Compiled once for every instruction set; the best one is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/projection.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace shrimp::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Project(const double* const* x, const double* w, size_t inputs, double b, double* t, size_t count) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto sum = hn::Set(d, b);
    for (size_t l = 0; l < inputs; ++l) sum = hn::MulAdd(hn::Set(d, w[l]), hn::LoadU(d, x[l] + i), sum);
    hn::StoreU(sum, d, t + i);
  }
  if (i == count) return;
  // The last rows go through a padded vector: a scalar loop might round otherwise.
  HWY_ALIGN double padded[HWY_MAX_BYTES / sizeof(double)] = {};
  auto sum = hn::Set(d, b);
  for (size_t l = 0; l < inputs; ++l) {
    for (size_t k = i; k < count; ++k) padded[k - i] = x[l][k];
    sum = hn::MulAdd(hn::Set(d, w[l]), hn::Load(d, padded), sum);
  }
  hn::Store(sum, d, padded);
  for (size_t k = i; k < count; ++k) t[k] = padded[k - i];
}

}  // namespace shrimp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shrimp {

HWY_EXPORT(Project);

void project_rows(MatrixView X, std::span<const std::uint32_t> support, std::span<const double> w, double b,
                  std::span<double> t) {
  std::vector<const double*> x;
  for (const std::uint32_t input : support) x.push_back(X.col(input).data());
  HWY_DYNAMIC_DISPATCH(Project)(x.data(), w.data(), x.size(), b, t.data(), t.size());
}

}  // namespace shrimp
#endif
