#include "ridge/group_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "ridge/solve.hpp"

namespace shrimp {
namespace {

// An entry of M⁻¹ that fell below this fraction of its first value is rounding. Chosen by hand.
constexpr double sound = 1e-10;

// Fraction of the columns after whose removal M is factorised again. Chosen by hand.
constexpr double renewed_after = 0.2;

double ridge_of_choice(const RidgeProblem& problem) {
  constexpr double least = 1e-12;
  double longest = 0.0;
  for (std::size_t k = 0; k < problem.R.cols(); ++k) longest = std::max(longest, squared_norm(problem.R.col(k)));
  return std::max({problem.ridge, least * longest, std::numeric_limits<double>::min()});
}

Cholesky factor_surely(const Matrix& G) {
  double size = 0.0;
  for (std::size_t k = 0; k < G.cols(); ++k) size = std::max(size, G(k, k));
  for (double extra = 0.0;; extra = std::max(10.0 * extra, 1e-15 * size)) {
    if (std::optional<Cholesky> L = factor_ridge(Matrix(G), extra)) return std::move(*L);
  }
}

/// Ridge regression on some of the columns.
class FitOfColumns {
 public:
  FitOfColumns(const RidgeProblem& problem, double ridge, const std::vector<std::size_t>& columns)
      : place_(problem.R.cols(), 0), inverse_(columns.size(), columns.size()), c_(columns.size(), 0.0) {
    const std::size_t n = columns.size();
    for (std::size_t k = 0; k < n; ++k) place_[columns[k]] = k;
    const AugmentedTriangle triangle(gather_columns(problem.R, columns), problem.b, ridge);
    Matrix X(n, n);
    for (std::size_t k = 0; k < n; ++k) {
      X(k, k) = 1.0;
      solve_triangle(triangle.T, X.col(k), false);
    }
    add_gram(inverse_, 1.0, X);
    c_ = multiply(X, triangle.b);
    for (std::size_t k = 0; k < n; ++k) at_first_.push_back(inverse_(k, k));
  }

  [[nodiscard]] double cost(const std::vector<std::size_t>& group) const {
    if (group.size() == 1) return std::pow(c_[place_[group[0]]], 2) / inverse_(place_[group[0]], place_[group[0]]);
    Matrix own = coefficients(group);
    factor_surely(block(group)).solve_lower(own);
    return squared_norm(own.col(0));
  }

  /// Returns whether enough digits remain to continue.
  [[nodiscard]] bool drop(const std::vector<std::size_t>& group) {
    const std::size_t n = c_.size();
    const Cholesky L = factor_surely(block(group));
    Matrix Y(group.size(), n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < group.size(); ++i) Y(i, k) = entry(place_[group[i]], k);
    }
    L.solve_lower(Y);
    Matrix own = coefficients(group);
    L.solve_lower(own);
    add_gram(inverse_, -1.0, transpose(Y));
    add_scaled(c_, -1.0, multiply_transposed(Y, own.col(0)));
    for (const std::size_t column : group) at_first_[place_[column]] = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      if (at_first_[k] > 0.0 && inverse_(k, k) < sound * at_first_[k]) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] double entry(std::size_t i, std::size_t k) const { return inverse_(std::max(i, k), std::min(i, k)); }

  [[nodiscard]] Matrix block(const std::vector<std::size_t>& group) const {
    Matrix B(group.size(), group.size());
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t i = k; i < group.size(); ++i) B(i, k) = entry(place_[group[i]], place_[group[k]]);
    }
    return B;
  }

  [[nodiscard]] Matrix coefficients(const std::vector<std::size_t>& group) const {
    Matrix own(group.size(), 1);
    for (std::size_t i = 0; i < group.size(); ++i) own(i, 0) = c_[place_[group[i]]];
    return own;
  }

  std::vector<std::size_t> place_;  // Of the problem's columns among those left.
  Matrix inverse_;                  // M⁻¹, the lower triangle.
  std::vector<double> c_;
  std::vector<double> at_first_;  // The diagonal of M⁻¹ before any went; 0 of those that have gone.
};

std::vector<std::size_t> columns_left(const ColumnGroups& groups, const std::vector<bool>& left) {
  std::vector<std::size_t> columns;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (left[g]) columns.insert(columns.end(), groups[g].begin(), groups[g].end());
  }
  return columns;
}

}  // namespace

std::vector<bool> eliminate_groups(const RidgeProblem& problem, const ColumnGroups& groups, const Gains& gains) {
  std::vector<bool> left(groups.size(), true);
  const double ridge = ridge_of_choice(problem);
  for (;;) {
    const std::vector<std::size_t> columns = columns_left(groups, left);
    if (columns.empty()) return left;
    FitOfColumns fit(problem, ridge, columns);
    std::size_t gone = 0;
    for (bool goes_on = true;
         goes_on && static_cast<double>(gone) <= renewed_after * static_cast<double>(columns.size());) {
      const std::vector<double> gain = gains(left);
      std::pair<double, std::size_t> least{std::numeric_limits<double>::infinity(), groups.size()};
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (left[g] && gain[g] > 0.0) least = std::min(least, {fit.cost(groups[g]) / gain[g], g});
      }
      if (least.second == groups.size()) return left;
      left[least.second] = false;
      gone += groups[least.second].size();
      goes_on = fit.drop(groups[least.second]);
    }
  }
}

}  // namespace shrimp
