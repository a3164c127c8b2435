#include "intervals/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "features/normal_quantile.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "random/philox.hpp"
#include "ridge/solve.hpp"

namespace shrimp {
namespace {

double one_norm(const Matrix& lower) {
  std::vector<double> sums(lower.cols(), 0.0);
  for (std::size_t j = 0; j < lower.cols(); ++j) {
    for (std::size_t i = j; i < lower.rows(); ++i) {
      sums[j] += std::abs(lower(i, j));
      if (i > j) sums[i] += std::abs(lower(i, j));
    }
  }
  return std::ranges::max(sums);
}

std::optional<Cholesky> factor_with_ridge(const Matrix& G, double& ridge) {
  for (; std::isfinite(ridge); ridge *= 10.0) {
    if (std::optional<Cholesky> L = factor_ridge(copy_lower_triangle(G), ridge)) return L;
  }
  return std::nullopt;
}

// The condition number of G is that of the columns, squared.
std::optional<Cholesky> factor_if_independent(const Matrix& G) {
  constexpr double clearly = 1e-10;
  std::optional<Cholesky> L = Cholesky::factor(copy_lower_triangle(G));
  return L && L->rcond(one_norm(G)) > clearly ? std::move(L) : std::nullopt;
}

// n×r with orthonormal columns, r < n, of uniformly random direction, times √(n/r).
Matrix random_directions(std::size_t n, std::size_t r) {
  Matrix normal = Matrix::uninitialized(n, r);
  for (std::size_t j = 0; j < r; ++j) {
    PhiloxStream stream(0, Stream::sketch, j, 2);
    for (double& value : normal.col(j)) value = normal_quantile(stream.uniform());
  }
  const HouseholderQr qr(std::move(normal));
  Matrix directions(n, r);
  for (std::size_t j = 0; j < r; ++j) {
    directions(j, j) = std::sqrt(static_cast<double>(n) / static_cast<double>(r));
    qr.apply(directions.col(j));
  }
  return directions;
}

Matrix identity(std::size_t n) {
  Matrix unit(n, n);
  for (std::size_t k = 0; k < n; ++k) unit(k, k) = 1.0;
  return unit;
}

}  // namespace

std::optional<Posterior> Posterior::of(std::optional<ColumnPrior> prior, const Matrix& G, std::vector<double> means,
                                       double weight, double ridge) {
  std::optional<Cholesky> L = ridge > 0.0 ? factor_with_ridge(G, ridge) : factor_if_independent(G);
  if (!L) return std::nullopt;
  return Posterior(std::move(prior), std::move(*L), ridge, std::move(means), weight);
}

std::vector<double> Posterior::variances(Matrix columns) const {
  if (prior_) prior_->whiten(columns);
  for (std::size_t k = 0; k < means_.size(); ++k) {
    for (double& value : columns.col(k)) value -= means_[k];
  }
  Matrix rows = transpose(columns);
  L_.solve_lower(rows);
  std::vector<double> variances(rows.cols(), 1.0 / weight_);
  for (std::size_t i = 0; i < rows.cols(); ++i) variances[i] += squared_norm(rows.col(i));
  return variances;
}

double Posterior::degrees_of_freedom() const {
  const Matrix inverse = L_.inverse_of_factor();
  return static_cast<double>(L_.size()) - ridge_ * squared_norm({inverse.data(), inverse.rows() * inverse.cols()});
}

Matrix Posterior::factor(std::size_t most) const {
  const std::size_t n = L_.size();
  Matrix C = n <= most ? identity(n) : random_directions(n, most);
  L_.solve_lower_transposed(C);
  Matrix F(1 + n, 1 + C.cols());
  for (std::size_t j = 0; j < C.cols() && !means_.empty(); ++j) {
    for (std::size_t k = 0; k < n; ++k) F(0, j) -= means_[k] * C(k, j);
  }
  if (prior_) prior_->unwhiten(C);
  for (std::size_t j = 0; j < C.cols(); ++j) std::ranges::copy(C.col(j), F.col(j).begin() + 1);
  F(0, C.cols()) = 1.0 / std::sqrt(weight_);
  return F;
}

}  // namespace shrimp
