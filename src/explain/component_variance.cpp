#include "explain/component_variance.hpp"

#include <algorithm>
#include <cmath>

#include "features/bases.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

constexpr std::size_t largest_tensor = 1U << 20;
constexpr std::size_t batch = 128;  // Products at a time.

// The coordinates of products along the component's inputs.
class Coordinates {
 public:
  Coordinates(const Separated& model, const Component& component) : model_(model), component_(component) {}

  [[nodiscard]] const Axis& axis(std::size_t l) const { return model_.axes[component_.variables[l]]; }
  [[nodiscard]] std::size_t inputs() const { return component_.variables.size(); }

  [[nodiscard]] std::span<const double> real(std::size_t p, std::size_t l) const {
    return axis(l).real.col(function(p, l));
  }

  /// Empty where the function is real.
  [[nodiscard]] std::span<const double> imaginary(std::size_t p, std::size_t l) const {
    return axis(l).is_complex() ? axis(l).imaginary.col(function(p, l)) : std::span<const double>();
  }

 private:
  [[nodiscard]] std::size_t function(std::size_t p, std::size_t l) const {
    const Product& product = model_.products[component_.products[p]];
    const auto place = std::ranges::find(product.inputs, component_.variables[l]) - product.inputs.begin();
    return product.functions[static_cast<std::size_t>(place)];
  }

  const Separated& model_;
  const Component& component_;
};

std::vector<Complex> amplitudes_inside(const Component& component, std::span<const Complex> amplitudes) {
  std::vector<Complex> inside;
  for (std::size_t p = 0; p < component.products.size(); ++p) {
    inside.push_back(amplitudes[component.products[p]] * component.weights[p]);
  }
  return inside;
}

// α ⊗_{l < last} t_l of one product, real and imaginary parts; the first input fastest.
void multiply_up(const Coordinates& t, std::size_t p, Complex amplitude, std::vector<double>& real,
                 std::vector<double>& imaginary) {
  real.assign(1, amplitude.real());
  imaginary.assign(1, amplitude.imag());
  for (std::size_t l = 0; l + 1 < t.inputs(); ++l) {
    const auto a = t.real(p, l);
    const auto b = t.imaginary(p, l);
    std::vector<double> next_real(real.size() * a.size());
    std::vector<double> next_imaginary(next_real.size());
    for (std::size_t r = 0; r < a.size(); ++r) {
      const double d = b.empty() ? 0.0 : b[r];
      for (std::size_t i = 0; i < real.size(); ++i) {
        next_real[r * real.size() + i] = real[i] * a[r] - imaginary[i] * d;
        next_imaginary[r * real.size() + i] = real[i] * d + imaginary[i] * a[r];
      }
    }
    real = std::move(next_real);
    imaginary = std::move(next_imaginary);
  }
}

// Adds Σ_p Re(α_p ⊗ t_p) as a product of two matrices, a batch of products at a time.
void add_products(const Coordinates& t, std::span<const Complex> amplitudes, std::size_t lead,
                  std::vector<double>& sum) {
  const std::size_t last = t.inputs() - 1;
  const std::size_t rank = t.axis(last).dimensions();
  bool is_complex = false;
  for (std::size_t l = 0; l <= last; ++l) is_complex = is_complex || t.axis(l).is_complex();
  const std::size_t parts = is_complex ? 2 : 1;
  std::vector<double> real;
  std::vector<double> imaginary;
  for (std::size_t first = 0; first < amplitudes.size(); first += batch) {
    const std::size_t count = std::min(batch, amplitudes.size() - first);
    Matrix before(lead, parts * count);
    Matrix ends(parts * count, rank);
    for (std::size_t k = 0; k < count; ++k) {
      multiply_up(t, first + k, amplitudes[first + k], real, imaginary);
      std::ranges::copy(real, before.col(parts * k).begin());
      if (is_complex) std::ranges::copy(imaginary, before.col(parts * k + 1).begin());
      const auto a = t.real(first + k, last);
      const auto b = t.imaginary(first + k, last);
      for (std::size_t r = 0; r < rank; ++r) {
        ends(parts * k, r) = a[r];
        if (is_complex) ends(parts * k + 1, r) = b.empty() ? 0.0 : -b[r];
      }
    }
    const Matrix product = multiply(before, ends);
    add_scaled(sum, 1.0, std::span(product.data(), sum.size()));
  }
}

// Along one axis of a grid: the mean, or what is left without it, times the roots of the masses.
std::vector<double> along(std::vector<double> values, std::size_t before, const Marginal& points, bool inside) {
  const std::size_t size = points.values.size();
  const std::size_t after = values.size() / before / size;
  std::vector<double> means(before * after, 0.0);
  for (std::size_t a = 0; a < after; ++a) {
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t b = 0; b < before; ++b) {
        means[a * before + b] += points.masses[k] * values[(a * size + k) * before + b];
      }
    }
  }
  if (!inside) return means;
  for (std::size_t a = 0; a < after; ++a) {
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t b = 0; b < before; ++b) {
        double& value = values[(a * size + k) * before + b];
        value = std::sqrt(points.masses[k]) * (value - means[a * before + b]);
      }
    }
  }
  return values;
}

void add_curve(const Separated& model, const Component& component, const CurveGroup& group, std::vector<double> values,
               std::vector<double>& sum) {
  std::size_t before = 1;
  for (const std::uint32_t j : group.inputs) {
    const Marginal& points = model.axes[j].points;
    const bool inside = std::ranges::find(component.variables, j) != component.variables.end();
    values = along(std::move(values), before, points, inside);
    if (inside) before *= points.values.size();
  }
  add_scaled(sum, 1.0, values);
}

