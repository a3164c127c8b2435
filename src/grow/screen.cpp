#include "grow/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "linalg/dense.hpp"
#include "random/philox.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t null_draws = 12;

// Ranks in (0, 1), equal values sharing the middle of theirs.
std::vector<double> ranks(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return x[i]; });
  std::vector<double> result(x.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && x[order[last]] == x[order[first]]) ++last;
    const double middle = 0.5 * static_cast<double>(first + last) / static_cast<double>(x.size());
    for (std::size_t k = first; k < last; ++k) result[order[k]] = middle;
    first = last;
  }
  return result;
}

// Centred, orthogonal to the functions before it and of mean square 1; zero where there is nothing left, as for an
// input of few values.
void orthonormalize(Matrix& U, std::span<const std::size_t> before, std::size_t column) {
  const auto m = static_cast<double>(U.rows());
  const std::span<double> u = U.col(column);
  const double mean = std::accumulate(u.begin(), u.end(), 0.0) / m;
  for (double& value : u) value -= mean;
  for (const std::size_t other : before) {
    const std::span<const double> v = U.col(other);
    add_scaled(u, -std::inner_product(u.begin(), u.end(), v.begin(), 0.0) / m, v);
  }
  const double size = std::sqrt(squared_norm(u) / m);
  for (double& value : u) value = size > 1e-6 ? value / size : 0.0;
}

// Products of low degree alone are few, and see simple effects best: those up to each of these degrees are judged by
// themselves.
constexpr std::size_t degrees[] = {1, 2, 4};

// Σ z² over the products of one set of inputs, by the highest degree in them.
class Judgement {
 public:
  Judgement(std::size_t highest, std::size_t order) : highest_(highest), order_(order) {}

  void add(std::size_t degree, double sum, double squares) {
    if (!(squares > 0.0)) return;
    for (std::size_t k = 0; k < std::size(degrees); ++k) {
      if (degree <= degrees[k]) sums_[k] += sum * sum / squares;
    }
  }

  // −log of the smallest p-value.
  [[nodiscard]] double score() const {
    double best = 0.0;
    for (std::size_t k = 0; k < std::size(degrees) && degrees[k] <= highest_; ++k) {
      std::size_t products = 1;
      for (std::size_t l = 0; l < order_; ++l) products *= degrees[k];
      best = std::max(best, chi_square_surprise(sums_[k], products));
    }
    return best;
  }

 private:
  std::size_t highest_;
  std::size_t order_;
  double sums_[std::size(degrees)] = {};
};

struct Gumbel {
  double location = 0.0;
  double scale = 1.0;

  explicit Gumbel(const std::vector<double>& maxima) {
    const auto n = static_cast<double>(maxima.size());
    const double mean = std::accumulate(maxima.begin(), maxima.end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : maxima) squares += (value - mean) * (value - mean);
    // −log of the least of many p-values has scale 1; a sample of maxima that vary less does so by chance.
    scale = std::max(1.0, std::sqrt(squares / (n - 1.0) * 6.0) / std::numbers::pi);
    location = mean - std::numbers::egamma * scale;
  }
  [[nodiscard]] double chance(double score) const { return -std::expm1(-std::exp(-(score - location) / scale)); }
};

}  // namespace

std::vector<double> flip_signs(std::span<const double> values, std::uint64_t seed, std::uint64_t name,
                               std::uint32_t draw) {
  PhiloxStream random(seed, Stream::signs, name, draw);
  std::vector<double> flipped(values.begin(), values.end());
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < flipped.size(); ++i, bits >>= 1U) {
    if (i % 64 == 0) bits = random.next();
    if ((bits & 1U) != 0) flipped[i] = -flipped[i];
  }
  return flipped;
}

