#include "grow/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"
#include "path/prune.hpp"

namespace shrimp {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// One at a time costs about as much as factorising three times. Of very many columns a share goes at once, by what each
// would cost alone: there most can be stood for by others still.
constexpr std::size_t most_one_by_one = 1500;

std::size_t count_to_drop(const std::vector<std::size_t>& columns, const EliminationRule& rule) {
  const auto free =
      static_cast<std::size_t>(std::ranges::count_if(columns, [&](std::size_t column) { return !rule.kept[column]; }));
  return free == 1 ? 1 : drop_count(free, rule.rate);
}

// M⁻¹ of the columns that are left. It is kept as XᵀX − VVᵀ with X = L⁻¹: a column of V for each column that has gone.
class Eliminator {
 public:
  Eliminator(const Cholesky& M, std::vector<double> coefficients, std::size_t most_to_go)
      : X_(M.inverse_of_factor()), c_(std::move(coefficients)), V_(X_.rows(), most_to_go), free_(X_.rows(), true) {
    for (std::size_t j = 0; j < X_.cols(); ++j) diagonal_.push_back(squared_norm(X_.col(j)));
  }

  void keep(std::size_t j) { free_[j] = false; }

  /// What losing column j costs. Infinite for columns that stay or have gone.
  [[nodiscard]] double cost(std::size_t j) const {
    return free_[j] && diagonal_[j] > 0.0 ? c_[j] * c_[j] / diagonal_[j] : never;
  }

  /// Whether it went: where rounding has eaten up what is known of a column, it stays until the next factorisation.
  bool drop(std::size_t j) {
    free_[j] = false;
    const std::vector<double> m = column_of_inverse(j);
    const double pivot = m[j];
    if (!(pivot > 0.0)) return false;
    const double own = c_[j];
    auto v = V_.col(gone_++);
    for (std::size_t i = 0; i < m.size(); ++i) {
      c_[i] -= m[i] / pivot * own;
      diagonal_[i] -= m[i] * m[i] / pivot;
      v[i] = m[i] / std::sqrt(pivot);
    }
    return true;
  }

 private:
  [[nodiscard]] std::vector<double> column_of_inverse(std::size_t j) const {
    const std::size_t n = X_.rows();
    // X is zero above its diagonal.
    std::vector<double> m = multiply_transposed(MatrixView{X_.data() + j, n - j, n, n}, X_.col(j).subspan(j));
    if (gone_ == 0) return m;
    std::vector<double> row;
    for (std::size_t k = 0; k < gone_; ++k) row.push_back(V_(j, k));
    add_scaled(m, -1.0, multiply(MatrixView{V_.data(), n, gone_, n}, row));
    return m;
  }

  Matrix X_;
  std::vector<double> c_;
  Matrix V_;
  std::vector<bool> free_;
  std::vector<double> diagonal_;
  std::size_t gone_ = 0;
};

}  // namespace

std::vector<std::size_t> eliminate(const Cholesky& M, std::vector<double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule) {
  const std::size_t n = columns.size();
  const std::size_t count = count_to_drop(columns, rule);
  const bool one_by_one = n <= most_one_by_one;
  Eliminator columns_left(M, std::move(coefficients), one_by_one ? count : 0);
  for (std::size_t j = 0; j < n; ++j) {
    if (rule.kept[columns[j]]) columns_left.keep(j);
  }
  std::vector<double> costs(n);
  const auto measure = [&] {
    for (std::size_t j = 0; j < n; ++j) costs[j] = columns_left.cost(j);
  };
  measure();
  if (!one_by_one) return keep_largest(costs, count);
  std::vector<bool> stays(n, true);
  for (std::size_t k = 0; k < count; ++k) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    if (costs[least] == never) break;
    stays[least] = !columns_left.drop(least);
    measure();
  }
  std::vector<std::size_t> positions;
  for (std::size_t j = 0; j < n; ++j) {
    if (stays[j]) positions.push_back(j);
  }
  return positions;
}

}  // namespace shrimp
