#include "ridge/solve.hpp"

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "threads/threads.hpp"

namespace shrimp {

Matrix principal_submatrix(const Matrix& G, std::span<const std::size_t> which) {
  const std::size_t n = which.size();
  Matrix part = Matrix::uninitialized(n, n);
  const auto copy = [&](std::size_t j) {
    for (std::size_t i = j; i < n; ++i) part(i, j) = G(which[i], which[j]);
  };
  parallel_for(n, copy, static_cast<double>(n) * static_cast<double>(n));
  return part;
}

std::optional<Cholesky> factor_ridge(Matrix G, double lambda) {
  for (std::size_t j = 0; j < G.cols(); ++j) G(j, j) += lambda;
  return Cholesky::factor(std::move(G));
}

std::optional<Cholesky> fit_columns(const Matrix& G, std::span<const double> b, std::span<const std::size_t> places,
                                    RidgeFit& fit) {
  fit.rank = fit.columns.size();
  fit.coefficients.clear();
  for (const std::size_t place : places) fit.coefficients.push_back(b[place]);
  if (places.empty()) return std::nullopt;
  std::optional<Cholesky> M = factor_ridge(principal_submatrix(G, places), fit.lambda);
  if (M) M->solve(fit.coefficients);
  return M;
}

std::optional<std::vector<double>> solve_penalised(const NormalEquations& equations,
                                                   std::span<const double> penalties) {
  Matrix M = copy_lower_triangle(equations.G);
  for (std::size_t j = 0; j < M.cols(); ++j) M(j, j) += penalties[j];
  const std::optional<Cholesky> L = Cholesky::factor(std::move(M));
  if (!L) return std::nullopt;
  std::vector<double> c = equations.target.products;
  L->solve(c);
  return c;
}

std::vector<double> solve_ridge(const NormalEquations& equations, double lambda) {
  return *raise_lambda(lambda, [&](double raised) {
    return solve_penalised(equations, std::vector<double>(equations.columns(), raised));
  });
}

AugmentedTriangle::AugmentedTriangle(Matrix R, std::vector<double> right_hand_side, double lambda)
    : b(std::move(right_hand_side)) {
  const std::size_t n = R.cols();
  Matrix penalty(n, n);
  for (std::size_t k = 0; k < n; ++k) penalty(k, k) = std::sqrt(lambda);
  b.resize(R.rows() + n, 0.0);
  const HouseholderQr qr(R.rows() > 0 ? stack_rows(R, penalty) : std::move(penalty));
  qr.apply_transposed(b);
  b.resize(n);
  T = qr.R();
}

}  // namespace shrimp
