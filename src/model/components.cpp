#include "model/components.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "data/marginals.hpp"
#include "data/present.hpp"
#include "features/bases.hpp"
#include "features/cos_sin.hpp"
#include "features/missing_cells.hpp"
#include "model/background.hpp"
#include "model/wide_components.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t largest_support_taken_apart = 4;
constexpr std::size_t most_points = 4096;  // Of a product of marginals, where one average serves all rows.

// One weight vector with the coefficients of its columns.
struct Feature {
  std::size_t row = 0;
  Complex wave = 0.0;  // Of all waves: their sum is Re(wave · exp(it)).
  double line = 0.0;
  std::vector<std::pair<Function, double>> curves;
};

Variables subset(std::span<const std::uint32_t> support, unsigned mask) {
  Variables variables;
  for (std::size_t l = 0; l < support.size(); ++l) {
    if ((mask >> l & 1U) != 0) variables.push_back(support[l]);
  }
  return variables;
}

// exp(i w x) for many x.
struct Wave {
  Wave(double w, std::span<const double> x) {
    for (const double value : x) real.push_back(w * value);
    imaginary = real;
    cos_in_place(real);
    sin_in_place(imaginary);
  }

  // Less its mean; 0 where x is missing, for there it is the mean.
  void centre(Complex mean, std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      real[i] = is_missing(x[i]) ? 0.0 : real[i] - mean.real();
      imaginary[i] = is_missing(x[i]) ? 0.0 : imaginary[i] - mean.imag();
    }
  }

  std::vector<double> real;
  std::vector<double> imaginary;
};

// Adds the components of one feature into parts[mask], the mask naming a subset of the support.
class Decomposition {
 public:
  Decomposition(const FeatureWeights& weights, MatrixView X, const std::vector<Marginal>& marginals,
                const Matrix& sample)
      : W_(weights), X_(X), marginals_(marginals), sample_(sample) {}

  void add(const Feature& feature, std::vector<std::vector<double>>& parts) const {
    if (feature.wave != 0.0) add_wave(feature.row, feature.wave, parts);
    for (const auto& [function, coefficient] : feature.curves) add_curve(feature.row, function, coefficient, parts);
    if (feature.line != 0.0) add_line(feature.row, feature.line, parts);
  }

 private:
  [[nodiscard]] double phase(std::size_t row) const { return W_.phases.empty() ? 0.0 : W_.phases[row]; }

  void add_wave(std::size_t row, Complex amplitude, std::vector<std::vector<double>>& parts) const {
    const auto w = W_.weights(row);
    const auto support = W_.support(row);
    const Complex at_origin = amplitude * std::polar(1.0, phase(row));
    std::vector<Complex> characteristic(w.size());
    std::vector<Wave> centred;  // exp(i w_l x_l) less its mean.
    for (std::size_t l = 0; l < w.size(); ++l) {
      const Marginal& marginal = marginals_[support[l]];
      const Wave at_values(w[l], marginal.values);
      for (std::size_t k = 0; k < marginal.values.size(); ++k) {
        characteristic[l] += marginal.masses[k] * Complex(at_values.real[k], at_values.imaginary[k]);
      }
      centred.emplace_back(w[l], X_.col(support[l]));
      centred.back().centre(characteristic[l], X_.col(support[l]));
    }
    for (unsigned mask = 0; mask < parts.size(); ++mask) {
      Complex outside = at_origin;
      for (std::size_t l = 0; l < w.size(); ++l) {
        if ((mask >> l & 1U) == 0) outside *= characteristic[l];
      }
      for (std::size_t i = 0; i < X_.rows; ++i) {
        double real = outside.real();
        double imaginary = outside.imag();
        for (std::size_t l = 0; l < w.size(); ++l) {
          if ((mask >> l & 1U) == 0) continue;
          const double before = real;
          real = before * centred[l].real[i] - imaginary * centred[l].imaginary[i];
          imaginary = before * centred[l].imaginary[i] + imaginary * centred[l].real[i];
        }
        parts[mask][i] += real;
      }
    }
  }

  void add_line(std::size_t row, double coefficient, std::vector<std::vector<double>>& parts) const {
    const auto w = W_.weights(row);
    const auto support = W_.support(row);
    for (double& value : parts[0]) value += coefficient * phase(row);
    for (std::size_t l = 0; l < w.size(); ++l) {
      const double mean = mean_of(marginals_[support[l]]);
      for (std::size_t i = 0; i < X_.rows; ++i) {
        parts[0][i] += coefficient * w[l] * mean;
        const double x = X_(i, support[l]);
        if (!is_missing(x)) parts[1U << l][i] += coefficient * w[l] * (x - mean);
      }
    }
  }

  struct Point {
    double t = 0.0;
    double mass = 1.0;
  };

  // The distribution of Σ w_l x_l over the inputs outside the mask: their product where it has few points, else a
  // sample of it.
  [[nodiscard]] std::vector<Point> left_out(std::size_t row, unsigned mask) const {
    const auto w = W_.weights(row);
    const auto support = W_.support(row);
    std::size_t size = 1;
    for (std::size_t l = 0; l < w.size(); ++l) {
      if ((mask >> l & 1U) == 0) size *= marginals_[support[l]].values.size();
    }
    const bool sampled = size > (mask == 0 ? most_points : background);
    std::vector<Point> points(1);
    if (sampled) points.assign(background, {0.0, 1.0 / background});
    for (std::size_t l = 0; l < w.size(); ++l) {
      if ((mask >> l & 1U) != 0) continue;
      const Marginal& marginal = marginals_[support[l]];
      if (sampled) {
        for (std::size_t b = 0; b < background; ++b) points[b].t += w[l] * sample_(b, support[l]);
        continue;
      }
      std::vector<Point> product;
      for (const Point& point : points) {
        for (std::size_t k = 0; k < marginal.values.size(); ++k) {
          product.push_back({point.t + w[l] * marginal.values[k], point.mass * marginal.masses[k]});
        }
      }
      points = std::move(product);
    }
    return points;
  }

