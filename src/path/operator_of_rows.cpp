#include "path/operator_of_rows.hpp"

namespace shrimp {
namespace {

class RowsOperator : public LinearOperator {
 public:
  explicit RowsOperator(const RowSpace& A) : A_(A), all_(all_columns(A.cols())) {}

  [[nodiscard]] std::size_t rows() const override { return A_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return A_.cols(); }
  // Coefficients of these solvers are mostly zero: their columns need not be computed.
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override {
    Columns used;
    std::vector<double> c;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0.0) continue;
      used.push_back(j);
      c.push_back(x[j]);
    }
    return A_.combine(used, c);
  }
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    return A_.project(all_, z);
  }
  [[nodiscard]] Matrix columns(std::span<const std::size_t> which) const override {
    return A_.gather({which.begin(), which.end()});
  }

 private:
  const RowSpace& A_;
  Columns all_;
};

}  // namespace

std::unique_ptr<LinearOperator> operator_of(const RowSpace& A) {
  if (A.dense()) return std::make_unique<DenseOperator>(*A.dense());
  return std::make_unique<RowsOperator>(A);
}

}  // namespace shrimp
