// LAPACK with sizes as std::size_t and failures as exceptions.
#pragma once

#include <cblas.h>
#include <lapacke.h>

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace shrimp {

inline lapack_int lapack_size(std::size_t n) {
  if (n > static_cast<std::size_t>(std::numeric_limits<lapack_int>::max())) {
    throw std::length_error(fmt::format("{} is more rows or columns than LAPACK can count.", n));
  }
  return static_cast<lapack_int>(n);
}

inline void check_lapack(lapack_int info, const char* routine) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  if (info != 0) throw std::runtime_error(fmt::format("{} failed with code {}.", routine, info));
}

}  // namespace shrimp
