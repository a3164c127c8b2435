#include "fit/term_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/present.hpp"
#include "grow/null_scores.hpp"
#include "grow/screening_functions.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "ridge/solve.hpp"

namespace shrimp {
namespace {

// Bias and variance of a ridge regression are about equal; under a hundredth of λ the bias of a direction adds at most
// (λ'/λ)/4 of its variance.
constexpr double less_ridge = 0.01;

// A function of which the rest of the model explains all but this fraction is part of the rest.
constexpr double smallest_fraction = 1e-4;

// Beside this fraction of its mean square, the rank of lower-order functions is decided by rounding.
constexpr double rounding = 1e-10;

// Units that each tested function needs, so that (1) can be large; chosen by hand.
constexpr std::size_t units_of_a_function = 5;

constexpr std::size_t most_candidate_levels = 64;

// Functions of a number in a test: four of main effects and pairs, two of triples, as in screening.
std::size_t functions_of_an_input(std::size_t order) { return order == 3 ? 2 : 4; }

bool contains(const Support& large, std::span<const std::uint32_t> small) {
  return std::ranges::includes(large, small);
}

void fill_upper_triangle(Matrix& G) {
  for (std::size_t j = 0; j < G.cols(); ++j) {
    for (std::size_t i = 0; i < j; ++i) G(i, j) = G(j, i);
  }
}

Matrix beside(const Matrix& A, const Matrix& B) {
  Matrix both = Matrix::uninitialized(std::max(A.rows(), B.rows()), A.cols() + B.cols());
  for (std::size_t j = 0; j < A.cols(); ++j) std::ranges::copy(A.col(j), both.col(j).begin());
  for (std::size_t j = 0; j < B.cols(); ++j) std::ranges::copy(B.col(j), both.col(A.cols() + j).begin());
  return both;
}

// Orthonormal columns that span the same, in their order; those that others explain leave. `ends` counts columns of
// the nested sets that are tested, and counts those that are left.
Matrix orthonormal(Matrix V, std::span<const double> sizes, std::vector<std::size_t>& ends) {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> left = ends;
  for (std::size_t k = 0; k < V.cols(); ++k) {
    for (const std::size_t other : kept) {
      const std::span<const double> v = V.col(other);
      add_scaled(V.col(k), -std::inner_product(v.begin(), v.end(), V.col(k).begin(), 0.0), v);
    }
    const double square = squared_norm(V.col(k));
    if (square > smallest_fraction * sizes[k] && sizes[k] > 0.0) {
      for (double& value : V.col(k)) value /= std::sqrt(square);
      kept.push_back(k);
      continue;
    }
    for (std::size_t n = 0; n < ends.size(); ++n) left[n] -= k < ends[n] ? 1 : 0;
  }
  ends = left;
  return gather_columns(V, kept);
}

}  // namespace

// Columns in the order of their degree; ends of those of each degree that is a test.
struct TermTests::Functions {
  Matrix V;
  std::vector<std::size_t> ends;
};

TermTests::TermTests(const FitToTest& fit, const std::vector<Term>& terms)
    : fit_(fit),
      terms_(terms),
      ridge_(less_ridge * fit.ridge),
      roots_(fit.rows.size(), 1.0),
      units_(fit.starts ? fit.starts->size() - 1 : fit.rows.size()),
      A_(evaluate(fit.dictionary, fit.rows.X)),
      G_(A_.cols(), A_.cols()),
      y_(fit.rows.y),
      left_out_(fit.rows.size(), 1.0, fit.starts) {
  for (std::size_t i = 0; i < fit.rows.weights.size(); ++i) roots_[i] = std::sqrt(fit.rows.weights[i]);
  total_weight_ = squared_norm(roots_);
  for (std::size_t k = 0; k < fit.scales.size(); ++k) {
    for (double& value : A_.col(k)) value *= fit.scales[k];
  }
  weigh(A_);
  Matrix y(y_.size(), 1);
  std::ranges::copy(y_, y.data());
  weigh(y);
  std::ranges::copy(y.col(0), y_.begin());
  fit_all_columns();
}

// Subtracts the weighted column means and scales rows by the square roots of their weights.
void TermTests::weigh(Matrix& F) const {
  for (std::size_t k = 0; k < F.cols(); ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < F.rows(); ++i) sum += roots_[i] * roots_[i] * F(i, k);
    for (std::size_t i = 0; i < F.rows(); ++i) F(i, k) = roots_[i] * (F(i, k) - sum / total_weight_);
  }
}

