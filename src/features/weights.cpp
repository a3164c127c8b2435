#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "features/bases.hpp"
#include "features/normal_quantile.hpp"
#include "features/order_shares.hpp"
#include "features/supports.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

void FeatureWeights::append(std::span<const std::uint32_t> support, std::span<const double> weights) {
  variables.insert(variables.end(), support.begin(), support.end());
  values.insert(values.end(), weights.begin(), weights.end());
  offsets.push_back(variables.size());
}

namespace {

void check(const FeatureOptions& options) {
  if (options.sigma2 && !(*options.sigma2 > 0.0 && std::isfinite(*options.sigma2))) {
    throw OptionError(fmt::format("sigma2 {} is not a positive number.", *options.sigma2));
  }
  if (options.degrees_of_freedom < 1 || options.degrees_of_freedom > 100) {
    throw OptionError(fmt::format("dof {} is not between 1 and 100.", options.degrees_of_freedom));
  }
}

std::vector<OrderShare> checked_shares(std::size_t d, const FeatureOptions& options) {
  std::vector<OrderShare> shares = share_rows(d, options.orders, options.features);
  check(options);
  return shares;
}

class WeightLaw {
 public:
  WeightLaw(const FeatureOptions& options, std::size_t q)
      : options_(options), scale_(std::sqrt(options.sigma2.value_or(1.0 / static_cast<double>(q)))) {}

  void draw(PhiloxStream& random, std::vector<double>& w) const {
    for (double& entry : w) entry = scale_ * entry_of_unit_scale(random);
    if (options_.law == Law::sphere) {
      const double norm = std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
      const double radius = scale_ * std::sqrt(static_cast<double>(w.size()));
      for (double& entry : w) entry *= radius / norm;
    }
  }

 private:
  double entry_of_unit_scale(PhiloxStream& random) const {
    switch (options_.law) {
      case Law::uniform:
        return std::sqrt(3.0) * (2.0 * random.uniform() - 1.0);
      case Law::cauchy:
        return student_t(random, 1);
      case Law::student_t:
        return student_t(random, options_.degrees_of_freedom);
      case Law::normal:
      case Law::sphere:
        break;
    }
    return normal_quantile(random.uniform());
  }

  static double student_t(PhiloxStream& random, int degrees_of_freedom) {
    const double numerator = normal_quantile(random.uniform());
    double chi_square = 0.0;
    for (int k = 0; k < degrees_of_freedom; ++k) {
      const double z = normal_quantile(random.uniform());
      chi_square += z * z;
    }
    return numerator / std::sqrt(chi_square / degrees_of_freedom);
  }

  const FeatureOptions& options_;
  double scale_;
};

FeatureWeights unit_vectors(std::size_t d) {
  FeatureWeights result;
  for (std::uint32_t j = 0; j < d; ++j) result.append(std::span(&j, 1), std::array{1.0});
  return result;
}

}  // namespace

std::size_t count_weights(std::size_t d, const FeatureOptions& options) {
  if (about(options.basis).draws == Draws::nothing) return d;
  std::size_t count = 0;
  for (const OrderShare& share : checked_shares(d, options)) count += share.supports * share.per_support;
  return count;
}

FeatureWeights draw_weights(std::size_t d, const FeatureOptions& options) {
  const Draws draws = about(options.basis).draws;
  if (draws == Draws::nothing) return unit_vectors(d);
  FeatureWeights result;
  for (const OrderShare& share : checked_shares(d, options)) {
    const WeightLaw law(options, share.order);
    const std::vector<Support> supports = supports_of(d, share, options.seed);
    std::vector<double> w(share.order);
    for (const Support& support : supports) {
      const std::uint64_t name = support_id(support);
      for (std::uint32_t draw = 0; draw < share.per_support; ++draw) {
        PhiloxStream random(options.seed, Stream::weights, name, draw);
        law.draw(random, w);
        result.append(support, w);
        if (draws == Draws::weights_and_phase) {
          PhiloxStream phase(options.seed, Stream::phases, name, draw);
          result.phases.push_back(2.0 * std::numbers::pi * phase.uniform());
        }
      }
    }
  }
  return result;
}

}  // namespace shrimp
