// fit_memory METHOD ROWS INPUTS FEATURES NOISE: what a fit was said to need of memory and what it took, in bytes.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <string>

#include "random/philox.hpp"
#include "shrimp/fit.hpp"

namespace {

// Additive terms, a product and noise: the default method finds some terms in it, and seeks more.
shrimp::Dataset table_of(std::size_t rows, std::size_t inputs, double noise) {
  shrimp::Dataset data;
  data.target = "y";
  for (std::size_t j = 0; j < inputs; ++j) data.inputs.push_back(fmt::format("x{}", j + 1));
  data.X = shrimp::Matrix::uninitialized(rows, inputs);
  shrimp::PhiloxStream random(1, shrimp::Stream::rows, 0);
  const auto draw = [&] { return 3.5 * random.uniform() - 1.75; };  // Of variance about 1.
  for (std::size_t j = 0; j < inputs; ++j) {
    for (double& value : data.X.col(j)) value = draw();
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double first = data.X(i, 0);
    const double last = data.X(i, inputs - 1);
    const double middle = data.X(i, inputs / 2);
    data.y.push_back(std::sin(2.0 * first) + first * last + 0.5 * middle * middle + noise * draw());
  }
  return data;
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const shrimp::Dataset data = table_of(std::stoul(argv[2]), std::stoul(argv[3]), std::stod(argv[5]));
  shrimp::FitOptions options;
  options.method = argv[1];
  options.draw.features = std::stoul(argv[4]);
  options.machine.memory = 1000.0;
  const double estimate = shrimp::estimate_fit_memory(data.y.size(), data.inputs.size(), options);
  const double before = peak_bytes();
  const std::size_t columns = shrimp::fit(data, options).basis_functions_drawn;
  fmt::print("{:.0f} {:.0f} {:.0f} {}\n", estimate, before, peak_bytes(), columns);
}
