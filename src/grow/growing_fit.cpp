#include "grow/growing_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/present.hpp"
#include "data/standardize.hpp"
#include "features/missing_cells.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

std::vector<double> in_units_of(double deviation, std::vector<double> y) {
  for (double& value : y) value /= deviation;
  return y;
}

std::vector<double> roots_of(std::vector<double> weights) {
  for (double& weight : weights) weight = std::sqrt(weight);
  return weights;
}

std::vector<double> deviations_of(const std::vector<InputSpread>& spreads) {
  std::vector<double> deviations;
  for (const InputSpread& spread : spreads) deviations.push_back(spread.deviation);
  return deviations;
}

}  // namespace

GrowingFit::GrowingFit(const Rows& rows, GroupStarts starts, double lambda, std::uint64_t seed)
    : rows_(rows),
      starts_(std::move(starts)),
      seed_(seed),
      target_deviation_(standard_deviation(rows.y)),
      spreads_(spreads_of(rows.X)),
      input_deviations_(deviations_of(spreads_)),
      roots_(roots_of(rows.weights)),
      smoother_(in_units_of(target_deviation_, rows.y), roots_, lambda, starts_),
      lambda_of_blocks_(lambda) {}

GrowingFit::GrowingFit(const Rows& some_rows, const GrowingFit& all)
    : rows_(some_rows),
      seed_(all.seed_),
      target_deviation_(all.target_deviation_),
      spreads_(all.spreads_),
      input_deviations_(all.input_deviations_),
      roots_(roots_of(some_rows.weights)),
      smoother_(in_units_of(target_deviation_, some_rows.y), roots_, all.smoother_.lambda()),
      lambda_of_blocks_(all.smoother_.lambda()) {}

GrowingFit::Drawn GrowingFit::draw(const TermShape& term, double lambda) const {
  Drawn drawn;
  const std::size_t count = weights_of(term);
  drawn.dictionary = draw_term(term, count, input_deviations_, seed_, rows_.kinds);
  drawn.features = evaluate(drawn.dictionary, rows_.X);
  const double scale = column_scale(term, count);
  for (std::size_t j = 0; j < drawn.features.cols(); ++j) {
    for (double& value : drawn.features.col(j)) value *= scale;
  }
  Matrix B(drawn.features);
  smoother_.centre(B);
  if (!roots_.empty()) scale_rows(drawn.features, roots_);
  drawn.block = condense(B, lambda);
  return drawn;
}

// Cosines take about twenty operations; a Gram matrix, and half of its eigenvectors' products.
void GrowingFit::count_draw(const TermShape& term) const {
  const auto columns = static_cast<double>(columns_of_a_weight(term) * weights_of(term));
  work_ += static_cast<double>(rows_.size()) * columns * (20.0 + columns) + 10.0 * columns * columns * columns;
}

std::vector<Matrix> GrowingFit::blocks_of(std::span<const TermShape> terms) const {
  std::vector<Matrix> blocks(terms.size());
  for (const TermShape& term : terms) count_draw(term);
  parallel_for(terms.size(), [&](std::size_t k) { blocks[k] = draw(terms[k], smoother_.lambda()).block.B; });
  return blocks;
}

void GrowingFit::add(const TermShape& term) {
  count_draw(term);
  drawn_.push_back(draw(term, smoother_.lambda()));
  terms_.push_back(term);
  smoother_.add(std::move(drawn_.back().block.B));
  lambda_of_blocks_ = std::max(lambda_of_blocks_, smoother_.lambda());
}

void GrowingFit::remove(std::size_t k) {
  terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(k));
  drawn_.erase(drawn_.begin() + static_cast<std::ptrdiff_t>(k));
  smoother_.remove(k);
}

void GrowingFit::set(std::vector<TermShape> terms, double lambda) {
  terms_ = std::move(terms);
  drawn_.clear();
  drawn_.resize(terms_.size());
  std::vector<Matrix> blocks(terms_.size());
  for (const TermShape& term : terms_) count_draw(term);
  parallel_for(terms_.size(), [&](std::size_t k) {
    drawn_[k] = draw(terms_[k], lambda);
    blocks[k] = std::move(drawn_[k].block.B);
  });
  smoother_.replace_all(std::move(blocks), lambda);
  lambda_of_blocks_ = lambda;
}

