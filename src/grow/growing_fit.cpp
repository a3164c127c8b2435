#include "grow/growing_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/standardize.hpp"
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

}  // namespace

GrowingFit::GrowingFit(const Rows& rows, double lambda, std::uint64_t seed)
    : rows_(rows),
      seed_(seed),
      target_deviation_(standard_deviation(rows.y)),
      input_deviations_(standard_deviations(rows.X)),
      roots_(roots_of(rows.weights)),
      smoother_(in_units_of(target_deviation_, rows.y), roots_, lambda),
      lambda_of_blocks_(lambda) {}

Matrix GrowingFit::features_of(const TermShape& term, const Dictionary& drawn) const {
  Matrix B = evaluate(drawn, rows_.X);
  const double scale = column_scale(term, weights_of(term));
  for (std::size_t j = 0; j < B.cols(); ++j) {
    for (double& value : B.col(j)) value *= scale;
  }
  return B;
}

Condensed GrowingFit::condensed_block_of(const TermShape& term, double lambda) const {
  Matrix B = features_of(term, draw_term(term, weights_of(term), input_deviations_, seed_));
  smoother_.centre(B);
  return condense(B, lambda);
}

Matrix GrowingFit::block_of(const TermShape& term) const { return condensed_block_of(term, smoother_.lambda()).B; }

void GrowingFit::add(const TermShape& term) {
  Condensed block = condensed_block_of(term, smoother_.lambda());
  terms_.push_back(term);
  rotations_.push_back(std::move(block.Q));
  smoother_.add(std::move(block.B));
  lambda_of_blocks_ = std::max(lambda_of_blocks_, smoother_.lambda());
}

void GrowingFit::replace(std::size_t k, const TermShape& term) {
  Condensed block = condensed_block_of(term, smoother_.lambda());
  terms_[k] = term;
  rotations_[k] = std::move(block.Q);
  smoother_.replace(k, std::move(block.B));
  lambda_of_blocks_ = std::max(lambda_of_blocks_, smoother_.lambda());
}

void GrowingFit::remove(std::size_t k) {
  terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(k));
  rotations_.erase(rotations_.begin() + static_cast<std::ptrdiff_t>(k));
  smoother_.remove(k);
}

void GrowingFit::set(std::vector<TermShape> terms, double lambda) {
  terms_ = std::move(terms);
  rotations_.clear();
  rotations_.resize(terms_.size());
  std::vector<Matrix> blocks(terms_.size());
  parallel_over(terms_.size(), [&](std::size_t k) {
    Condensed block = condensed_block_of(terms_[k], lambda);
    rotations_[k] = std::move(block.Q);
    blocks[k] = std::move(block.B);
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

std::vector<GrowingFit::Slopes> GrowingFit::evidence_slopes() const {
  const std::vector<Matrix> by_blocks = smoother_.evidence_slopes();
  std::vector<Slopes> slopes(by_blocks.size());
  parallel_over(by_blocks.size(), [&](std::size_t k) {
    slopes[k] = slopes_of(terms_[k], multiply(by_blocks[k], transpose(rotations_[k])));
  });
  return slopes;
}

// Columns are cos(wᵀx) and sin(wᵀx) with w_l proportional to the scale of variable l; slopes do not see the constant.
GrowingFit::Slopes GrowingFit::slopes_of(const TermShape& term, const Matrix& by_features) const {
  const std::size_t count = weights_of(term);
  const Dictionary drawn = draw_term(term, count, input_deviations_, seed_);
  Matrix B = features_of(term, drawn);
  if (!roots_.empty()) scale_rows(B, roots_);
  Slopes slopes{std::vector<double>(term.scales.size(), 0.0), 0.0};
  for (std::size_t j = 0; j < B.cols(); ++j) {
    const auto column = B.col(j);
    slopes.amplitude += std::inner_product(column.begin(), column.end(), by_features.col(j).begin(), 0.0);
  }
  std::vector<double> by_phase(rows_.size());
  for (std::size_t j = 0; j < count && !term.linear(); ++j) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      by_phase[i] = B(i, j) * by_features(i, count + j) - B(i, count + j) * by_features(i, j);
    }
    for (std::size_t l = 0; l < term.scales.size(); ++l) {
      const auto x = rows_.X.col(term.variables[l]);
      slopes.scales[l] += drawn.weights.weights(j)[l] * std::inner_product(x.begin(), x.end(), by_phase.begin(), 0.0);
    }
  }
  return slopes;
}

}  // namespace shrimp
