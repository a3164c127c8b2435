#include "ridge/intercept.hpp"

#include <numeric>

namespace shrimp {

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  if (weights.empty()) return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

Centring::Centring(const Matrix& A, const Rows& rows) : y(weighted_mean(rows.y, rows.weights)) {
  for (std::size_t j = 0; j < A.cols(); ++j) columns.push_back(weighted_mean(A.col(j), rows.weights));
}

Matrix Centring::apply(Matrix A) const {
  for (std::size_t j = 0; j < A.cols(); ++j) {
    for (double& value : A.col(j)) value -= columns[j];
  }
  return A;
}

std::vector<double> Centring::apply(std::vector<double> values) const {
  for (double& value : values) value -= y;
  return values;
}

double Centring::intercept(std::span<const std::size_t> kept, std::span<const double> c) const {
  double sum = y;
  for (std::size_t k = 0; k < kept.size(); ++k) sum -= c[k] * columns[kept[k]];
  return sum;
}

CentredEquations::CentredEquations(const NormalEquations& equations)
    : equations_(equations), G_(equations.columns() - 1, equations.columns() - 1) {
  const Matrix& G = equations.G;
  const std::vector<double>& products = equations.target.products;
  for (std::size_t j = 0; j < G_.cols(); ++j) means_.push_back(G(1 + j, 0) / G(0, 0));
  for (std::size_t j = 0; j < G_.cols(); ++j) {
    for (std::size_t i = j; i < G_.cols(); ++i) G_(i, j) = G(1 + i, 1 + j) - means_[i] * means_[j] * G(0, 0);
    b_.push_back(products[1 + j] - means_[j] * products[0]);
  }
}

double CentredEquations::intercept(const RidgeFit& fit) const {
  double sum = equations_.target.products[0] / equations_.G(0, 0);
  for (std::size_t k = 0; k < fit.columns.size(); ++k) sum -= means_[fit.columns[k]] * fit.coefficients[k];
  return sum;
}

}  // namespace shrimp
