#include "solvers/softmax_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr int most_newton_steps = 100;
constexpr int most_newton_halvings = 30;
constexpr int most_hessian_products = 500;

// A start leads close to the minimum within these steps. Chosen by hand.
constexpr int steps_before_the_budget_counts = 3;

// The preconditioner is renewed after a solve that needed more products than this. Chosen by hand: a product costs
// about 4 m n K operations, a preconditioner m n² K.
constexpr int products_of_a_good_preconditioner = 25;

// Largest number of entries of all blocks of the preconditioner: 256 MiB. Chosen by hand.
constexpr std::size_t most_block_entries = std::size_t{1} << 25;

// Relative Newton decrement from which on steps that no longer shrink it are due to rounding. Chosen by hand.
constexpr double small_decrement = 1e-12;

// A class without rows starts, and stays, at the constant probability of this fraction of a row. Chosen by hand.
constexpr double weight_of_absent_class = 1e-3;

double dot_of_entries(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::span<double> all_entries(Matrix& M) { return {M.data(), M.rows() * M.cols()}; }
std::span<const double> all_entries(const Matrix& M) { return {M.data(), M.rows() * M.cols()}; }

// Every row has the mean 0 afterwards.
void centre_rows(Matrix& P) {
  for (std::size_t j = 0; j < P.rows(); ++j) {
    double mean = 0.0;
    for (std::size_t k = 0; k < P.cols(); ++k) mean += P(j, k) / static_cast<double>(P.cols());
    for (std::size_t k = 0; k < P.cols(); ++k) P(j, k) -= mean;
  }
}

Matrix with_ones(MatrixView A) {
  Matrix A1 = Matrix::uninitialized(A.rows, A.cols + 1);
  for (std::size_t j = 0; j < A.cols; ++j) std::ranges::copy(A.col(j), A1.col(j).begin());
  std::ranges::fill(A1.col(A.cols), 1.0);
  return A1;
}

// Value, probabilities and gradient of (1) at some parameters: n + 1 rows, of which the last holds the intercepts.
struct SoftmaxPoint {
  Matrix parameters;
  Matrix sums;
  Matrix probabilities;
  double loss = 0.0;   // Σ_i v_i (…)
  double value = 0.0;  // (1)
};

class SoftmaxNewton {
 public:
  SoftmaxNewton(const SoftmaxProblem& problem, double lambda)
      : problem_(problem), lambda_(lambda), A1_(with_ones(problem.A)) {
    totals_.assign(problem.classes, 0.0);
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
      total_weight_ += weight(i);
      totals_[static_cast<std::size_t>(problem.y[i])] += weight(i);
    }
  }

  SoftmaxFit run(const SoftmaxFit* start) {
    SoftmaxPoint here = at(first_parameters(start));
    bool converged = false;
    double last_decrement = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_newton_steps && !converged; ++step) {
      if (step >= steps_before_the_budget_counts && problem_.is_over && problem_.is_over()) break;
      const Matrix g = gradient(here);
      if (blocks_.empty()) factor_blocks(here);
      const Step found = newton_step(here, g);
      // Newton steps converge quadratically until rounding ends it.
      const bool is_at_rounding =
          found.decrement <= small_decrement * here.value && found.decrement >= 0.1 * last_decrement;
      if (found.decrement <= problem_.precision * here.value || is_at_rounding) converged = true;
      last_decrement = found.decrement;
      std::optional<SoftmaxPoint> next = line_search(here, found);
      if (!next) {  // As low as rounding allows.
        converged = true;
        break;
      }
      here = std::move(*next);
      if (found.products > products_of_a_good_preconditioner) blocks_.clear();
    }
    return result(std::move(here), converged);
  }

 private:
  struct Step {
    Matrix direction;
    double decrement = 0.0;  // gᵀ M⁻¹ g with the preconditioner M.
    double slope = 0.0;      // gᵀ direction
    int products = 0;
  };

  [[nodiscard]] double weight(std::size_t i) const { return problem_.weights.empty() ? 1.0 : problem_.weights[i]; }
  [[nodiscard]] std::size_t classes() const { return problem_.classes; }
  [[nodiscard]] std::size_t rows() const { return A1_.rows(); }

  [[nodiscard]] Matrix first_parameters(const SoftmaxFit* start) const {
    const std::size_t n = problem_.A.cols;
    Matrix P(n + 1, classes());
    if (start != nullptr && start->coefficients.rows() == n && start->coefficients.cols() == classes()) {
      for (std::size_t k = 0; k < classes(); ++k) {
        std::ranges::copy(start->coefficients.col(k), P.col(k).begin());
        P(n, k) = start->intercepts[k];
      }
      return P;
    }
    const double least = weight_of_absent_class * total_weight_ / static_cast<double>(problem_.y.size());
    for (std::size_t k = 0; k < classes(); ++k) P(n, k) = std::log(std::max(totals_[k], least));
    centre_rows(P);
    return P;
  }

  [[nodiscard]] SoftmaxPoint at(Matrix parameters) const {
    if (problem_.check) problem_.check();
    SoftmaxPoint point;
    point.sums = multiply(A1_, parameters);
    point.probabilities = softmax(point.sums);
    for (std::size_t i = 0; i < rows(); ++i) {
      const auto own = static_cast<std::size_t>(problem_.y[i]);
      point.loss += weight(i) * (log_sum_exp(point.sums, i) - point.sums(i, own));
    }
    point.value = point.loss;
    for (std::size_t k = 0; k < classes(); ++k) {
      point.value += 0.5 * lambda_ * squared_norm(std::as_const(parameters).col(k).first(problem_.A.cols));
    }
    point.parameters = std::move(parameters);
    return point;
  }

  // Adds λ times the coefficients, but not the intercepts.
  void add_penalty(const Matrix& of, Matrix& to) const {
    for (std::size_t k = 0; k < classes(); ++k) {
      add_scaled(to.col(k).first(problem_.A.cols), lambda_, of.col(k).first(problem_.A.cols));
    }
  }

  [[nodiscard]] Matrix gradient(const SoftmaxPoint& here) const {
    Matrix R(here.probabilities);
    for (std::size_t i = 0; i < rows(); ++i) R(i, static_cast<std::size_t>(problem_.y[i])) -= 1.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t i = 0; i < rows(); ++i) R(i, k) *= weight(i);
    }
    Matrix g = multiply_transposed(A1_, R);
    add_penalty(here.parameters, g);
    hold_absent_classes(g);
    return g;
  }

  [[nodiscard]] Matrix hessian_times(const SoftmaxPoint& here, const Matrix& D) const {
    if (problem_.check) problem_.check();
    Matrix U = multiply(A1_, D);
    std::vector<double> means(rows(), 0.0);
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t i = 0; i < rows(); ++i) means[i] += here.probabilities(i, k) * U(i, k);
    }
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t i = 0; i < rows(); ++i) U(i, k) = weight(i) * here.probabilities(i, k) * (U(i, k) - means[i]);
    }
    Matrix product = multiply_transposed(A1_, U);
    add_penalty(D, product);
    hold_absent_classes(product);
    return product;
  }

  // The likelihood has no maximum in the intercept of a class without rows: its parameters stay as they are.
  void hold_absent_classes(Matrix& g) const {
    for (std::size_t k = 0; k < classes(); ++k) {
      if (!(totals_[k] > 0.0)) std::ranges::fill(g.col(k), 0.0);
    }
  }

  void factor_blocks(const SoftmaxPoint& here) {
    const std::size_t size = A1_.cols();
    const std::size_t count = classes() * size * size <= most_block_entries ? classes() : 1;
    std::vector<std::optional<Cholesky>> blocks(count);
    parallel_for(count, [&](std::size_t b) {
      if (problem_.check) problem_.check();
      blocks[b] = Cholesky::factor(block_of(here, b, count));
    });
    blocks_ = std::move(blocks);
  }

  // The diagonal block of class b, or the mean of the blocks of all classes.
  [[nodiscard]] Matrix block_of(const SoftmaxPoint& here, std::size_t b, std::size_t count) const {
    std::vector<double> roots(rows(), 0.0);
    for (std::size_t k = 0; k < classes(); ++k) {
      if (count > 1 && k != b) continue;
      for (std::size_t i = 0; i < rows(); ++i) {
        const double p = here.probabilities(i, k);
        roots[i] += weight(i) * p * (1.0 - p) / (count > 1 ? 1.0 : static_cast<double>(classes()));
      }
    }
    for (double& root : roots) root = std::sqrt(root);
    Matrix B(A1_);
    scale_rows(B, roots);
    Matrix G(A1_.cols(), A1_.cols());
    add_gram_of_columns(G, B);
    double largest = 0.0;
    for (std::size_t j = 0; j < G.cols(); ++j) largest = std::max(largest, G(j, j));
    // Far above rounding, and too small to slow down conjugate gradients.
    constexpr double stabilizer = 1e-10;
    for (std::size_t j = 0; j < G.cols(); ++j) {
      G(j, j) += stabilizer * (largest + lambda_) + (j < problem_.A.cols ? lambda_ : 0.0);
    }
    return G;
  }

  [[nodiscard]] Matrix preconditioned(const Matrix& R) const {
    Matrix Z(R);
    for (std::size_t k = 0; k < classes(); ++k) {
      const std::optional<Cholesky>& block = blocks_[blocks_.size() > 1 ? k : 0];
      if (block) block->solve(Z.col(k));
    }
    return Z;
  }

  [[nodiscard]] Step newton_step(const SoftmaxPoint& here, const Matrix& g) {
    Matrix r(g.rows(), g.cols());
    add_scaled(all_entries(r), -1.0, all_entries(g));
    Matrix z = preconditioned(r);
    double rz = dot_of_entries(all_entries(r), all_entries(z));
    Step step{Matrix(g.rows(), g.cols()), rz, 0.0, 0};
    // A tolerance that shrinks with the gradient gives superlinear convergence (Nocedal and Wright 2006, section 7.1).
    // Rounding keeps residuals from shrinking much further within one step.
    const double relative = std::sqrt(rz / std::max(here.value, 1e-300));
    const double tolerance = std::clamp(relative, 1e-5, 0.1) * std::sqrt(rz);
    Matrix d(z);
    while (step.products < most_hessian_products && rz > 0.0 && std::sqrt(rz) > tolerance) {
      const Matrix Hd = hessian_times(here, d);
      ++step.products;
      const double curvature = dot_of_entries(all_entries(d), all_entries(Hd));
      if (!(curvature > 0.0)) break;
      const double length = rz / curvature;
      add_scaled(all_entries(step.direction), length, all_entries(d));
      add_scaled(all_entries(r), -length, all_entries(Hd));
      z = preconditioned(r);
      const double before = rz;
      rz = dot_of_entries(all_entries(r), all_entries(z));
      for (std::size_t j = 0; j < all_entries(d).size(); ++j)
        all_entries(d)[j] = all_entries(z)[j] + rz / before * all_entries(d)[j];
    }
    step.slope = dot_of_entries(all_entries(g), all_entries(step.direction));
    return step;
  }

  // The first point on the way that lowers (1) enough; none where rounding decides.
  [[nodiscard]] std::optional<SoftmaxPoint> line_search(const SoftmaxPoint& here, const Step& step) const {
    constexpr double enough = 1e-4;
    constexpr double rounding = 1e-13;
    if (!(step.slope < 0.0)) return std::nullopt;
    double length = 1.0;
    for (int k = 0; k < most_newton_halvings; ++k, length *= 0.5) {
      Matrix P(here.parameters);
      add_scaled(all_entries(P), length, all_entries(step.direction));
      centre_rows(P);
      SoftmaxPoint next = at(std::move(P));
      if (next.value <= here.value + enough * length * step.slope + rounding * here.value) return next;
    }
    return std::nullopt;
  }

  [[nodiscard]] SoftmaxFit result(SoftmaxPoint here, bool converged) const {
    const std::size_t n = problem_.A.cols;
    SoftmaxFit fit;
    fit.coefficients = Matrix::uninitialized(n, classes());
    for (std::size_t k = 0; k < classes(); ++k) {
      std::ranges::copy(here.parameters.col(k).first(n), fit.coefficients.col(k).begin());
      fit.intercepts.push_back(here.parameters(n, k));
    }
    fit.sums = std::move(here.sums);
    fit.loss = here.loss / total_weight_;
    fit.converged = converged;
    return fit;
  }

  const SoftmaxProblem& problem_;
  double lambda_;
  Matrix A1_;
  double total_weight_ = 0.0;
  std::vector<double> totals_;  // By class.
  std::vector<std::optional<Cholesky>> blocks_;
};

}  // namespace