MatrixView columns(const Matrix& matrix, std::size_t first, std::size_t count) {
  return {matrix.data() + first * matrix.rows(), matrix.rows(), count, matrix.rows()};
}

// Along one input: the coordinates of all products side by side.
struct SideBySide {
  Matrix real;
  Matrix imaginary;  // 0×0 where all are real.
};

SideBySide side_by_side(const Coordinates& t, std::size_t l, std::size_t products) {
  const bool is_complex = t.axis(l).is_complex();
  SideBySide all{Matrix(t.axis(l).dimensions(), products), Matrix(is_complex ? t.axis(l).dimensions() : 0, products)};
  for (std::size_t p = 0; p < products; ++p) {
    std::ranges::copy(t.real(p, l), all.real.col(p).begin());
    if (is_complex) std::ranges::copy(t.imaginary(p, l), all.imaginary.col(p).begin());
  }
  return all;
}

// Where the tensor would be too large: Σ_{p,q} Cov(Re F_p, Re F_q) = ½ Re Σ (F_p·conj F_q + F_p·F_q).
double variance_by_pairs(const Coordinates& t, std::span<const Complex> amplitudes) {
  std::vector<SideBySide> all;
  for (std::size_t l = 0; l < t.inputs(); ++l) all.push_back(side_by_side(t, l, amplitudes.size()));
  double variance = 0.0;
  for (std::size_t first = 0; first < amplitudes.size(); first += batch) {
    const std::size_t count = std::min(batch, amplitudes.size() - first);
    std::vector<Complex> conjugate(amplitudes.size() * count);
    std::vector<Complex> plain(conjugate.size());
    for (std::size_t q = 0; q < count; ++q) {
      for (std::size_t p = 0; p < amplitudes.size(); ++p) {
        conjugate[q * amplitudes.size() + p] = amplitudes[p] * std::conj(amplitudes[first + q]);
        plain[q * amplitudes.size() + p] = amplitudes[p] * amplitudes[first + q];
      }
    }
    for (const SideBySide& own : all) {
      const Matrix rr = multiply_transposed(own.real, columns(own.real, first, count));
      if (own.imaginary.rows() == 0) {
        for (std::size_t k = 0; k < plain.size(); ++k) {
          conjugate[k] *= rr.data()[k];
          plain[k] *= rr.data()[k];
        }
        continue;
      }
      const Matrix ii = multiply_transposed(own.imaginary, columns(own.imaginary, first, count));
      const Matrix ri = multiply_transposed(own.real, columns(own.imaginary, first, count));
      const Matrix ir = multiply_transposed(own.imaginary, columns(own.real, first, count));
      for (std::size_t k = 0; k < plain.size(); ++k) {
        conjugate[k] *= Complex(rr.data()[k] + ii.data()[k], ir.data()[k] - ri.data()[k]);
        plain[k] *= Complex(rr.data()[k] - ii.data()[k], ir.data()[k] + ri.data()[k]);
      }
    }
    for (std::size_t k = 0; k < plain.size(); ++k) variance += 0.5 * (conjugate[k].real() + plain[k].real());
  }
  return variance;
}

}  // namespace

Component component_of(const Separated& model, std::vector<std::uint32_t> variables) {
  Component component;
  component.variables = std::move(variables);
  for (std::size_t p = 0; p < model.products.size(); ++p) {
    const Product& product = model.products[p];
    if (component.variables.size() > product.degree) continue;
    if (!std::ranges::includes(product.inputs, component.variables)) continue;
    component.products.push_back(p);
    component.weights.push_back(weight_outside(model, product, component.variables));
  }
  for (std::size_t g = 0; g < model.curves.size(); ++g) {
    if (std::ranges::includes(model.curves[g].inputs, component.variables)) component.curves.push_back(g);
  }
  return component;
}

std::vector<double> curve_values(const Separated& model, const Dictionary& dictionary, const CurveGroup& group,
                                 std::span<const double> coefficients) {
  std::size_t size = 1;
  for (const std::uint32_t j : group.inputs) size *= model.axes[j].points.values.size();
  std::vector<double> sum(size, 0.0);
  for (const std::size_t k : group.columns) {
    const std::size_t row = dictionary.rows[k];
    const auto weights = dictionary.weights.weights(row);
    std::vector<double> t(1, dictionary.weights.phases.empty() ? 0.0 : dictionary.weights.phases[row]);
    for (std::size_t l = 0; l < weights.size(); ++l) {
      std::vector<double> next;
      for (const double z : model.axes[group.inputs[l]].points.values) {
        for (const double before : t) next.push_back(before + weights[l] * z);
      }
      t = std::move(next);
    }
    about(dictionary.functions[k]).apply(t);
    add_scaled(sum, coefficients[k], t);
  }
  return sum;
}

double component_variance(const Separated& model, const Component& component, std::span<const Complex> amplitudes,
                          const std::vector<std::vector<double>>& curves) {
  const Coordinates t(model, component);
  const std::vector<Complex> inside = amplitudes_inside(component, amplitudes);
  std::size_t lead = 1;
  for (std::size_t l = 0; l + 1 < t.inputs(); ++l) lead *= t.axis(l).dimensions();
  const std::size_t size = lead * t.axis(t.inputs() - 1).dimensions();
  if (size == 0) return 0.0;
  if (size > largest_tensor && component.curves.empty()) return variance_by_pairs(t, inside);
  std::vector<double> sum(size, 0.0);
  add_products(t, inside, lead, sum);
  for (const std::size_t g : component.curves) add_curve(model, component, model.curves[g], curves[g], sum);
  return squared_norm(sum);
}

}  // namespace shrimp
