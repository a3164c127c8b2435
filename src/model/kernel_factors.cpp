#include "model/kernel_factors.hpp"

#include <algorithm>
#include <numeric>

#include "features/kernel_section.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The marginals of some inputs as blocks of rows: what a section is there is evaluated many values at a time.
class MarginalBlocks {
 public:
  MarginalBlocks(std::span<const std::uint32_t> inputs, const std::vector<Marginal>& marginals)
      : masses_(most_values(inputs, marginals), inputs.size()), blocks_(place(inputs, marginals)) {}

  /// Of a section of the l-th input.
  [[nodiscard]] double mean(std::size_t l, const KernelSection& section) const {
    double sum = 0.0;
    double values[TiledRows::size];
    for (std::size_t b = 0; b < blocks_.count(); ++b) {
      evaluate_section(section, blocks_.block(b), values);
      const double* masses = masses_.col(l).data() + b * TiledRows::size;
      for (std::size_t v = 0; v < blocks_.rows(b); ++v) sum += masses[v] * values[v];
    }
    return sum;
  }

 private:
  static std::size_t most_values(std::span<const std::uint32_t> inputs, const std::vector<Marginal>& marginals) {
    std::size_t most = 0;
    for (const std::uint32_t j : inputs) most = std::max(most, marginals[j].values.size());
    return most;
  }

  // Inputs of fewer values are filled up with values of no mass.
  Matrix place(std::span<const std::uint32_t> inputs, const std::vector<Marginal>& marginals) {
    Matrix values(masses_.rows(), inputs.size());
    for (std::size_t l = 0; l < inputs.size(); ++l) {
      std::ranges::copy(marginals[inputs[l]].values, values.col(l).begin());
      std::ranges::copy(marginals[inputs[l]].masses, masses_.col(l).begin());
    }
    return values;
  }

  Matrix masses_;  // Value by input.
  TiledRows blocks_;
};

}  // namespace

KernelFactors::KernelFactors(const Dictionary& dictionary, std::span<const std::uint32_t> inputs,
                             std::span<const std::size_t> columns, const std::vector<Marginal>& marginals)
    : dictionary_(dictionary),
      inputs_(inputs),
      columns_(columns),
      centres_(inputs.size(), columns.size()),
      means_(inputs.size(), columns.size()) {
  const auto support = dictionary.support(columns.front());
  std::vector<std::size_t> places;  // Of the inputs in the support.
  for (const std::uint32_t j : inputs) {
    places.push_back(static_cast<std::size_t>(std::ranges::find(support, j) - support.begin()));
  }
  std::vector<double> gamma;  // Of these inputs, which have numbers of their own here.
  std::vector<std::uint32_t> numbers(inputs.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (const std::uint32_t j : inputs) gamma.push_back(dictionary.gamma[j]);
  const MarginalBlocks values(inputs, marginals);
  parallel_for(columns.size(), [&](std::size_t k) {
    const auto centre = dictionary.weights.weights(dictionary.rows[columns[k]]);
    for (std::size_t l = 0; l < inputs.size(); ++l) {
      centres_(l, k) = centre[places[l]];
      means_(l, k) = values.mean(
          l, {std::span(numbers).subspan(l, 1), centre.subspan(places[l], 1), gamma.data(), 1, dictionary.kernel_law});
    }
  });
}

void KernelFactors::centred(std::size_t l, std::size_t k, const double* block, double* values) const {
  const auto centre = centres_.col(k).subspan(l, 1);
  evaluate_section({inputs_.subspan(l, 1), centre, dictionary_.gamma.data(), 1, dictionary_.kernel_law}, block, values);
  for (std::size_t i = 0; i < TiledRows::size; ++i) values[i] -= means_(l, k);
}

}  // namespace shrimp