double chi_square_surprise(double x, std::size_t k) {
  const double half = 0.5 * x;
  if (k == 1) {
    return half < 600.0 ? -std::log(std::erfc(std::sqrt(half))) : half + 0.5 * std::log(std::numbers::pi * half);
  }
  double term = 1.0;
  double sum = 1.0;
  double scale = 0.0;
  for (std::size_t j = 1; j < k / 2; ++j) {
    term *= half / static_cast<double>(j);
    sum += term;
    if (sum > 1e200) {
      scale += std::log(1e200);
      sum /= 1e200;
      term /= 1e200;
    }
  }
  return half - std::log(sum) - scale;
}

Screen::Screen(MatrixView X, std::uint64_t seed) : rows_(X.rows), inputs_(X.cols), seed_(seed) {
  constexpr double most_functions = 2400;
  degree_ = 4.0 * static_cast<double>(X.cols) <= most_functions ? 4 : 2;
  U_ = Matrix::uninitialized(rows_, degree_ * inputs_);
  parallel_for(inputs_, [&](std::size_t j) {
    const std::vector<double> F = ranks(X.col(j));
    std::vector<std::size_t> before;
    for (std::size_t a = 0; a < degree_; ++a) {
      const std::size_t column = a * inputs_ + j;
      for (std::size_t i = 0; i < rows_; ++i) {
        U_(i, column) = std::cos(std::numbers::pi * static_cast<double>(a + 1) * F[i]);
      }
      orthonormalize(U_, before, column);
      before.push_back(column);
    }
  });
  squares_ = Matrix(U_);
  for (std::size_t k = 0; k < U_.cols(); ++k) {
    for (double& value : squares_.col(k)) value *= value;
  }
}

// The residual and its null draws, and what all sets score on them.
class Screen::Scores {
 public:
  Scores(std::span<const double> residual, std::size_t order, std::uint64_t seed) : maxima_(null_draws, 0.0) {
    residuals_.emplace_back(residual.begin(), residual.end());
    for (std::uint32_t draw = 0; draw < null_draws; ++draw) {
      residuals_.push_back(flip_signs(residual, seed, order, draw));
    }
    for (const double r : residual) squares_.push_back(r * r);
  }

  /// The residual itself first.
  [[nodiscard]] const std::vector<std::vector<double>>& residuals() const { return residuals_; }
  [[nodiscard]] const std::vector<double>& squares() const { return squares_; }

  void add(std::size_t draw, std::vector<ScoredSupport> scored) {
    for (ScoredSupport& support : scored) {
      if (draw > 0) {
        maxima_[draw - 1] = std::max(maxima_[draw - 1], support.score);
      } else {
        found_.push_back(std::move(support));
      }
    }
  }

  [[nodiscard]] std::vector<ScoredSupport> below(double level) {
    const Gumbel null(maxima_);
    for (ScoredSupport& support : found_) support.chance = null.chance(support.score);
    std::erase_if(found_, [&](const ScoredSupport& support) { return !(support.chance < level); });
    std::ranges::stable_sort(found_, std::greater<>(), &ScoredSupport::score);
    // A triple may have been seen with each of its inputs as the third, with the same score up to rounding.
    std::vector<ScoredSupport> distinct;
    for (ScoredSupport& support : found_) {
      const bool seen = std::ranges::find(distinct, support.variables, &ScoredSupport::variables) != distinct.end();
      if (!seen) distinct.push_back(std::move(support));
    }
    return distinct;
  }

 private:
  std::vector<std::vector<double>> residuals_;
  std::vector<double> squares_;
  std::vector<ScoredSupport> found_;
  std::vector<double> maxima_;
};

std::vector<ScoredSupport> Screen::find(std::span<const double> residual, std::size_t order, double level,
                                        std::span<const std::uint32_t> likely,
                                        const std::vector<bool>& excluded) const {
  Scores scores(residual, order, seed_);
  if (order == 1) {
    score_inputs(excluded, scores);
  } else if (order == 2) {
    score_pairs(std::nullopt, excluded, scores);
  } else {
    for (const std::uint32_t third : thirds(likely)) {
      if (!excluded[third]) score_pairs(third, excluded, scores);
    }
  }
  return scores.below(level);
}

