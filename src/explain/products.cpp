#include "explain/products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "data/standardize.hpp"
#include "features/bases.hpp"
#include "features/kernel_law.hpp"
#include "linalg/small.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t grid_points = 64;
constexpr std::size_t most_kinks = 512;

// A function of one input z: exp(iwz), φ(wz + b), or κ(z − w).
struct OneInputFunction {
  Function function;
  double w = 0.0;
  double phase = 0.0;
};

// The products, with the functions of each input that they are of.
class Splitter {
 public:
  explicit Splitter(const Model& model) : functions(model.inputs.size()), dictionary_(model.dictionary) {
    for (std::size_t k = 0; k < dictionary_.columns(); ++k) add(k);
    for (auto& [support, columns] : curve_groups_) curves.push_back({support, columns});
  }

  std::vector<std::vector<OneInputFunction>> functions;
  std::vector<Product> products;
  std::vector<CurveGroup> curves;

 private:
  [[nodiscard]] double phase_of(std::size_t row) const {
    return dictionary_.weights.phases.empty() ? 0.0 : dictionary_.weights.phases[row];
  }

  std::size_t add_function(std::uint32_t input, OneInputFunction function) {
    functions[input].push_back(function);
    return functions[input].size() - 1;
  }

  Product& add_product(std::span<const std::uint32_t> support, std::span<const double> weights, Function function,
                       double phase) {
    Product& product = products.emplace_back();
    product.degree = support.size();
    for (std::size_t l = 0; l < support.size(); ++l) {
      product.inputs.push_back(support[l]);
      product.functions.push_back(add_function(support[l], {function, weights[l], phase}));
    }
    return product;
  }

  void add(std::size_t k) {
    const std::size_t row = dictionary_.rows[k];
    const auto support = dictionary_.weights.support(row);
    const auto weights = dictionary_.weights.weights(row);
    const FunctionRow& phi = about(dictionary_.functions[k]);
    switch (phi.form) {
      case Form::wave:  // cos and sin of the same weights share their functions.
        if (const auto [own, is_new] = wave_of_row_.try_emplace(row, products.size()); is_new) {
          add_product(support, weights, Function::cos, 0.0).is_wave = true;
        }
        products[wave_of_row_[row]].columns.emplace_back(k, phi.amplitude * std::polar(1.0, phase_of(row)));
        break;
      case Form::line:
        for (std::size_t l = 0; l < support.size(); ++l) {
          add_product(support.subspan(l, 1), weights.subspan(l, 1), phi.function, 0.0).columns.emplace_back(k, 1.0);
        }
        break;
      case Form::curve:
        if (support.size() == 1) {
          add_product(support, weights, phi.function, phase_of(row)).columns.emplace_back(k, 1.0);
        } else {
          curve_groups_[{support.begin(), support.end()}].push_back(k);
        }
        break;
      case Form::kernel: {
        Product& product = add_product(support, weights, phi.function, 0.0);
        if (dictionary_.kernel_order > 0) product.degree = static_cast<std::size_t>(dictionary_.kernel_order);
        product.columns.emplace_back(k, 1.0);
        break;
      }
    }
  }

  const Dictionary& dictionary_;
  std::map<std::size_t, std::size_t> wave_of_row_;
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> curve_groups_;
};

// Ascending and different, evenly thinned to at most so many.
std::vector<double> thinned(std::vector<double> values, std::size_t most) {
  std::ranges::sort(values);
  const auto same = std::ranges::unique(values);
  values.erase(same.begin(), same.end());
  std::vector<double> kept;
  for (std::size_t k = 0; k < std::min(most, values.size()); ++k) {
    kept.push_back(values[k * values.size() / std::min(most, values.size())]);
  }
  return kept;
}

Integrands integrands_of(const std::vector<OneInputFunction>& functions, const Dictionary& dictionary, std::size_t j) {
  Integrands integrands;
  std::vector<double> centres;
  for (const OneInputFunction& own : functions) {
    const Form form = about(own.function).form;
    double frequency = form == Form::wave || form == Form::curve ? std::abs(own.w) : 0.0;
    if (form == Form::curve && own.w != 0.0) integrands.kinks.push_back(-own.phase / own.w);
    if (form == Form::kernel) {
      const bool smooth = dictionary.kernel_law == Law::normal;
      frequency = smooth ? 3.0 * std::sqrt(dictionary.gamma[j]) : dictionary.gamma[j];
      if (!smooth) centres.push_back(own.w);
    }
    integrands.frequency = std::max(integrands.frequency, frequency);
  }
  // Products of two of them are integrated.
  integrands.frequency *= 2.0;
  // Each section has one kink, which weighs little in a panel as small as there are at least so many: more would cost
  // as many coordinates.
  constexpr std::size_t most_centres = 24;
  integrands.kinks = thinned(std::move(integrands.kinks), most_kinks);
  std::ranges::copy(thinned(std::move(centres), most_centres), std::back_inserter(integrands.kinks));
  return integrands;
}

