#include "linalg/cholesky.hpp"

#include "linalg/cpu/lapack.hpp"

namespace shrimp {

std::optional<Cholesky> Cholesky::factor(Matrix G) {
  const lapack_int n = lapack_size(G.rows());
  const double norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', n, G.data(), n);
  const lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, G.data(), n);
  if (info > 0) return std::nullopt;
  check_lapack(info, "dpotrf");
  double rcond = 0.0;
  check_lapack(LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, G.data(), n, norm, &rcond), "dpocon");
  return Cholesky(std::move(G), rcond);
}

void Cholesky::solve(std::span<double> b) const {
  const auto solve_with = [&](CBLAS_TRANSPOSE transposed) {
    cblas_dtrsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, lapack_size(L_.rows()), L_.data(),
                lapack_size(L_.rows()), b.data(), 1);
  };
  solve_with(CblasNoTrans);
  solve_with(CblasTrans);
}

}  // namespace shrimp
