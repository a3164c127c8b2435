#include "features/missing_cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/marginals.hpp"
#include "data/present.hpp"
#include "features/bases.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

using Complex = std::complex<double>;

}  // namespace

WaveMeans wave_means(double w, const Marginal& marginal) {
  WaveMeans means;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) {
    const Complex wave = marginal.masses[k] * std::polar(1.0, w * marginal.values[k]);
    means.wave += wave;
    means.times_x += marginal.values[k] * wave;
  }
  return means;
}

Matrix at_means(MatrixView X, const std::vector<Marginal>& marginals) {
  Matrix filled(X);
  for (std::size_t j = 0; j < X.cols; ++j) {
    if (std::ranges::none_of(X.col(j), is_missing)) continue;
    const double mean = mean_of(marginals[j]);
    for (double& value : filled.col(j)) value = is_missing(value) ? mean : value;
  }
  return filled;
}

MissingCells::MissingCells(MatrixView X, const Dictionary& dictionary) : X_(X), dictionary_(dictionary) {
  std::vector<bool> used(X.cols, false);
  for (const std::uint32_t input : dictionary.weights.variables) used[input] = true;
  std::vector<bool> lacks;
  for (std::size_t j = 0; j < X.cols; ++j) {
    if (!used[j] || std::ranges::none_of(X.col(j), is_missing)) continue;
    lacks.resize(X.rows, false);
    for (std::size_t i = 0; i < X.rows; ++i) lacks[i] = lacks[i] || is_missing(X(i, j));
  }
  for (std::size_t i = 0; i < lacks.size(); ++i) {
    if (lacks[i]) rows_.push_back(i);
  }
  if (any() && !dictionary.marginals) {
    throw DataError("an input is missing, but this model does not support missing cells.\nFit it again.");
  }
}

double MissingCells::phase(std::size_t k) const {
  const FeatureWeights& W = dictionary_.weights;
  return W.phases.empty() ? 0.0 : W.phases[dictionary_.rows[k]];
}

double MissingCells::mean_of_wave(std::size_t k, std::size_t row, std::span<const Complex> means) const {
  const auto support = dictionary_.support(k);
  const auto w = dictionary_.weights.weights(dictionary_.rows[k]);
  double t = phase(k);
  Complex wave = about(dictionary_.functions[k]).amplitude;
  for (std::size_t l = 0; l < support.size(); ++l) {
    const double x = X_(row, support[l]);
    is_missing(x) ? (void)(wave *= means[l]) : (void)(t += w[l] * x);
  }
  return (wave * std::polar(1.0, t)).real();
}

// The function's mean over the product of the missing inputs' marginals.
double MissingCells::mean_of_curve(std::size_t k, std::size_t row) const {
  constexpr std::size_t most_points = 1 << 18;
  const auto support = dictionary_.support(k);
  const auto w = dictionary_.weights.weights(dictionary_.rows[k]);
  std::vector<double> t = {phase(k)};
  std::vector<double> masses = {1.0};
  for (std::size_t l = 0; l < support.size(); ++l) {
    const double x = X_(row, support[l]);
    if (!is_missing(x)) {
      for (double& value : t) value += w[l] * x;
      continue;
    }
    const Marginal& marginal = (*dictionary_.marginals)[support[l]];
    if (t.size() * marginal.values.size() > most_points) {
      throw DataError(
          "a row lacks three inputs of one basis function, which only basis fourier supports.\nFill some of them, or "
          "fit with basis fourier.");
    }
    std::vector<double> further;
    std::vector<double> further_masses;
    for (std::size_t p = 0; p < t.size(); ++p) {
      for (std::size_t v = 0; v < marginal.values.size(); ++v) {
        further.push_back(t[p] + w[l] * marginal.values[v]);
        further_masses.push_back(masses[p] * marginal.masses[v]);
      }
    }
    t = std::move(further);
    masses = std::move(further_masses);
  }
  about(dictionary_.functions[k]).apply(t);
  double mean = 0.0;
  for (std::size_t p = 0; p < t.size(); ++p) mean += masses[p] * t[p];
  return mean;
}

void MissingCells::average(std::size_t k, std::span<double> column) const {
  const auto support = dictionary_.support(k);
  const auto lacks = [&](std::size_t row) {
    return std::ranges::any_of(support, [&](std::uint32_t input) { return is_missing(X_(row, input)); });
  };
  if (about(dictionary_.functions[k]).form != Form::wave) {
    // A column of one input has one mean.
    std::optional<double> mean;
    for (const std::size_t row : rows_) {
      if (!lacks(row)) continue;
      if (!mean || support.size() > 1) mean = mean_of_curve(k, row);
      column[row] = *mean;
    }
    return;
  }
  std::vector<Complex> means;
  for (const std::size_t row : rows_) {
    if (!lacks(row)) continue;
    for (std::size_t l = means.size(); l < support.size(); ++l) {
      const double w = dictionary_.weights.weights(dictionary_.rows[k])[l];
      means.push_back(wave_means(w, (*dictionary_.marginals)[support[l]]).wave);
    }
    column[row] = mean_of_wave(k, row, means);
  }
}

}  // namespace shrimp