void evaluate_at(const OneInputFunction& own, const Dictionary& dictionary, std::size_t j, std::span<const double> z,
                 std::span<double> real, std::span<double> imaginary) {
  const FunctionRow& phi = about(own.function);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double t = own.w * z[i] + own.phase;
    if (phi.form == Form::wave) {
      real[i] = std::cos(t);
      imaginary[i] = std::sin(t);
    } else if (phi.form == Form::kernel) {
      real[i] = kernel_factor(dictionary.kernel_law, dictionary.gamma[j], z[i] - own.w);
    } else {
      real[i] = t;
    }
  }
  if (phi.form == Form::curve) phi.apply(real);
}

// Less its mean, which is returned, and times the roots of the masses.
double centre(std::span<double> values, std::span<const double> masses) {
  double mean = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += masses[i] * values[i];
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(masses[i]) * (values[i] - mean);
  return mean;
}

double largest_norm(const Matrix& values) {
  double largest = 0.0;
  for (std::size_t k = 0; k < values.cols(); ++k) {
    double squares = 0.0;
    for (const double value : values.col(k)) squares += value * value;
    largest = std::max(largest, squares);
  }
  return std::sqrt(largest);
}

// Coordinates in an orthonormal basis of the columns, real parts before imaginary ones.
Matrix coordinates(Matrix values) {
  const double cut = std::numeric_limits<double>::epsilon() * largest_norm(values);
  return pivoted_triangle(std::move(values), cut).R;
}

Axis make_axis(const std::vector<OneInputFunction>& functions, const Dictionary& dictionary, std::size_t j,
               const Marginal& own_points, const Scaling& scaling, bool keeps_points) {
  Axis axis;
  std::vector<double> z = own_points.values;
  enter(z, scaling, j);
  for (double& value : z) value = (value - scaling.input_mean[j]) / scaling.input_scale[j];
  if (keeps_points) axis.points = {z, own_points.masses};
  const bool is_complex = std::ranges::any_of(
      functions, [](const OneInputFunction& own) { return about(own.function).form == Form::wave; });
  const std::size_t n = functions.size();
  Matrix values(z.size(), is_complex ? 2 * n : n);
  axis.means.assign(n, 0.0);
  parallel_for(n, [&](std::size_t k) {
    const std::span<double> imaginary = is_complex ? values.col(n + k) : std::span<double>();
    evaluate_at(functions[k], dictionary, j, z, values.col(k), imaginary);
    const double mean = centre(values.col(k), own_points.masses);
    axis.means[k] = {mean, is_complex ? centre(imaginary, own_points.masses) : 0.0};
  });
  if (!keeps_points && n > 0) values = coordinates(std::move(values));
  axis.real = Matrix(MatrixView{values.data(), values.rows(), n, values.rows()});
  if (is_complex)
    axis.imaginary = Matrix(MatrixView{values.data() + n * values.rows(), values.rows(), n, values.rows()});
  return axis;
}

}  // namespace

Complex Product::amplitude(std::span<const double> coefficients) const {
  Complex sum = 0.0;
  for (const auto& [column, factor] : columns) sum += coefficients[column] * factor;
  return sum;
}

Separated separate(const Model& model, const std::vector<InputLaw>& laws) {
  Splitter split(model);
  std::vector<bool> in_curves(model.inputs.size(), false);
  for (const CurveGroup& group : split.curves) {
    for (const std::uint32_t j : group.inputs) in_curves[j] = true;
  }
  Separated result;
  for (std::size_t j = 0; j < model.inputs.size(); ++j) {
    const std::vector<OneInputFunction>& functions = split.functions[j];
    if (functions.empty() && !in_curves[j]) {
      result.axes.emplace_back();
      continue;
    }
    Integrands integrands = integrands_of(functions, model.dictionary, j);
    if (in_curves[j]) integrands.grid_points = grid_points;
    const Marginal points = law_points(laws[j], model, j, integrands);
    result.axes.push_back(make_axis(functions, model.dictionary, j, points, model.scaling, in_curves[j]));
  }
  result.products = std::move(split.products);
  result.curves = std::move(split.curves);
  return result;
}

Complex weight_outside(const Separated& model, const Product& product, std::span<const std::uint32_t> u) {
  const std::size_t degree = product.degree - u.size();
  std::vector<Complex> E(degree + 1, 0.0);
  E[0] = 1.0;
  for (std::size_t l = 0; l < product.inputs.size(); ++l) {
    if (std::ranges::find(u, product.inputs[l]) != u.end()) continue;
    const Complex mean = model.axes[product.inputs[l]].means[product.functions[l]];
    for (std::size_t k = degree; k > 0; --k) E[k] += mean * E[k - 1];
  }
  return E[degree];
}

}  // namespace shrimp
