// An unpenalised intercept in ridge regression. Its elimination centres the columns and y.
#pragma once

#include <span>
#include <vector>

#include "data/rows.hpp"
#include "ridge/solve.hpp"

namespace shrimp {

/// Without weights, the plain mean.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

/// Weighted means of the columns of A and of y.
struct Centring {
  std::vector<double> columns;
  double y = 0.0;

  Centring(const Matrix& A, const Rows& rows);

  [[nodiscard]] Matrix apply(Matrix A) const;
  [[nodiscard]] std::vector<double> apply(std::vector<double> values) const;
  [[nodiscard]] double intercept(std::span<const std::size_t> kept, std::span<const double> c) const;
};

/// Normal equations whose first column is the intercept, which has no penalty. Its elimination centres the others.
class CentredEquations {
 public:
  /// `equations` must outlive it.
  explicit CentredEquations(const NormalEquations& equations);

  [[nodiscard]] std::optional<Cholesky> fit(RidgeFit& fit) const { return fit_columns(G_, b_, fit.columns, fit); }
  [[nodiscard]] double intercept(const RidgeFit& fit) const;
  [[nodiscard]] const NormalEquations& equations() const { return equations_; }

 private:
  const NormalEquations& equations_;
  std::vector<double> means_;
  Matrix G_;
  std::vector<double> b_;
};

}  // namespace shrimp
