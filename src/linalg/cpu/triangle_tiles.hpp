// Tiles of the lower triangle of a symmetric matrix, for threads to share.
//
// BLAS copies both factors of a tile, so that wide tiles are faster (by a fifth from 384 to 528, measured); an even
// number of them a side is shared out evenly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "linalg/cpu/lapack.hpp"
#include "shrimp/matrix.hpp"
#include "threads/threads.hpp"

namespace shrimp {

class TriangleTiles {
 public:
  TriangleTiles(std::size_t n, std::size_t fewest, std::size_t narrowest) : n_(n) {
    constexpr std::size_t widest = 576;
    constexpr std::size_t multiple = 16;  // What BLAS takes at once.
    std::size_t count = fewest;
    while (n > count * widest) count += 2;
    side_ = std::max(narrowest, (n + count * multiple - 1) / (count * multiple) * multiple);
    const std::size_t tiles = (n + side_ - 1) / side_;
    for (std::size_t j = 0; j < tiles; ++j) {
      for (std::size_t i = j + 1; i < tiles; ++i) places_.emplace_back(i, j);
    }
    for (std::size_t j = 0; j < tiles; ++j) places_.emplace_back(j, j);  // Half the work: those come last.
  }

  /// Calls body(first row, rows, first column, columns, part) for every tile and every one of `parts` parts.
  template <typename Body>
  void for_each_in_parallel(std::size_t parts, const Body& body) const {
    parallel_for(parts * places_.size(), [&](std::size_t k) {
      const auto [i, j] = places_[k / parts];
      body(i * side_, size(i), j * side_, size(j), k % parts);
    });
  }

 private:
  [[nodiscard]] lapack_int size(std::size_t k) const { return lapack_size(std::min(side_, n_ - k * side_)); }

  std::size_t n_;
  std::size_t side_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
};

/// The lower triangle of G (n×n, anywhere in memory) ← G + a sum of `depth` products. product(i, rows, j, columns,
/// first, count, target, stride, beta) writes β·target and `count` of them, from the first on, into the tile. Ten tiles
/// do not keep sixteen threads busy: long sums are halved, and the second half goes through a matrix of its own.
template <typename Product>
void add_tiles_at(double* G, std::size_t G_stride, std::size_t n, std::size_t depth, const Product& product) {
  constexpr std::size_t long_sum = 1024;
  if (n == 0 || depth == 0) return;
  // Short sums are soon done: their tiles are narrow, so that there are enough of them.
  const bool is_short = depth < long_sum / 4;
  const TriangleTiles tiles(n, is_short ? 8 : 4, is_short ? 96 : 192);
  const std::size_t half = depth >= long_sum ? depth / 2 : depth;
  const std::size_t parts = depth >= long_sum ? 2 : 1;
  Matrix second = parts > 1 ? Matrix::uninitialized(n, n) : Matrix();
  tiles.for_each_in_parallel(parts,
                             [&](std::size_t i, lapack_int rows, std::size_t j, lapack_int columns, std::size_t part) {
                               if (part == 0) {
                                 product(i, rows, j, columns, 0, half, G + i + j * G_stride, G_stride, 1.0);
                               } else {
                                 product(i, rows, j, columns, half, depth - half, second.data() + i + j * n, n, 0.0);
                               }
                             });
  if (parts == 1) return;
  parallel_for(n, [&](std::size_t j) {
    double* const target = G + j * G_stride;
    const std::span<const double> more = second.col(j);
    for (std::size_t i = j; i < n; ++i) target[i] += more[i];
  });
}

/// The lower triangle of G ← G + α A Aᵀ for G anywhere in memory.
inline void add_gram_at(double* G, std::size_t G_stride, double alpha, MatrixView A) {
  const lapack_int stride = lapack_size(A.stride);
  add_tiles_at(G, G_stride, A.rows, A.cols,
               [&](std::size_t i, lapack_int rows, std::size_t j, lapack_int columns, std::size_t first,
                   std::size_t count, double* target, std::size_t target_stride, double beta) {
                 const double* const factor = A.data + first * A.stride;
                 if (i == j) {
                   cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, lapack_size(count), alpha, factor + i,
                               stride, beta, target, lapack_size(target_stride));
                 } else {
                   cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, lapack_size(count), alpha,
                               factor + i, stride, factor + j, stride, beta, target, lapack_size(target_stride));
                 }
               });
}

}  // namespace shrimp