void GrowingFit::tune_lambda() {
  // What was too small beside the λ of then may count now.
  constexpr double much_less = 0.1;
  smoother_.tune_lambda();
  if (smoother_.lambda() < much_less * lambda_of_blocks_) set(std::vector(terms_), smoother_.lambda());
}

// (ΦᵀΦ + λI)⁻¹Φᵀy = Φᵀ R y/λ, and R y is orthogonal to the constant.
std::vector<double> GrowingFit::coefficients_of(std::size_t k) const {
  std::vector<double> c = multiply_transposed(drawn_[k].features, smoother_.residual());
  const double scale = column_scale(terms_[k], weights_of(terms_[k])) / smoother_.lambda();
  for (double& value : c) value *= scale;
  return c;
}

// A block's columns are orthogonal.
double GrowingFit::degrees_of_freedom(const TermShape& term) const {
  const Matrix B = block_of(term);
  double sum = 0.0;
  for (std::size_t j = 0; j < B.cols(); ++j) {
    const double square = squared_norm(B.col(j));
    sum += square / (square + smoother_.lambda());
  }
  return sum;
}

std::vector<GrowingFit::Slopes> GrowingFit::evidence_slopes() const {
  const std::vector<Matrix> by_blocks = smoother_.marginal_likelihood_gradient();
  std::vector<Slopes> slopes(by_blocks.size());
  parallel_for(by_blocks.size(), [&](std::size_t k) {
    slopes[k] = slopes_of(terms_[k], drawn_[k], multiply(by_blocks[k], transpose(drawn_[k].block.Q)));
  });
  return slopes;
}

// Columns are cos(wᵀx) and sin(wᵀx) with w_l proportional to the scale of variable l; slopes do not see the constant.
GrowingFit::Slopes GrowingFit::slopes_of(const TermShape& term, const Drawn& drawn, const Matrix& by_features) const {
  const std::size_t count = weights_of(term);
  const Matrix& B = drawn.features;
  Slopes slopes{std::vector<double>(term.scales.size(), 0.0), 0.0};
  for (std::size_t j = 0; j < B.cols(); ++j) {
    const auto column = B.col(j);
    slopes.amplitude += std::inner_product(column.begin(), column.end(), by_features.col(j).begin(), 0.0);
  }
  std::vector<double> by_phase(rows_.size());
  for (std::size_t j = 0; j < count && !term.scales.empty(); ++j) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      by_phase[i] = B(i, j) * by_features(i, count + j) - B(i, count + j) * by_features(i, j);
    }
    for (std::size_t l = 0; l < term.scales.size(); ++l) {
      if (rows_.is_category(term.variables[l])) continue;
      const auto x = rows_.X.col(term.variables[l]);
      const double w = drawn.dictionary.weights.weights(j)[l];
      slopes.scales[l] += w * (any_missing(x) ? slope_with_missing(drawn, by_features, {j, l}, by_phase)
                                              : std::inner_product(x.begin(), x.end(), by_phase.begin(), 0.0));
    }
  }
  return slopes;
}

// Where x_l is missing, cos + i sin is exp(ia) E exp(iwx), whose slope by w is i E(x exp(iwx))/E exp(iwx) times it: the
// quotient, which is complex, stands for x.
double GrowingFit::slope_with_missing(const Drawn& drawn, const Matrix& by_features, Place at,
                                      std::span<const double> by_phase) const {
  const std::uint32_t input = drawn.dictionary.weights.support(at.weight)[at.input];
  const double w = drawn.dictionary.weights.weights(at.weight)[at.input];
  const std::size_t count = drawn.dictionary.weights.size();
  const WaveMeans means = wave_means(w, rows_.kinds->marginals[input]);
  const std::complex<double> mean_x = std::abs(means.wave) > 0.0 ? means.times_x / means.wave : 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double x = rows_.X(i, input);
    sum += by_phase[i] * (is_missing(x) ? mean_x.real() : x);
    if (!is_missing(x)) continue;
    const double along = drawn.features(i, at.weight) * by_features(i, at.weight) +
                         drawn.features(i, count + at.weight) * by_features(i, count + at.weight);
    sum -= mean_x.imag() * along;
  }
  return sum;
}

}  // namespace shrimp
