#include "fit/autocorrelation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/standardize.hpp"

namespace shrimp {
namespace {

struct Residuals {
  double autocorrelation = 0.0;  // Of neighbours.
  double share = 0.0;            // Of the target's variance.
};

Residuals look_at_residuals(const Model& model, MatrixView X, std::span<const double> y, int threads) {
  std::vector<double> gaps = model.predict(X, threads);
  std::ranges::transform(y, gaps, gaps.begin(), std::minus());
  const double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
  for (double& gap : gaps) gap -= mean;
  const double power = std::inner_product(gaps.begin(), gaps.end(), gaps.begin(), 0.0);
  if (!(power > 0.0)) return {};
  return {std::inner_product(gaps.begin() + 1, gaps.end(), gaps.begin(), 0.0) / power,
          power / static_cast<double>(gaps.size()) / weighted_variance(y, {})};
}

}  // namespace

std::string autocorrelation_warning(const Model& model, const Dataset& train, int threads) {
  // So many rows show what there is to see, and take little time beside the fit.
  constexpr std::size_t most_rows = 10000;
  // Of independent residuals, ρ√m is about normal: five is no chance. Less than a fifth hardly matters, however sure.
  constexpr double surely = 5.0;
  constexpr double matters = 0.2;
  // Where less is left, the model misses a smooth function a little, and rows on a grid show that.
  constexpr double least_share = 1e-4;
  const std::size_t m = std::min(train.y.size(), most_rows);
  if (m < 3) return "";
  const Residuals seen = look_at_residuals(model, {train.X.data(), m, train.X.cols(), train.X.rows()},
                                           std::span(train.y).first(m), threads);
  const double rho = seen.autocorrelation;
  if (!(rho > matters && rho * std::sqrt(static_cast<double>(m)) > surely && seen.share > least_share)) return "";
  return fmt::format(
      "neighbouring rows have similar residuals (autocorrelation {:.2f}), so the estimated error may be too low. For "
      "time series, use option blocks; for grouped rows, option groups.",
      rho);
}

}  // namespace shrimp
