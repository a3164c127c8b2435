#include "model/terms.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "data/split.hpp"
#include "linalg/threads.hpp"
#include "model/kernel_components.hpp"

namespace shrimp {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t largest_support_taken_apart = 4;

// One weight vector with the coefficients of its columns.
struct Feature {
  std::size_t row = 0;
  double cos = 0.0;
  double sin = 0.0;
  std::vector<std::pair<Function, double>> others;
};

Variables subset(std::span<const std::uint32_t> support, unsigned mask) {
  Variables variables;
  for (std::size_t l = 0; l < support.size(); ++l) {
    if ((mask >> l & 1U) != 0) variables.push_back(support[l]);
  }
  return variables;
}

// Rows spread evenly over the data: enough for shares, few enough for large dictionaries.
Matrix thin_rows(MatrixView X, std::size_t columns, std::size_t kernel_cost_of_a_row) {
  constexpr std::size_t most_evaluations = 4'000'000;
  constexpr std::size_t fewest = 256;
  constexpr std::size_t most_kernel_cost = 1'000'000'000;
  constexpr std::size_t fewest_of_kernels = 64;
  const auto limited = [](std::size_t least, std::size_t budget, std::size_t cost) {
    return std::max(least, budget / std::max<std::size_t>(1, cost));
  };
  const std::size_t rows = std::min({X.rows, limited(fewest, most_evaluations, columns),
                                     limited(fewest_of_kernels, most_kernel_cost, kernel_cost_of_a_row)});
  Matrix thinned = Matrix::uninitialized(rows, X.cols);
  for (std::size_t j = 0; j < X.cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) thinned(i, j) = X(i * X.rows / rows, j);
  }
  return thinned;
}

// Adds the components of one feature into parts[mask], the mask naming a subset of the support.
class Decomposition {
 public:
  Decomposition(const FeatureWeights& weights, MatrixView X)
      : W_(weights), X_(X), background_(permutation(X.rows, 0)) {}

  void add(const Feature& feature, std::vector<std::vector<double>>& parts) const {
    add_fourier(feature, parts);
    for (const auto& [function, coefficient] : feature.others) {
      if (function == Function::identity) {
        add_linear(feature.row, coefficient, parts);
      } else {
        add_averaged(feature.row, function, coefficient, parts);
      }
    }
  }

 private:
  void add_fourier(const Feature& feature, std::vector<std::vector<double>>& parts) const {
    if (feature.cos == 0.0 && feature.sin == 0.0) return;
    const auto w = W_.weights(feature.row);
    const auto support = W_.support(feature.row);
    const double phase = W_.phases.empty() ? 0.0 : W_.phases[feature.row];
    // c cos z + s sin z = Re((c − is) exp(iz))
    const Complex gamma = Complex(feature.cos, -feature.sin) * std::polar(1.0, phase);
    std::vector<Complex> characteristic(w.size());
    std::vector<std::vector<Complex>> wave(w.size(), std::vector<Complex>(X_.rows));
    for (std::size_t l = 0; l < w.size(); ++l) {
      for (std::size_t i = 0; i < X_.rows; ++i) {
        wave[l][i] = std::polar(1.0, w[l] * X_(i, support[l]));
        characteristic[l] += wave[l][i] / static_cast<double>(X_.rows);
      }
    }
    for (unsigned mask = 1; mask < parts.size(); ++mask) {
      for (std::size_t i = 0; i < X_.rows; ++i) {
        Complex product = gamma;
        for (std::size_t l = 0; l < w.size(); ++l) {
          product *= (mask >> l & 1U) != 0 ? wave[l][i] - characteristic[l] : characteristic[l];
        }
        parts[mask][i] += product.real();
      }
    }
  }

  void add_linear(std::size_t row, double coefficient, std::vector<std::vector<double>>& parts) const {
    const auto w = W_.weights(row);
    for (std::size_t l = 0; l < w.size(); ++l) {
      for (std::size_t i = 0; i < X_.rows; ++i) parts[1U << l][i] += coefficient * w[l] * X_(i, W_.support(row)[l]);
    }
  }

  // E[φ | x_v] over a few training rows for the inputs outside v, then the alternating sum over v ⊆ u.
  void add_averaged(std::size_t row, Function function, double coefficient,
                    std::vector<std::vector<double>>& parts) const {
    constexpr std::size_t background = 128;
    const auto w = W_.weights(row);
    const auto support = W_.support(row);
    const std::size_t full = parts.size() - 1;
    const std::size_t averaged = std::min(background, X_.rows);
    std::vector<double> conditional(parts.size());
    for (std::size_t i = 0; i < X_.rows; ++i) {
      for (unsigned mask = 0; mask <= full; ++mask) {
        const std::size_t count = mask == full ? 1 : averaged;
        conditional[mask] = 0.0;
        for (std::size_t b = 0; b < count; ++b) {
          double t = 0.0;
          for (std::size_t l = 0; l < w.size(); ++l) {
            t += w[l] * X_((mask >> l & 1U) != 0 ? i : background_[b], support[l]);
          }
          conditional[mask] +=
              (function == Function::relu ? std::max(0.0, t) : std::tanh(t)) / static_cast<double>(count);
        }
      }
      for (unsigned mask = 1; mask <= full; ++mask) {
        double sum = 0.0;
        for (unsigned below = mask;; below = (below - 1) & mask) {
          sum += (__builtin_popcount(mask ^ below) % 2 == 0 ? 1.0 : -1.0) * conditional[below];
          if (below == 0) break;
        }
        parts[mask][i] += coefficient * sum;
      }
    }
  }

