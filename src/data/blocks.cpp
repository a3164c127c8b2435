#include "data/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shrimp {

double autocorrelation_time(std::span<const double> y) {
  const std::size_t m = y.size();
  if (m < 2) return 1.0;
  std::vector<double> gaps(y.begin(), y.end());
  const double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(m);
  for (double& gap : gaps) gap -= mean;
  const double power = std::inner_product(gaps.begin(), gaps.end(), gaps.begin(), 0.0);
  if (!(power > 0.0)) return 1.0;
  const auto correlation = [&](std::size_t lag) {
    return std::inner_product(gaps.begin() + static_cast<std::ptrdiff_t>(lag), gaps.end(), gaps.begin(), 0.0) / power;
  };
  // Sums of pairs ρ_2k + ρ_2k+1, of which the first has ρ_0 = 1.
  double time = -1.0;
  for (std::size_t lag = 0; lag == 0 || lag + 1 <= m / 4; lag += 2) {
    const double pair = correlation(lag) + correlation(lag + 1);
    if (!(pair > 0.0)) break;
    time += 2.0 * pair;
  }
  return std::max(1.0, time);
}

namespace {

std::vector<double> means_of_runs(std::span<const double> y, std::size_t length) {
  std::vector<double> means;
  for (std::size_t first = 0; first < y.size(); first += length) {
    const auto run = y.subspan(first, std::min(length, y.size() - first));
    means.push_back(std::accumulate(run.begin(), run.end(), 0.0) / static_cast<double>(run.size()));
  }
  return means;
}

}  // namespace

std::vector<std::uint32_t> consecutive_blocks(std::span<const double> y, std::size_t least) {
  // Fewer blocks tell nothing from chance, and more cost more than they tell.
  constexpr std::size_t fewest = 10;
  constexpr std::size_t most = 100;
  // Of many rows, blocks are so long that a run of a few is as good as one row, and lags so many that it must be.
  constexpr std::size_t most_runs = 20000;
  const std::size_t m = y.size();
  const std::vector<double> runs = means_of_runs(y, m / most_runs + 1);
  const auto wanted = static_cast<std::size_t>(static_cast<double>(runs.size()) / autocorrelation_time(runs));
  const std::size_t count = std::min(m, std::max(least, std::clamp(wanted, fewest, most)));
  std::vector<std::uint32_t> blocks(m);
  for (std::size_t i = 0; i < m; ++i) blocks[i] = static_cast<std::uint32_t>(i * count / m);
  return blocks;
}

}  // namespace shrimp
