// Mutual coherence, exactly: every pair of columns, in tiles of pairs that the threads share.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "theory/checks.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tile = 256;

MatrixView columns_of_tile(const Matrix& A, std::size_t k) {
  return {A.data() + k * tile * A.rows(), A.rows(), std::min(tile, A.cols() - k * tile), A.rows()};
}

// The larger value wins; of equal ones the earlier pair, so that the number of threads cannot matter.
void take_larger(Coherence& best, double value, std::size_t j, std::size_t k) {
  if (value > best.value) best = {value, j, k};
}

void require_two(std::size_t count) {
  if (count < 2) {
    throw OptionError(fmt::format("coherence compares columns, but there is {}.\nGive two or more.",
                                  count == 0 ? "none" : "only one"));
  }
}

// Calls best_of(I, J) for every pair of tiles I ≤ J of `count` columns and keeps the largest.
Coherence over_tiles(std::size_t count, const std::function<Coherence(std::size_t, std::size_t)>& best_of) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t tiles = (count + tile - 1) / tile;
  for (std::size_t I = 0; I < tiles; ++I) {
    for (std::size_t J = I; J < tiles; ++J) pairs.emplace_back(I, J);
  }
  std::vector<Coherence> found(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t k) { found[k] = best_of(pairs[k].first, pairs[k].second); });
  Coherence best{-1.0};
  for (const Coherence& candidate : found) take_larger(best, candidate.value, candidate.first, candidate.second);
  return best;
}

// The largest magnitude(i, k) of columns i of tile I and k of tile J, each pair once.
template <typename Magnitude>
Coherence largest_in_tile(std::size_t count, std::size_t I, std::size_t J, const Magnitude& magnitude) {
  Coherence best{-1.0};
  for (std::size_t k = J * tile; k < std::min((J + 1) * tile, count); ++k) {
    for (std::size_t j = I * tile; j < std::min({(I + 1) * tile, count, k}); ++j) {
      take_larger(best, magnitude(j - I * tile, k - J * tile), j, k);
    }
  }
  return best;
}

Matrix normalized_columns(MatrixView A) {
  Matrix unit(A);
  for (std::size_t j = 0; j < A.cols; ++j) {
    // Scaling by the largest entry first keeps the squares within range.
    double largest = 0.0;
    for (const double value : A.col(j))
      largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : std::numeric_limits<double>::quiet_NaN();
    if (!(largest > 0.0)) {
      throw DataError(fmt::format("column {} of the matrix is {}.\nCoherence needs a direction for each column.", j + 1,
                                  largest == 0.0 ? "zero" : "not finite"));
    }
    for (double& value : unit.col(j)) value /= largest;
    const double norm = std::sqrt(squared_norm(unit.col(j)));
    for (double& value : unit.col(j)) value /= norm;
  }
  return unit;
}

double squared_distance(const FeatureWeights& W, std::size_t j, std::size_t k) {
  const auto on_j = W.support(j);
  const auto on_k = W.support(k);
  const auto w_j = W.weights(j);
  const auto w_k = W.weights(k);
  double sum = 0.0;
  for (std::size_t a = 0, b = 0; a < on_j.size() || b < on_k.size();) {
    double gap = 0.0;
    if (b == on_k.size() || (a < on_j.size() && on_j[a] < on_k[b])) {
      gap = w_j[a++];
    } else if (a == on_j.size() || on_k[b] < on_j[a]) {
      gap = w_k[b++];
    } else {
      gap = w_j[a++] - w_k[b++];
    }
    sum += gap * gap;
  }
  return sum;
}

}  // namespace

Coherence mutual_coherence(MatrixView A, int threads) {
  require_two(A.cols);
  const ThreadScope scope(threads);
  require_memory(1.0 * sizeof(double) * static_cast<double>(A.rows) * static_cast<double>(A.cols));
  const Matrix unit = normalized_columns(A);
  return over_tiles(A.cols, [&](std::size_t I, std::size_t J) {
    const Matrix products = multiply(transpose(columns_of_tile(unit, I)), columns_of_tile(unit, J));
    return largest_in_tile(A.cols, I, J, [&](std::size_t j, std::size_t k) { return std::abs(products(j, k)); });
  });
}

Coherence mutual_coherence(const FeatureWeights& W, MatrixView X, int threads) {
  require_two(W.size());
  const ThreadScope scope(threads);
  if (X.rows == 0) throw OptionError("coherence needs samples, but the table has no rows.\nGive one row or more.");
  const std::size_t N = W.size();
  const std::size_t m = X.rows;
  require_memory(6.0 * sizeof(double) * static_cast<double>(m) * static_cast<double>(N));
  const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
  // ⟨a_j, a_k⟩ = p_jᵀ p_k + i p_jᵀ r_k with p = [cos; sin] and r = [sin; −cos]; ‖a_j‖² = m.
  Matrix P = Matrix::uninitialized(2 * m, N);
  Matrix R = Matrix::uninitialized(2 * m, N);
  const double scale = 1.0 / std::sqrt(static_cast<double>(m));
  for (std::size_t j = 0; j < N; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      P(i, j) = scale * A(i, j);
      R(m + i, j) = -P(i, j);
      P(m + i, j) = R(i, j) = scale * A(i, N + j);
    }
  }
  return over_tiles(N, [&](std::size_t I, std::size_t J) {
    const Matrix left = transpose(columns_of_tile(P, I));
    const Matrix real = multiply(left, columns_of_tile(P, J));
    const Matrix imaginary = multiply(left, columns_of_tile(R, J));
    return largest_in_tile(N, I, J,
                           [&](std::size_t j, std::size_t k) { return std::hypot(real(j, k), imaginary(j, k)); });
  });
}

Coherence limit_coherence(const FeatureWeights& W, double gamma, int threads) {
  require_positive("gamma", gamma);
  require_two(W.size());
  const ThreadScope scope(threads);
  Coherence nearest = over_tiles(W.size(), [&](std::size_t I, std::size_t J) {
    return largest_in_tile(W.size(), I, J, [&](std::size_t j, std::size_t k) {
      return 1.0 / squared_distance(W, I * tile + j, J * tile + k);
    });
  });
  nearest.value = std::exp(-0.5 * gamma * gamma / nearest.value);
  return nearest;
}

}  // namespace shrimp