std::vector<std::uint32_t> Screen::thirds(std::span<const std::uint32_t> likely) const {
  if (!takes_all_triples()) return {likely.begin(), likely.end()};
  std::vector<std::uint32_t> all(inputs_);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

void Screen::score_inputs(const std::vector<bool>& excluded, Scores& scores) const {
  const std::vector<double> norms = multiply_transposed(squares_, scores.squares());
  for (std::size_t draw = 0; draw < scores.residuals().size(); ++draw) {
    const std::vector<double> sums = multiply_transposed(U_, scores.residuals()[draw]);
    std::vector<ScoredSupport> scored;
    for (std::uint32_t j = 0; j < inputs_; ++j) {
      if (excluded[j]) continue;
      Judgement judgement(degree_, 1);
      for (std::size_t a = 0; a < degree_; ++a) judgement.add(a + 1, sums[a * inputs_ + j], norms[a * inputs_ + j]);
      scored.push_back({{j}, judgement.score(), 1.0});
    }
    scores.add(draw, std::move(scored));
  }
}

// All pairs at once, as the matrix Uᵀ diag(r) U; triples as the same for r times a function of the third input.
void Screen::score_pairs(std::optional<std::uint32_t> third, const std::vector<bool>& excluded, Scores& scores) const {
  const std::size_t highest = third ? std::min<std::size_t>(2, degree_) : degree_;
  const std::size_t depth = third ? highest : 1;
  const auto products = [&](const Matrix& functions, std::vector<double> factors, std::size_t c) {
    if (third) {
      const std::span<const double> of_third = functions.col(c * inputs_ + *third);
      for (std::size_t i = 0; i < rows_; ++i) factors[i] *= of_third[i];
    }
    const MatrixView used{functions.data(), rows_, highest * inputs_, rows_};
    Matrix weighted(used);
    scale_rows(weighted, factors);
    return multiply_transposed(used, weighted);
  };
  std::vector<Matrix> norms;
  for (std::size_t c = 0; c < depth; ++c) norms.push_back(products(squares_, scores.squares(), c));
  for (std::size_t draw = 0; draw < scores.residuals().size(); ++draw) {
    std::vector<Matrix> sums;
    for (std::size_t c = 0; c < depth; ++c) sums.push_back(products(U_, scores.residuals()[draw], c));
    std::vector<std::vector<ScoredSupport>> by_input(inputs_);
    parallel_for(inputs_, [&](std::size_t j) {
      if (excluded[j] || third == j) return;
      if (third && takes_all_triples() && *third < j) return;  // Seen with j as the third.
      double best = 0.0;
      for (std::uint32_t i = 0; i < j; ++i) {
        if (excluded[i] || third == i) continue;
        Judgement judgement(highest, third ? 3 : 2);
        for (std::size_t a = 0; a < highest; ++a) {
          for (std::size_t b = 0; b < highest; ++b) {
            for (std::size_t c = 0; c < depth; ++c) {
              const std::size_t degree = std::max({a, b, third ? c : 0}) + 1;
              judgement.add(degree, sums[c](a * inputs_ + i, b * inputs_ + j),
                            norms[c](a * inputs_ + i, b * inputs_ + j));
            }
          }
        }
        const double score = judgement.score();
        best = std::max(best, score);
        if (draw > 0) continue;  // Of null draws the best score is enough.
        Support support = {i, static_cast<std::uint32_t>(j)};
        if (third) support.push_back(*third);
        std::ranges::sort(support);
        by_input[j].push_back({std::move(support), score, 1.0});
      }
      if (draw > 0) by_input[j].push_back({{}, best, 1.0});
    });
    for (std::vector<ScoredSupport>& scored : by_input) scores.add(draw, std::move(scored));
  }
}

}  // namespace shrimp
