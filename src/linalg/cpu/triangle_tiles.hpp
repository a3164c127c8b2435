// Tiles of the lower triangle of a symmetric matrix, for threads to share.
//
// BLAS copies both factors of a tile, so that wide tiles are faster (by a fifth from 384 to 528, measured); an even
// number of them, four or more a side, is shared out evenly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/cpu/lapack.hpp"
#include "shrimp/matrix.hpp"
#include "threads/threads.hpp"

namespace shrimp {

class TriangleTiles {
 public:
  explicit TriangleTiles(std::size_t n) : n_(n) {
    constexpr std::size_t narrowest = 192;
    constexpr std::size_t widest = 576;
    constexpr std::size_t multiple = 16;  // What BLAS takes at once.
    std::size_t count = 4;
    while (n > count * widest) count += 2;
    side_ = std::max(narrowest, (n + count * multiple - 1) / (count * multiple) * multiple);
    const std::size_t tiles = (n + side_ - 1) / side_;
    for (std::size_t j = 0; j < tiles; ++j) {
      for (std::size_t i = j + 1; i < tiles; ++i) places_.emplace_back(i, j);
    }
    for (std::size_t j = 0; j < tiles; ++j) places_.emplace_back(j, j);  // Half the work: those come last.
  }

  /// Calls body(first row, rows, first column, columns) for every tile.
  template <typename Body>
  void for_each_in_parallel(const Body& body) const {
    parallel_for(places_.size(), [&](std::size_t k) {
      const auto [i, j] = places_[k];
      body(i * side_, size(i), j * side_, size(j));
    });
  }

 private:
  [[nodiscard]] lapack_int size(std::size_t k) const { return lapack_size(std::min(side_, n_ - k * side_)); }

  std::size_t n_;
  std::size_t side_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
};

/// The lower triangle of G ← G + α A Aᵀ for G anywhere in memory.
inline void add_gram_at(double* G, std::size_t G_stride, double alpha, MatrixView A) {
  if (A.cols == 0 || A.rows == 0) return;
  const lapack_int stride = lapack_size(A.stride);
  const lapack_int depth = lapack_size(A.cols);
  TriangleTiles(A.rows).for_each_in_parallel([&](std::size_t i, lapack_int rows, std::size_t j, lapack_int columns) {
    double* const target = G + i + j * G_stride;
    if (i == j) {
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, depth, alpha, A.data + i, stride, 1.0, target,
                  lapack_size(G_stride));
    } else {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, depth, alpha, A.data + i, stride, A.data + j,
                  stride, 1.0, target, lapack_size(G_stride));
    }
  });
}

}  // namespace shrimp