void TermTests::fit_all_columns() {
  std::vector<double> constant = roots_;
  for (double& value : constant) value /= std::sqrt(total_weight_);
  left_out_.add_square(-1.0, constant);
  r_ = y_;
  add_gram_of_columns(G_, A_);
  fill_upper_triangle(G_);
  if (A_.cols() > 0) {
    if (const auto L = factor_ridge(Matrix(G_), ridge_)) {
      std::vector<double> c = multiply_transposed(A_, y_);
      L->solve(c);
      add_scaled(r_, -1.0, multiply(A_, c));
      Matrix of_rows = transpose(A_);
      L->solve_lower(of_rows);
      left_out_.add_squares(-1.0, of_rows);
    }
  }
  unexplained_fraction_ = squared_norm(r_) / squared_norm(y_);
}

// Indicators, the most frequent levels first, all but the last.
Matrix TermTests::levels_of(std::uint32_t input) const {
  const std::span<const double> codes = fit_.rows.X.col(input);
  std::vector<double> counts(fit_.rows.kinds->levels[input], 0.0);
  for (const double code : codes) {
    if (!is_missing(code)) ++counts[static_cast<std::size_t>(code)];
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t level) { return counts[level]; });
  while (!order.empty() && counts[order.back()] == 0.0) order.pop_back();
  order.resize(std::min(most_candidate_levels, order.empty() ? 0 : order.size() - 1));
  Matrix V(codes.size(), order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      V(i, k) = !is_missing(codes[i]) && static_cast<std::size_t>(codes[i]) == order[k] ? 1.0 : 0.0;
    }
  }
  return V;
}

TermTests::Functions TermTests::functions_of(const Support& variables) const {
  const std::size_t order = variables.size();
  if (order == 1 && fit_.rows.is_category(variables.front())) {
    Functions levels{levels_of(variables.front()), {}};
    levels.ends = {levels.V.cols()};
    return levels;
  }
  const std::size_t p = functions_of_an_input(order);
  Matrix U(fit_.rows.size(), p * order);
  for (std::size_t l = 0; l < order; ++l) {
    const std::uint32_t j = variables[l];
    const std::size_t levels = fit_.rows.is_category(j) ? fit_.rows.kinds->levels[j] : 0;
    make_screening_functions(fit_.rows.X.col(j), levels, {fit_.seed, j}, U, p * l, p);
  }
  std::size_t products = 1;
  for (std::size_t l = 0; l < order; ++l) products *= p;
  Functions functions{Matrix(U.rows(), products), {}};
  std::size_t column = 0;
  for (std::size_t degree = 0; degree < p; ++degree) {
    for (std::size_t product = 0; product < products; ++product) {
      std::vector<std::size_t> factors;
      for (std::size_t rest = product; factors.size() < order; rest /= p) factors.push_back(rest % p);
      if (std::ranges::max(factors) != degree) continue;
      const std::span<double> v = functions.V.col(column++);
      std::ranges::fill(v, 1.0);
      for (std::size_t l = 0; l < order; ++l) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] *= U(i, p * l + factors[l]);
      }
    }
    if (degree != 2) functions.ends.push_back(column);
  }
  return functions;
}

// Those of terms that the term contains, and of terms without columns, which the columns of others carry.
Matrix TermTests::lower_order_functions(const Term& term) const {
  std::vector<Support> lower;
  for (std::size_t l = 0; l < term.variables.size() && term.variables.size() > 1; ++l) {
    lower.push_back({term.variables[l]});
    Support others = term.variables;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(l));
    if (others.size() > 1) lower.push_back(others);
  }
  for (const Term& other : terms_) {
    const bool counts =
        other.basis_functions == 0 && other.variables.size() <= 3 && !contains(other.variables, term.variables);
    if (counts && std::ranges::find(lower, other.variables) == lower.end()) lower.push_back(other.variables);
  }
  Matrix all(fit_.rows.size(), 0);
  for (const Support& variables : lower) all = beside(all, functions_of(variables).V);
  weigh(all);
  return all;
}

// Columns of terms that neither are this one nor contain it.
std::vector<std::size_t> TermTests::rest_of_model(const Support& variables) const {
  std::vector<std::size_t> rest;
  for (std::size_t k = 0; k < A_.cols(); ++k) {
    const auto support = fit_.dictionary.support(k);
    if (!contains(Support(support.begin(), support.end()), variables)) rest.push_back(k);
  }
  return rest;
}