SoftmaxFit fit_softmax(const SoftmaxProblem& problem, double lambda, const SoftmaxFit* start) {
  return SoftmaxNewton(problem, lambda).run(start);
}

Matrix softmax_sums(MatrixView A, const Matrix& coefficients, std::span<const double> intercepts) {
  Matrix sums = A.cols > 0 ? multiply(A, coefficients) : Matrix(A.rows, intercepts.size());
  for (std::size_t k = 0; k < intercepts.size(); ++k) {
    for (double& sum : sums.col(k)) sum += intercepts[k];
  }
  return sums;
}

Matrix softmax(MatrixView sums) {
  Matrix P = Matrix::uninitialized(sums.rows, sums.cols);
  for (std::size_t i = 0; i < sums.rows; ++i) {
    double largest = sums(i, 0);
    for (std::size_t k = 1; k < sums.cols; ++k) largest = std::max(largest, sums(i, k));
    double total = 0.0;
    for (std::size_t k = 0; k < sums.cols; ++k) total += P(i, k) = std::exp(sums(i, k) - largest);
    for (std::size_t k = 0; k < sums.cols; ++k) P(i, k) /= total;
  }
  return P;
}

double log_sum_exp(MatrixView sums, std::size_t row) {
  double largest = sums(row, 0);
  for (std::size_t k = 1; k < sums.cols; ++k) largest = std::max(largest, sums(row, k));
  double total = 0.0;
  for (std::size_t k = 0; k < sums.cols; ++k) total += std::exp(sums(row, k) - largest);
  return largest + std::log(total);
}

}  // namespace shrimp
