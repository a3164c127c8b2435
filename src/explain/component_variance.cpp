#include "explain/component_variance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "features/bases.hpp"
#include "linalg/column_view.hpp"
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

// Amplitudes as a column for each set: real parts, and imaginary ones where there are any.
struct AmplitudeSets {
  Matrix real;
  Matrix imaginary;

  AmplitudeSets(const std::vector<std::vector<Complex>>& sets, bool is_complex)
      : real(sets.front().size(), sets.size()), imaginary(is_complex ? sets.front().size() : 0, sets.size()) {
    for (std::size_t k = 0; k < sets.size(); ++k) {
      for (std::size_t p = 0; p < sets[k].size(); ++p) {
        real(p, k) = sets[k][p].real();
        if (is_complex) imaginary(p, k) = sets[k][p].imag();
      }
    }
  }

  static MatrixView rows(const Matrix& matrix, std::size_t first, std::size_t count) {
    return {matrix.data() + first, count, matrix.cols(), matrix.rows()};
  }
};

// Of all products with some of them: F_p·conj F_q and F_p·F_q, real and imaginary parts. Real products have both alike.
struct PairProducts {
  Matrix conjugate_real, conjugate_imaginary;
  Matrix plain_real, plain_imaginary;

  PairProducts(const std::vector<SideBySide>& axes, std::size_t products, std::size_t first, std::size_t count,
               bool is_complex)
      : conjugate_real(products, count) {
    std::fill_n(conjugate_real.data(), products * count, 1.0);
    if (is_complex) {
      plain_real = Matrix(MatrixView(conjugate_real));
      conjugate_imaginary = Matrix(products, count);
      plain_imaginary = Matrix(products, count);
    }
    for (const SideBySide& own : axes) {
      const Matrix rr = multiply_transposed(own.real, columns_of(own.real, first, count));
      if (own.imaginary.rows() > 0) {
        take_complex(own, rr, first, count);
      } else {
        for (Matrix* part : {&conjugate_real, &conjugate_imaginary, &plain_real, &plain_imaginary}) {
          for (std::size_t k = 0; k < part->rows() * part->cols(); ++k) part->data()[k] *= rr.data()[k];
        }
      }
    }
  }

 private:
  static void times(Matrix& real, Matrix& imaginary, std::size_t k, Complex factor) {
    const Complex product = Complex(real.data()[k], imaginary.data()[k]) * factor;
    real.data()[k] = product.real();
    imaginary.data()[k] = product.imag();
  }

  void take_complex(const SideBySide& own, const Matrix& rr, std::size_t first, std::size_t count) {
    const Matrix ii = multiply_transposed(own.imaginary, columns_of(own.imaginary, first, count));
    const Matrix ri = multiply_transposed(own.real, columns_of(own.imaginary, first, count));
    const Matrix ir = multiply_transposed(own.imaginary, columns_of(own.real, first, count));
    for (std::size_t k = 0; k < rr.rows() * rr.cols(); ++k) {
      times(conjugate_real, conjugate_imaginary, k, {rr.data()[k] + ii.data()[k], ir.data()[k] - ri.data()[k]});
      times(plain_real, plain_imaginary, k, {rr.data()[k] - ii.data()[k], ir.data()[k] + ri.data()[k]});
    }
  }
};

// x ← x + α y
void add_matrix(Matrix& x, double alpha, const Matrix& y) {
  add_scaled({x.data(), x.rows() * x.cols()}, alpha, {y.data(), y.rows() * y.cols()});
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Σ_{p,q} Cov(Re F_p, Re F_q) = ½ Re Σ_{p,q} (F_p·conj F_q + F_p·F_q), of each set of amplitudes.
std::vector<double> variances_by_pairs(const Coordinates& t, const std::vector<std::vector<Complex>>& sets) {
  const std::size_t products = sets.front().size();
  std::vector<SideBySide> axes;
  bool is_complex = false;
  for (std::size_t l = 0; l < t.inputs(); ++l) {
    axes.push_back(side_by_side(t, l, products));
    is_complex = is_complex || t.axis(l).is_complex();
  }
  const AmplitudeSets amplitudes(sets, is_complex);
  std::vector<double> variances(sets.size(), 0.0);
  for (std::size_t first = 0; first < products; first += batch) {
    const std::size_t count = std::min(batch, products - first);
    PairProducts pairs(axes, products, first, count, is_complex);
    const MatrixView x = AmplitudeSets::rows(amplitudes.real, first, count);
    if (!is_complex) {
      const Matrix sums = multiply(pairs.conjugate_real, x);
      for (std::size_t k = 0; k < sets.size(); ++k) variances[k] += dot(amplitudes.real.col(k), sums.col(k));
      continue;
    }
    // With amplitudes x + iy of the second, C conj(x + iy) + P (x + iy).
    const MatrixView y = AmplitudeSets::rows(amplitudes.imaginary, first, count);
    Matrix sum(MatrixView(pairs.conjugate_real));
    add_matrix(sum, 1.0, pairs.plain_real);
    Matrix real = multiply(sum, x);
    sum = Matrix(MatrixView(pairs.conjugate_imaginary));
    add_matrix(sum, 1.0, pairs.plain_imaginary);
    Matrix imaginary = multiply(sum, x);
    add_matrix(pairs.conjugate_imaginary, -1.0, pairs.plain_imaginary);
    add_matrix(real, 1.0, multiply(pairs.conjugate_imaginary, y));
    add_matrix(pairs.plain_real, -1.0, pairs.conjugate_real);
    add_matrix(imaginary, 1.0, multiply(pairs.plain_real, y));
    for (std::size_t k = 0; k < sets.size(); ++k) {
      variances[k] +=
          0.5 * (dot(amplitudes.real.col(k), real.col(k)) - dot(amplitudes.imaginary.col(k), imaginary.col(k)));
    }
  }
  return variances;
}

std::size_t tensor_size(const Coordinates& t) {
  std::size_t size = 1;
  for (std::size_t l = 0; l < t.inputs(); ++l) size *= t.axis(l).dimensions();
  return size;
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
  const std::size_t size = tensor_size(t);
  if (size == 0) return 0.0;
  if (size > largest_tensor && component.curves.empty()) return variances_by_pairs(t, {inside}).front();
  std::vector<double> sum(size, 0.0);
  add_products(t, inside, size / t.axis(t.inputs() - 1).dimensions(), sum);
  for (const std::size_t g : component.curves) add_curve(model, component, model.curves[g], curves[g], sum);
  return squared_norm(sum);
}

bool has_cheaper_pairs(const Separated& model, const Component& component) {
  const std::size_t size = tensor_size(Coordinates(model, component));
  return component.curves.empty() && size > component.products.size();
}

std::vector<double> component_variances(const Separated& model, const Component& component,
                                        const std::vector<std::vector<Complex>>& amplitudes) {
  std::vector<std::vector<Complex>> inside;
  for (const std::vector<Complex>& set : amplitudes) inside.push_back(amplitudes_inside(component, set));
  return variances_by_pairs(Coordinates(model, component), inside);
}

}  // namespace shrimp
