// NumPy arrays to matrices and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp::python {

/// Rows and columns of float64 or float32, in any memory order.
using Table2D = nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::device::cpu>;
/// Contiguous float64.
using Numbers = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
/// Contiguous uint32.
using GroupNumbers =
    nanobind::ndarray<const std::uint32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// A copy of rows first … first + count − 1.
Matrix copy_rows(const Table2D& table, std::size_t first, std::size_t count);

/// The array itself where it is column-major float64.
std::optional<MatrixView> view_of(const Table2D& table);

/// Column-major data are used in place, others in parts of some rows, so that no whole copy is made.
template <typename Use>
void read_in_parts(const Table2D& X, const Use& use) {
  constexpr std::size_t part_rows = 16384;
  if (const auto view = view_of(X)) return use(*view);
  for (std::size_t first = 0; first < X.shape(0) || first == 0; first += part_rows) {
    use(copy_rows(X, first, std::min(part_rows, X.shape(0) - first)));
  }
}

std::vector<double> to_vector(const Numbers& numbers);

/// Arrays that own what they show.
using Array = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<1>>;
using Array2D = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>>;
Array2D to_array(Matrix matrix);
Array to_array(std::vector<double> values);

}  // namespace shrimp::python
