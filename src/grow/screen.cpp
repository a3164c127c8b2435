#include "grow/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/threads.hpp"
#include "random/philox.hpp"

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

// Sets of products by their degrees: those of low degree alone are few, and see simple effects best.
struct Nest {
  std::size_t degree;
  std::size_t freedom;
};

// z² of each product → −log of the smallest p-value.
double surprise(std::span<const double> low_to_high, std::span<const Nest> nests) {
  double best = 0.0;
  for (std::size_t k = 0; k < nests.size(); ++k) {
    best = std::max(best, chi_square_surprise(low_to_high[k], nests[k].freedom));
  }
  return best;
}

std::vector<Nest> nests_of(std::size_t degree, std::size_t order) {
  std::vector<Nest> nests;
  for (const std::size_t highest : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
    if (highest > degree) break;
    std::size_t products = 1;
    for (std::size_t k = 0; k < order; ++k) products *= highest;
    nests.push_back({highest, products});
  }
  return nests;
}

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

std::vector<ScoredSupport> Screen::find(std::span<const double> residual, std::size_t order, double level,
                                        std::span<const std::uint32_t> likely,
                                        const std::vector<bool>& excluded) const {
  const std::vector<Nest> nests = nests_of(order == 3 ? std::min<std::size_t>(2, degree_) : degree_, order);
  const std::size_t top = nests.back().degree;
  const std::size_t used = top * inputs_;
  std::vector<double> square(residual.size());
  for (std::size_t i = 0; i < rows_; ++i) square[i] = residual[i] * residual[i];
  std::vector<std::vector<double>> signed_residuals = {{residual.begin(), residual.end()}};
  for (std::size_t draw = 0; draw < null_draws; ++draw) {
    signed_residuals.push_back(flip_signs(residual, seed_, order, static_cast<std::uint32_t>(draw)));
  }

  std::vector<ScoredSupport> found;
  std::vector<double> maxima(null_draws, 0.0);
  const MatrixView U{U_.data(), rows_, used, rows_};
  const MatrixView squares{squares_.data(), rows_, used, rows_};

  if (order == 1) {
    const std::vector<double> norms = multiply_transposed(squares, square);
    for (std::size_t draw = 0; draw <= null_draws; ++draw) {
      const std::vector<double> sums = multiply_transposed(U, signed_residuals[draw]);
      for (std::uint32_t j = 0; j < inputs_; ++j) {
        if (excluded[j]) continue;
        std::vector<double> by_nest;
        double total = 0.0;
        std::size_t a = 0;
        for (const Nest& nest : nests) {
          for (; a < nest.degree; ++a) {
            const std::size_t k = a * inputs_ + j;
            if (norms[k] > 0.0) total += sums[k] * sums[k] / norms[k];
          }
          by_nest.push_back(total);
        }
        const double score = surprise(by_nest, nests);
        if (draw == 0) {
          found.push_back({{j}, score, 1.0});
        } else {
          maxima[draw - 1] = std::max(maxima[draw - 1], score);
        }
      }
    }
  } else {
    // Pairs: all products at once, as the matrix Uᵀ diag(r) U. Triples: the same for r times a third input's function.
    std::vector<std::uint32_t> thirds;
    if (order == 3) {
      constexpr std::size_t few = 40;
      if (inputs_ <= few) {
        for (std::uint32_t j = 0; j < inputs_; ++j) thirds.push_back(j);
      } else {
        thirds.assign(likely.begin(), likely.end());
      }
    }
    const auto weigh = [&](MatrixView columns, std::span<const double> factors) {
      Matrix weighed(columns);
      scale_rows(weighed, factors);
      return weighed;
    };
    struct Plane {  // The products of one third input's functions, or the only one for pairs.
      std::uint32_t third = 0;
    };
    const std::size_t planes = order == 3 ? thirds.size() : 1;
    for (std::size_t plane = 0; plane < planes; ++plane) {
      const std::size_t depth = order == 3 ? top : 1;
      std::vector<Matrix> norms;
      for (std::size_t c = 0; c < depth; ++c) {
        std::vector<double> factors = square;
        if (order == 3) {
          const auto third = squares_.col(c * inputs_ + thirds[plane]);
          for (std::size_t i = 0; i < rows_; ++i) factors[i] *= third[i];
        }
        norms.push_back(multiply_transposed(squares, weigh(squares, factors)));
      }
      for (std::size_t draw = 0; draw <= null_draws; ++draw) {
        std::vector<Matrix> sums;
        for (std::size_t c = 0; c < depth; ++c) {
          std::vector<double> factors = signed_residuals[draw];
          if (order == 3) {
            const auto third = U_.col(c * inputs_ + thirds[plane]);
            for (std::size_t i = 0; i < rows_; ++i) factors[i] *= third[i];
          }
          sums.push_back(multiply_transposed(U, weigh(U, factors)));
        }
        std::vector<std::vector<ScoredSupport>> by_row(inputs_);
        std::vector<double> row_maxima(inputs_, 0.0);
        parallel_for(inputs_, [&](std::size_t j) {
          if (excluded[j] || (order == 3 && (j == thirds[plane] || excluded[thirds[plane]]))) return;
          for (std::uint32_t i = 0; i < j; ++i) {
            if (excluded[i] || (order == 3 && i == thirds[plane])) continue;
            // Where all inputs serve as thirds every triple would be seen three times.
            if (order == 3 && planes == inputs_ && thirds[plane] < j) continue;
            std::vector<double> by_nest(nests.size(), 0.0);
            for (std::size_t a = 0; a < top; ++a) {
              for (std::size_t b = 0; b < top; ++b) {
                for (std::size_t c = 0; c < depth; ++c) {
                  const double norm = norms[c](a * inputs_ + i, b * inputs_ + j);
                  if (!(norm > 0.0)) continue;
                  const double sum = sums[c](a * inputs_ + i, b * inputs_ + j);
                  const std::size_t highest = std::max({a, b, order == 3 ? c : 0}) + 1;
                  for (std::size_t n = 0; n < nests.size(); ++n) {
                    if (highest <= nests[n].degree) by_nest[n] += sum * sum / norm;
                  }
                }
              }
            }
            const double score = surprise(by_nest, nests);
            if (draw > 0) {
              row_maxima[j] = std::max(row_maxima[j], score);
              continue;
            }
            Support support = {i, static_cast<std::uint32_t>(j)};
            if (order == 3) support.push_back(thirds[plane]);
            std::ranges::sort(support);
            by_row[j].push_back({std::move(support), score, 1.0});
          }
        });
        if (draw > 0) {
          maxima[draw - 1] = std::max(maxima[draw - 1], *std::ranges::max_element(row_maxima));
        } else {
          for (auto& row : by_row) std::ranges::move(row, std::back_inserter(found));
        }
      }
    }
  }

  const Gumbel null(maxima);
  for (ScoredSupport& support : found) support.chance = null.chance(support.score);
  std::erase_if(found, [&](const ScoredSupport& support) { return !(support.chance < level); });
  std::ranges::stable_sort(found, std::greater<>(), &ScoredSupport::score);
  const auto repeated = std::ranges::unique(found, {}, &ScoredSupport::variables);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

}  // namespace shrimp
