#include "grow/shape_tuning.hpp"

#include <algorithm>
#include <cmath>

#include "grow/climb.hpp"

namespace shrimp {
namespace {

// Logarithms of scales and amplitudes in advance: normal, wide enough to matter only where the rows say nothing.
constexpr double usual_term_scale = 0.5;
constexpr double usual_amplitude = 1.0;
constexpr double term_scale_spread = 1.5;
constexpr double term_amplitude_spread = 3.0;

constexpr double smallest_term_scale = 0.02;
constexpr double smallest_size = 1e-3;

// Of two models whose logarithms of evidence differ by less, neither is told to be the better.
constexpr double worthless_term_gain = 0.5;

/// A normal density's logarithm, up to a constant, and its slope.
struct Prior {
  double usual;
  double spread;

  [[nodiscard]] double log_density(double value) const { return -0.5 * std::pow(std::log(value / usual) / spread, 2); }
  [[nodiscard]] double slope(double value) const { return -std::log(value / usual) / (spread * spread); }
};
constexpr Prior scale_prior{usual_term_scale, term_scale_spread};
constexpr Prior amplitude_prior{usual_amplitude, term_amplitude_spread};

// Slow features are nearly polynomials, of size about amplitude times scales: slower ones with a larger amplitude fit
// nearly the same. Along these coordinates, the logarithms of the scales and of that size, the two part. With the size,
// the amplitude is bounded, too: by the largest size over the smallest scales, 1e5 of it for three inputs, whose
// rounding (1e-16 of the amplitude) still is a thousandth of √λ at the least λ.
double slowness(double scale) { return std::min(1.0, scale); }

// Below it, λ is rounding beside the squares of features of amplitude 1.
class Coordinates {
 public:
  Coordinates(const GrowingFit& fit, const ShapeTuning& tuning) : terms_(fit.terms()) {
    const double largest_amplitude =
        std::sqrt(std::max(1.0, fit.smoother().lambda() / least_lambda(fit.rows().size())));
    for (const TermShape& term : terms_) {
      double size = term.amplitude;
      for (std::size_t l = 0; l < term.scales.size(); ++l) {
        const double scale = term.scales[l];
        const bool fixed = tuning.scales_are_fixed || fit.rows().is_category(term.variables[l]);
        const double largest = fixed ? scale : tuning.spreads[term.variables[l]].largest_scale;
        add(scale, fixed ? scale : smallest_term_scale, largest);
        size *= slowness(scale);
      }
      add(size, smallest_size, largest_amplitude);
    }
  }

  [[nodiscard]] const std::vector<double>& start() const { return start_; }
  [[nodiscard]] const std::vector<double>& lowest() const { return lowest_; }
  [[nodiscard]] const std::vector<double>& highest() const { return highest_; }

  [[nodiscard]] std::vector<TermShape> terms_at(std::span<const double> place) const {
    std::vector<TermShape> terms = terms_;
    std::size_t k = 0;
    for (TermShape& term : terms) {
      double slow = 1.0;
      for (double& scale : term.scales) {
        scale = std::exp(place[k++]);
        slow *= slowness(scale);
      }
      term.amplitude = std::exp(place[k++]) / slow;
    }
    return terms;
  }

 private:
  void add(double value, double lowest, double highest) {
    start_.push_back(std::log(value));
    lowest_.push_back(std::log(std::min(value, lowest)));
    highest_.push_back(std::log(std::max(value, highest)));
  }

  const std::vector<TermShape> terms_;
  std::vector<double> start_;
  std::vector<double> lowest_;
  std::vector<double> highest_;
};

Height height_of(const GrowingFit& fit) {
  Height height{fit.smoother().log_marginal_likelihood(), {}};
  const std::vector<GrowingFit::Slopes> of_evidence = fit.evidence_slopes();
  for (std::size_t k = 0; k < of_evidence.size(); ++k) {
    const TermShape& term = fit.terms()[k];
    const GrowingFit::Slopes& slopes = of_evidence[k];
    const double by_amplitude = slopes.amplitude + amplitude_prior.slope(term.amplitude);
    for (std::size_t l = 0; l < term.scales.size(); ++l) {
      height.value += scale_prior.log_density(term.scales[l]);
      const double by_scale = slopes.scales[l] + scale_prior.slope(term.scales[l]);
      height.slope.push_back(term.scales[l] < 1.0 ? by_scale - by_amplitude : by_scale);
    }
    height.value += amplitude_prior.log_density(term.amplitude);
    height.slope.push_back(by_amplitude);
  }
  return height;
}

}  // namespace

void tune_shapes(GrowingFit& fit, const ShapeTuning& tuning) { tune_shapes(fit, fit, tuning); }

void tune_shapes(GrowingFit& fit, GrowingFit& part, const ShapeTuning& tuning) {
  if (fit.terms().empty()) return;
  constexpr double clearly = 1.0;
  const std::vector<TermShape> terms = fit.terms();
  const double lambda = fit.smoother().lambda();
  const RowErrors errors = fit.smoother().errors();
  const Coordinates coordinates(fit, tuning);
  const auto height = [&](std::span<const double> place) {
    part.set(coordinates.terms_at(place), lambda);
    return height_of(part);
  };
  ClimbOptions options;
  options.most_steps = tuning.most_steps;
  options.least_gain = worthless_term_gain;
  options.is_over = tuning.is_over;
  const std::vector<double> top =
      climb(coordinates.start(), coordinates.lowest(), coordinates.highest(), height, options);
  std::vector<TermShape> tuned = coordinates.terms_at(top);
  if (tuning.lambda_is_fixed) {
    fit.set(std::move(tuned), lambda);
  } else {
    // The evidence knows amplitudes only beside √λ: both are scaled so that λ is the variance of the noise.
    part.set(tuned, lambda);
    const double noise = std::max(part.smoother().noise_over_lambda() * lambda, least_lambda(fit.rows().size()));
    for (TermShape& term : tuned) term.amplitude *= std::sqrt(noise / lambda);
    fit.set(std::move(tuned), noise);
    fit.tune_lambda();
  }
  if (errors.clearly_below(fit.smoother().errors(), clearly)) fit.set(terms, lambda);
}

}  // namespace shrimp