  const FeatureWeights& W_;
  MatrixView X_;
  std::vector<std::size_t> background_;  // Rows in random order: regular steps would follow the pattern of a design.
};

std::map<Variables, std::vector<Feature>> features_by_support(const Dictionary& dictionary, std::span<const double> c) {
  std::vector<Feature> features(dictionary.weights.size());
  std::vector<bool> used(features.size(), false);
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    Feature& feature = features[dictionary.rows[k]];
    used[dictionary.rows[k]] = used[dictionary.rows[k]] || dictionary.functions[k] != Function::kernel;
    switch (dictionary.functions[k]) {
      case Function::cos:
        feature.cos = c[k];
        break;
      case Function::sin:
        feature.sin = c[k];
        break;
      case Function::kernel:  // Taken apart elsewhere.
        break;
      default:
        feature.others.emplace_back(dictionary.functions[k], c[k]);
    }
  }
  std::map<Variables, std::vector<Feature>> groups;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!used[j]) continue;
    features[j].row = j;
    const auto support = dictionary.weights.support(j);
    groups[{support.begin(), support.end()}].push_back(features[j]);
  }
  return groups;
}

// Supports too large to take apart keep what their columns add up to.
void add_whole(const Dictionary& dictionary, std::span<const double> c, const KernelGroups& kernels, MatrixView X,
               Components& components) {
  std::vector<std::size_t> large;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    const bool taken_apart = dictionary.functions[k] == Function::kernel
                                 ? kernels.columns.contains({support.begin(), support.end()})
                                 : support.size() <= largest_support_taken_apart;
    if (!taken_apart) large.push_back(k);
  }
  if (large.empty()) return;
  const Dictionary part = dictionary.subset(large);
  const Matrix A = evaluate(part, X);
  for (std::size_t k = 0; k < large.size(); ++k) {
    const auto support = part.support(k);
    auto& values = components[{support.begin(), support.end()}];
    values.resize(X.rows, 0.0);
    for (std::size_t i = 0; i < X.rows; ++i) values[i] += c[large[k]] * A(i, k);
  }
}

// Components of all supports that are small enough, a batch of supports at a time: batches bound the memory, and the
// sums are taken in the order of the supports.
void add_taken_apart(const std::map<Variables, std::vector<Feature>>& groups, const Decomposition& decomposition,
                     std::size_t rows, Components& components) {
  constexpr std::size_t batch = 64;
  std::vector<const std::pair<const Variables, std::vector<Feature>>*> queue;
  for (const auto& group : groups) {
    if (group.first.size() <= largest_support_taken_apart) queue.push_back(&group);
  }
  for (std::size_t first = 0; first < queue.size(); first += batch) {
    const std::size_t count = std::min(batch, queue.size() - first);
    std::vector<std::vector<std::vector<double>>> parts(count);
    parallel_for(count, [&](std::size_t k) {
      const auto& [support, features] = *queue[first + k];
      parts[k].assign(std::size_t{1} << support.size(), std::vector<double>(rows, 0.0));
      for (const Feature& feature : features) decomposition.add(feature, parts[k]);
    });
    for (std::size_t k = 0; k < count; ++k) {
      for (unsigned mask = 1; mask < parts[k].size(); ++mask) {
        auto& values = components[subset(queue[first + k]->first, mask)];
        values.resize(rows, 0.0);
        for (std::size_t i = 0; i < rows; ++i) values[i] += parts[k][mask][i];
      }
    }
  }
}

double variance(std::span<const double> values) {
  double mean = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<Term> make_terms(const Dictionary& dictionary, MatrixView X, std::span<const double> coefficients) {
  const KernelGroups kernels = kernel_groups(dictionary);
  const Matrix rows = thin_rows(X, dictionary.columns(), kernels.cost_of_a_row);
  const Decomposition decomposition(dictionary.weights, rows);
  Components components;
  add_taken_apart(features_by_support(dictionary, coefficients), decomposition, rows.rows(), components);
  add_kernel_components(dictionary, coefficients, kernels, rows, components);
  add_whole(dictionary, coefficients, kernels, rows, components);

  std::map<Variables, std::size_t> columns;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    ++columns[{support.begin(), support.end()}];
  }
  double total = 0.0;
  std::vector<Term> terms;
  for (const auto& [variables, values] : components) {
    const auto own = columns.find(variables);
    terms.push_back({variables, own == columns.end() ? 0 : own->second, variance(values), {}});
    total += terms.back().share;
  }
  for (Term& term : terms) term.share = total > 0.0 ? term.share / total : 0.0;
  constexpr double negligible = 1e-12;
  std::erase_if(terms, [](const Term& term) { return term.columns == 0 && term.share < negligible; });
  std::ranges::stable_sort(terms, std::greater<>(), &Term::share);
  return terms;
}

}  // namespace shrimp
