#include "threads/blas_kernels.hpp"

#include <cstdlib>
#include <mutex>
#include <new>

// Weak: null where OpenBLAS was built for one processor, or another BLAS was loaded.
extern "C" {
[[gnu::weak]] char* openblas_get_corename();
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace shrimp {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

/// The newest kernels whose instructions the processor and the system have; null where the plainest are right.
const char* fitting_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_avx2 && has_avx512) return "SkylakeX";
  if (has_avx2) return "Haswell";
#endif
  return nullptr;
}

void choose_once() {
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  if (std::getenv(variable) != nullptr || blas_kernels() != "Prescott") return;
  const char* const kernels = fitting_kernels();
  if (kernels == nullptr) return;
  // Read by the call after the next. With other kernels numbers would be rounded otherwise, and nothing be said.
  if (setenv(variable, kernels, 1) != 0) throw std::bad_alloc();
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(variable);
}

}  // namespace

void choose_blas_kernels() {
  static std::once_flag once;
  std::call_once(once, choose_once);
}

std::string blas_kernels() { return openblas_get_corename != nullptr ? openblas_get_corename() : ""; }

}  // namespace shrimp
