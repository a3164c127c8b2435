#include "features/supports.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "random/philox.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

std::uint64_t binomial(std::uint64_t d, std::uint64_t q) {
  if (q > d) return 0;
  q = std::min(q, d - q);
  std::uint64_t value = 1;
  for (std::uint64_t k = 1; k <= q; ++k) {
    // value·(d−q+k)/k is an integer; dividing common factors out first keeps the product small.
    const std::uint64_t common = std::gcd(value, k);
    const std::uint64_t factor = (d - q + k) / (k / common);
    if (value / common > std::numeric_limits<std::uint64_t>::max() / factor) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    value = value / common * factor;
  }
  return value;
}

std::vector<Support> all_supports(std::size_t d, std::size_t q) {
  std::vector<Support> supports;
  supports.reserve(binomial(d, q));
  Support current(q);
  std::iota(current.begin(), current.end(), 0U);
  while (true) {
    supports.push_back(current);
    std::size_t k = q;
    while (k > 0 && current[k - 1] == d - q + k - 1) --k;
    if (k == 0) return supports;
    ++current[k - 1];
    std::iota(current.begin() + static_cast<std::ptrdiff_t>(k), current.end(), current[k - 1] + 1);
  }
}

// Floyd's algorithm: q random numbers are enough.
Support sample_support(std::size_t d, std::size_t q, PhiloxStream& random) {
  Support support;
  for (std::size_t j = d - q; j < d; ++j) {
    const auto candidate = static_cast<std::uint32_t>(random.below(j + 1));
    const bool taken = std::ranges::find(support, candidate) != support.end();
    support.push_back(taken ? static_cast<std::uint32_t>(j) : candidate);
  }
  std::ranges::sort(support);
  return support;
}

std::vector<Support> sample_supports(std::size_t d, std::size_t q, std::size_t count, std::uint64_t seed) {
  std::set<Support> chosen;
  for (std::uint32_t attempt = 0; chosen.size() < count; ++attempt) {
    PhiloxStream random(seed, Stream::supports, q, attempt);
    chosen.insert(sample_support(d, q, random));
  }
  return {chosen.begin(), chosen.end()};
}

std::uint64_t support_id(std::span<const std::uint32_t> support) {
  constexpr PhiloxKey key = {static_cast<std::uint32_t>(Stream::support_id), 0};
  std::uint64_t id = support.size();
  for (const std::uint32_t variable : support) {
    const PhiloxCounter block =
        philox({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), variable, 0}, key);
    id = join(block[0], block[1]);
  }
  return id;
}

std::map<Support, std::vector<std::size_t>> columns_by_support(const Dictionary& dictionary) {
  std::map<Support, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    groups[{support.begin(), support.end()}].push_back(k);
  }
  return groups;
}

}  // namespace shrimp