  // E[φ | x_v] for all v, then the alternating sum over v ⊆ u.
  void add_curve(std::size_t row, Function function, double coefficient,
                 std::vector<std::vector<double>>& parts) const {
    const auto w = W_.weights(row);
    const auto support = W_.support(row);
    std::vector<double> values;
    const auto average = [&](const std::vector<Point>& points, double inside) {
      values.resize(points.size());
      for (std::size_t k = 0; k < points.size(); ++k) values[k] = inside + points[k].t;
      about(function).apply(values);
      double sum = 0.0;
      for (std::size_t k = 0; k < points.size(); ++k) sum += points[k].mass * values[k];
      return sum;
    };
    std::vector<std::vector<Point>> outside;
    for (unsigned mask = 0; mask < parts.size(); ++mask) outside.push_back(left_out(row, mask));
    std::vector<double> conditional(parts.size());
    conditional[0] = average(outside[0], phase(row));
    for (std::size_t i = 0; i < X_.rows; ++i) {
      unsigned missing = 0;
      for (std::size_t l = 0; l < w.size(); ++l) {
        if (is_missing(X_(i, support[l]))) missing |= 1U << l;
      }
      for (unsigned mask = 1; mask < parts.size(); ++mask) {
        if ((mask & missing) != 0) {
          conditional[mask] = conditional[mask & ~missing];
          continue;
        }
        double inside = phase(row);
        for (std::size_t l = 0; l < w.size(); ++l) {
          if ((mask >> l & 1U) != 0) inside += w[l] * X_(i, support[l]);
        }
        conditional[mask] = average(outside[mask], inside);
      }
      for (unsigned mask = 0; mask < parts.size(); ++mask) {
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
  const std::vector<Marginal>& marginals_;
  const Matrix& sample_;
};

std::map<Variables, std::vector<Feature>> features_by_support(const Dictionary& dictionary, std::span<const double> c) {
  std::vector<Feature> features(dictionary.weights.size());
  std::vector<bool> used(features.size(), false);
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    Feature& feature = features[dictionary.rows[k]];
    used[dictionary.rows[k]] = used[dictionary.rows[k]] || dictionary.functions[k] != Function::kernel;
    const FunctionRow& phi = about(dictionary.functions[k]);
    switch (phi.form) {
      case Form::wave:
        feature.wave += c[k] * phi.amplitude;
        break;
      case Form::line:
        feature.line += c[k];
        break;
      case Form::curve:
        feature.curves.emplace_back(phi.function, c[k]);
        break;
      case Form::kernel:  // Taken apart elsewhere.
        break;
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

// The columns on supports too large to take apart.
std::vector<std::size_t> whole_columns(const Dictionary& dictionary, const KernelGroups& kernels) {
  std::vector<std::size_t> whole;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const Variables support(dictionary.support(k).begin(), dictionary.support(k).end());
    const bool taken_apart = dictionary.functions[k] == Function::kernel
                                 ? kernels.all.contains(support) || kernels.wide.contains(support)
                                 : support.size() <= largest_support_taken_apart;
    if (!taken_apart) whole.push_back(k);
  }
  return whole;
}

// They keep what they add up to, less its mean.
void add_whole(const Dictionary& dictionary, std::span<const double> c, std::span<const std::size_t> whole,
               const Matrix& sample, MatrixView X, Components& components) {
  const Dictionary part = dictionary.subset(whole);
  const Matrix A = evaluate(part, X);
  const Matrix elsewhere = evaluate(part, sample);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    const auto support = part.support(k);
    auto& values = components[{support.begin(), support.end()}];
    values.resize(X.rows, 0.0);
    double mean = 0.0;
    for (const double value : elsewhere.col(k)) mean += value / background;
    for (std::size_t i = 0; i < X.rows; ++i) {
      values[i] += c[whole[k]] * (A(i, k) - mean);
      components[{}][i] += c[whole[k]] * mean;
    }
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
      for (unsigned mask = 0; mask < parts[k].size(); ++mask) {
        auto& values = components[subset(queue[first + k]->first, mask)];
        values.resize(rows, 0.0);
        for (std::size_t i = 0; i < rows; ++i) values[i] += parts[k][mask][i];
      }
    }
  }
}

}  // namespace

Anova anova_components(const Dictionary& dictionary, std::span<const double> coefficients,
                       const std::vector<Marginal>& marginals, MatrixView X) {
  Anova anova;
  Components& components = anova.components;
  components[{}].assign(X.rows, 0.0);
  const Matrix sample = background_points(marginals);
  const Decomposition decomposition(dictionary.weights, X, marginals, sample);
  add_taken_apart(features_by_support(dictionary, coefficients), decomposition, X.rows, components);
  const KernelGroups kernels = kernel_groups(dictionary);
  bool lacks = false;
  for (std::size_t j = 0; j < X.cols && dictionary.has_kernels(); ++j) lacks = lacks || any_missing(X.col(j));
  const Matrix filled = lacks ? at_means(X, marginals) : Matrix();
  const MatrixView seen = lacks ? MatrixView(filled) : X;
  add_kernel_components(dictionary, coefficients, kernels.all, marginals, seen, components);
  add_wide_components(dictionary, coefficients, kernels.wide, marginals, seen, components, anova.above_three);
  const std::vector<std::size_t> whole = whole_columns(dictionary, kernels);
  anova.whole = !whole.empty();
  if (anova.whole) add_whole(dictionary, coefficients, whole, sample, X, components);
  return anova;
}

}  // namespace shrimp
