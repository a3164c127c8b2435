#include "linalg/tridiagonal.hpp"

#include "linalg/cpu/lapack.hpp"

namespace shrimp {

Tridiagonal tridiagonalize(Matrix K, std::span<double> b) {
  const std::size_t n = K.rows();
  const lapack_int size = lapack_size(n);
  Tridiagonal T;
  T.diagonal.resize(n);
  T.off_diagonal.resize(n - 1);
  std::vector<double> tau(n);
  check_lapack(
      LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', size, K.data(), size, T.diagonal.data(), T.off_diagonal.data(), tau.data()),
      "dsytrd");
  check_lapack(LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'T', size, 1, K.data(), size, tau.data(), b.data(), size),
               "dormtr");
  T.eigenvalues = T.diagonal;
  std::vector<double> off = T.off_diagonal;
  check_lapack(LAPACKE_dsterf(size, T.eigenvalues.data(), off.data()), "dsterf");
  return T;
}

std::vector<double> Tridiagonal::solve_shifted(double lambda, std::span<const double> z) const {
  std::vector<double> d = diagonal;
  std::vector<double> x(z.begin(), z.end());
  for (double& entry : d) entry += lambda;
  for (std::size_t k = 1; k < d.size(); ++k) {
    const double factor = off_diagonal[k - 1] / d[k - 1];
    d[k] -= factor * off_diagonal[k - 1];
    x[k] -= factor * x[k - 1];
  }
  for (std::size_t k = d.size(); k-- > 0;) {
    if (k + 1 < d.size()) x[k] -= off_diagonal[k] * x[k + 1];
    x[k] /= d[k];
  }
  return x;
}

}  // namespace shrimp