// Residuals of F after ridge regression on some columns and the lower-order functions.
Matrix TermTests::without_rest(Matrix F, const Matrix& lower, std::span<const std::size_t> rest) const {
  const std::size_t n = rest.size();
  const std::size_t size = n + lower.cols();
  if (size == 0) return F;
  const Matrix both = beside(lower, F);
  const Matrix with_columns = multiply_transposed(A_, both);
  const Matrix with_lower = multiply_transposed(lower, both);
  const Matrix own = principal_submatrix(G_, rest);
  Matrix M(size, size);
  Matrix C(size, F.cols());
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) M(i, j) = own(i, j);
    M(j, j) += ridge_;
    for (std::size_t i = 0; i < lower.cols(); ++i) M(n + i, j) = with_columns(rest[j], i);
    for (std::size_t k = 0; k < F.cols(); ++k) C(j, k) = with_columns(rest[j], lower.cols() + k);
  }
  for (std::size_t j = 0; j < lower.cols(); ++j) {
    for (std::size_t i = j; i < lower.cols(); ++i) M(n + i, n + j) = with_lower(i, j);
    M(n + j, n + j) += rounding * total_weight_;
    for (std::size_t k = 0; k < F.cols(); ++k) C(n + j, k) = with_lower(j, lower.cols() + k);
  }
  const auto L = Cholesky::factor(std::move(M));
  if (!L) return Matrix(F.rows(), 0);
  L->solve_lower(C);
  L->solve_lower_transposed(C);
  for (std::size_t k = 0; k < F.cols(); ++k) {
    for (std::size_t j = 0; j < n; ++j) add_scaled(F.col(k), -C(j, k), A_.col(rest[j]));
    for (std::size_t j = 0; j < lower.cols(); ++j) add_scaled(F.col(k), -C(n + j, k), lower.col(j));
  }
  return F;
}

std::optional<double> TermTests::p_value(const Term& term) const {
  Functions functions = functions_of(term.variables);
  const std::size_t most = units_ / units_of_a_function;
  if (functions.V.cols() > most) {
    std::vector<std::size_t> first(most);
    std::iota(first.begin(), first.end(), std::size_t{0});
    functions.V = gather_columns(functions.V, first);
    for (std::size_t& end : functions.ends) end = std::min(end, most);
  }
  weigh(functions.V);
  std::vector<double> sizes;
  for (std::size_t k = 0; k < functions.V.cols(); ++k) sizes.push_back(squared_norm(functions.V.col(k)));
  Matrix y(y_.size(), 1);
  std::ranges::copy(y_, y.data());
  Matrix F = without_rest(beside(functions.V, y), lower_order_functions(term), rest_of_model(term.variables));
  if (F.cols() == 0) return std::nullopt;
  const std::vector<double> target(F.col(F.cols() - 1).begin(), F.col(F.cols() - 1).end());
  std::vector<std::size_t> tested(F.cols() - 1);
  std::iota(tested.begin(), tested.end(), std::size_t{0});
  const Matrix V = orthonormal(gather_columns(F, tested), sizes, functions.ends);
  return V.cols() > 0 ? test(V, target, functions.ends) : std::nullopt;
}

// (1), for the first `ends` of the functions.
std::optional<double> TermTests::test(const Matrix& V, std::span<const double> y,
                                      std::span<const std::size_t> ends) const {
  const std::vector<double> b = multiply_transposed(V, y);
  std::vector<double> e = r_;
  std::vector<double> shift = multiply_transposed(V, r_);
  for (std::size_t k = 0; k < shift.size(); ++k) shift[k] = b[k] - shift[k];
  add_scaled(e, 1.0, multiply(V, shift));
  const std::optional<std::vector<double>> left_out = left_out_.errors(e);
  if (!left_out) return std::nullopt;
  Matrix s(units_, V.cols());
  for (std::size_t k = 0; k < V.cols(); ++k) {
    for (std::size_t g = 0; g < units_; ++g) {
      const std::size_t first = fit_.starts ? (*fit_.starts)[g] : g;
      const std::size_t last = fit_.starts ? (*fit_.starts)[g + 1] : g + 1;
      for (std::size_t i = first; i < last; ++i) s(g, k) += V(i, k) * (*left_out)[i];
    }
  }
  Matrix S(V.cols(), V.cols());
  add_gram_of_columns(S, s);
  const auto L = Cholesky::factor(std::move(S));
  if (!L) return std::nullopt;
  Matrix z(b.size(), 1);
  std::ranges::copy(b, z.data());
  L->solve_lower(z);
  double least = 1.0;
  std::vector<std::size_t> tests(ends.begin(), ends.end());
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
  std::erase(tests, std::size_t{0});
  for (const std::size_t end : tests) {
    const double statistic = squared_norm(z.col(0).first(end));
    // chi_square_surprise() takes 1 or an even number of degrees of freedom; one more says a little less.
    least = std::min(least, std::exp(-chi_square_surprise(statistic, end == 1 ? 1 : end + end % 2)));
  }
  // Fewer arrangements of signs cannot say more.
  const double smallest = std::exp2(1.0 - static_cast<double>(units_));
  return std::clamp(static_cast<double>(tests.size()) * least, smallest, 1.0);
}

}  // namespace shrimp
