#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "features/normal_quantile.hpp"
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

void check(std::size_t d, const FeatureOptions& options) {
  if (options.orders.empty()) throw OptionError("order names no order.\nGive one, as in order 2.");
  for (std::size_t k = 0; k < options.orders.size(); ++k) {
    const int q = options.orders[k];
    if (k > 0 && q <= options.orders[k - 1])
      throw OptionError("the orders of a mix must ascend.\nGive each order once.");
    if (q < 1) throw OptionError(fmt::format("order {} is less than 1.\nA feature looks at one input or more.", q));
    if (static_cast<std::size_t>(q) > d) {
      throw OptionError(
          fmt::format("order {} is above the number of inputs, {}.\nGive an order from 1 to {}.", q, d, d));
    }
  }
  if (options.features < 1) throw OptionError("features 0 is less than 1.\nGive the number of features to draw.");
  if (options.sigma2 && !(*options.sigma2 > 0.0 && std::isfinite(*options.sigma2))) {
    throw OptionError(fmt::format("sigma2 {} is not a positive number.", *options.sigma2));
  }
  if (options.degrees_of_freedom < 1 || options.degrees_of_freedom > 100) {
    throw OptionError(fmt::format("dof {} is not between 1 and 100.", options.degrees_of_freedom));
  }
}

struct OrderShare {
  std::size_t order;
  std::size_t supports;     // How many supports take part.
  std::size_t per_support;  // n
  bool sampled;             // Whether the supports are a sample of all C(d,q).
};

std::vector<OrderShare> share_rows(std::size_t d, const FeatureOptions& options) {
  check(d, options);
  std::vector<OrderShare> shares;
  std::size_t left = options.features;
  for (std::size_t k = 0; k < options.orders.size(); ++k) {
    const auto q = static_cast<std::size_t>(options.orders[k]);
    const std::size_t part = left / (options.orders.size() - k);
    const std::uint64_t all = binomial(d, q);
    const bool sampled = all > part;
    const OrderShare share{q, sampled ? part : static_cast<std::size_t>(all), sampled ? 1 : part / all, sampled};
    left -= share.supports * share.per_support;
    shares.push_back(share);
  }
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
  if (options.basis == Basis::linear) return d;
  std::size_t count = 0;
  for (const OrderShare& share : share_rows(d, options)) count += share.supports * share.per_support;
  return count;
}

FeatureWeights draw_weights(std::size_t d, const FeatureOptions& options) {
  if (options.basis == Basis::linear) return unit_vectors(d);
  const bool phased = options.basis == Basis::cosine || options.basis == Basis::sine;
  FeatureWeights result;
  for (const OrderShare& share : share_rows(d, options)) {
    const WeightLaw law(options, share.order);
    const std::vector<Support> supports =
        share.sampled ? sample_supports(d, share.order, share.supports, options.seed) : all_supports(d, share.order);
    std::vector<double> w(share.order);
    for (const Support& support : supports) {
      const std::uint64_t name = support_id(support);
      for (std::uint32_t draw = 0; draw < share.per_support; ++draw) {
        PhiloxStream random(options.seed, Stream::weights, name, draw);
        law.draw(random, w);
        result.append(support, w);
        if (phased) {
          PhiloxStream phase(options.seed, Stream::phases, name, draw);
          result.phases.push_back(2.0 * std::numbers::pi * phase.uniform());
        }
      }
    }
  }
  return result;
}

}  // namespace shrimp
