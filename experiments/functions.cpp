#include "experiments/functions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>

#include "random/philox.hpp"

namespace shrimp::experiments {
namespace {

using Point = std::span<const double>;

double sinc(double x) {
  const double z = std::numbers::pi * x;
  return z == 0.0 ? 1.0 : std::sin(z) / z;
}

double sum_from(Point x, std::size_t first) {
  return std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(first), x.end(), 0.0);
}

double pairs(double a, double b, double c) {
  a = 2 * a - 1;
  b = 2 * b - 1;
  c = 2 * c - 1;
  return a * b + a * c + b * c;
}

double low_frequency(Point x) { return std::cos(x[0]) * x[2] + x[1] * x[1] * x[3] + sum_from(x, 2); }

const TestFunction functions[] = {
    {"f1", "x1 + … + x(d−1) + exp(−xd)", 1, 1.0,
     [](Point x) { return sum_from(x, 0) - x.back() + std::exp(-x.back()); }},
    {"f2", "cos x1 + sin x2", 1, 1.0, [](Point x) { return std::cos(x[0]) + std::sin(x[1]); }},
    {"f3", "(2x1 − 1)(2x2 − 1)", 2, 1.0, [](Point x) { return (2 * x[0] - 1) * (2 * x[1] - 1); }},
    {"f4 (run)", "f4 with sin xi for xi", 2, 1.0,
     [](Point x) { return pairs(std::sin(x[0]), std::sin(x[1]), std::sin(x[2])); }},
    {"f4", "(2x1−1)(2x2−1) + (2x1−1)(2x3−1) + (2x2−1)(2x3−1)", 2, 1.0, [](Point x) { return pairs(x[0], x[1], x[2]); }},
    {"f5 (run)", "x1 x3/(1 + x2⁶)", 3, 1.0, [](Point x) { return x[0] * x[2] / (1 + std::pow(x[1], 6)); }},
    {"f5", "sinc(x1) sinc(x3)³ + sinc(x2)", 3, 1.0,
     [](Point x) { return sinc(x[0]) * std::pow(sinc(x[2]), 3) + sinc(x[1]); }},
    {"f6", "sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1", 2, std::numbers::pi,
     [](Point x) {
       return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
     }},
    {"f7", "cos(x1) x3 + x2² x4 + x3 + … + xd", 2, 1.0, low_frequency},
    {"f_a1", "cos(x1) x3 + x2² x4 + x3 + … + xd", 2, 1.0, low_frequency},
    {"f_a2", "cos(x1 + x2) + 5 cos(2x3 + 10x4)", 2, 1.0,
     [](Point x) { return std::cos(x[0] + x[1]) + 5 * std::cos(2 * x[2] + 10 * x[3]); }},
    {"f_a3", "sin 9x1 + 10 cos 10x2", 1, 1.0, [](Point x) { return std::sin(9 * x[0]) + 10 * std::cos(10 * x[1]); }},
    {"f_h1", "sin(x1 + … + xd)", 10, 1.0, [](Point x) { return std::sin(sum_from(x, 0)); }},
    {"f_h2", "cos(x1 ⋯ xd)", 10, 1.0,
     [](Point x) { return std::cos(std::accumulate(x.begin(), x.end(), 1.0, std::multiplies<>())); }},
    {"f_h3", "(1 + ‖x‖)^(−1/2)", 10, 1.0,
     [](Point x) { return 1 / std::sqrt(1 + std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0))); }},
    {"f_s", "3 cos x3 + 4 sin x4 + 2 sin x2", 1, 1.0,
     [](Point x) { return 3 * std::cos(x[2]) + 4 * std::sin(x[3]) + 2 * std::sin(x[1]); }},
    {"f_k", "x4² + x2 x3 + x1 x2 + x4", 2, 1.0, [](Point x) { return x[3] * x[3] + x[1] * x[2] + x[0] * x[1] + x[3]; }},
};

constexpr std::size_t functions_of_tables = 9;

}  // namespace

std::span<const TestFunction> table_functions() { return std::span(functions).first(functions_of_tables); }

const TestFunction& function_named(std::string_view name) {
  for (const TestFunction& function : functions) {
    if (function.name == name) return function;
  }
  throw std::invalid_argument(fmt::format("there is no function {}.", std::string(name)));
}

Dataset sample(const TestFunction& function, std::size_t rows, std::size_t d, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Dataset data;
  for (std::size_t j = 0; j < d; ++j) data.inputs.push_back(fmt::format("x{}", j + 1));
  data.target = "y";
  data.X = Matrix(rows, d);
  std::vector<double> x(d);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      // Unlike std::uniform_real_distribution, this gives equal values with every standard library.
      x[j] = data.X(i, j) = function.half_width * (2.0 * open_unit(random()) - 1.0);
    }
    data.y.push_back(function.value(x));
  }
  return data;
}

Dataset rows_of(const Dataset& data, std::size_t first, std::size_t count) {
  Dataset part;
  part.inputs = data.inputs;
  part.target = data.target;
  part.X = Matrix(MatrixView{data.X.data() + first, count, data.X.cols(), data.X.rows()});
  part.y.assign(data.y.begin() + static_cast<std::ptrdiff_t>(first),
                data.y.begin() + static_cast<std::ptrdiff_t>(first + count));
  return part;
}

TrainAndTest split_sample(const Dataset& data) {
  const std::size_t fitted = data.y.size() * 7 / 10;
  return {rows_of(data, 0, fitted), rows_of(data, fitted, data.y.size() - fitted)};
}

}  // namespace shrimp::experiments
