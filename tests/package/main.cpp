// What a user of the installed library writes: fit a table, print the terms.
#include <cmath>
#include <cstdio>
#include <shrimp/shrimp.hpp>

namespace {

// y = sin x1 + x2 x3 on a scrambled lattice; x4 does nothing.
shrimp::Dataset make_data(std::size_t rows) {
  constexpr double primes[] = {2.0, 3.0, 5.0, 7.0};
  shrimp::Dataset data;
  data.inputs = {"x1", "x2", "x3", "x4"};
  data.target = "y";
  data.X = shrimp::Matrix(rows, 4);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      data.X(i, j) = 4.0 * std::fmod(std::sqrt(primes[j]) * static_cast<double>(i + 1), 1.0) - 2.0;
    }
    data.y.push_back(std::sin(data.X(i, 0)) + data.X(i, 1) * data.X(i, 2));
  }
  return data;
}

}  // namespace

int main() {
  shrimp::FitOptions options;
  options.draw.features = 300;
  const shrimp::FitResult result = shrimp::fit(make_data(150), options);
  std::printf("shrimp %s, %zu columns kept\n", shrimp::version, result.model.dictionary.columns());
  for (const shrimp::Term& term : result.model.terms) {
    std::printf("%-10s %.3f\n", result.model.term_name(term).c_str(), term.fraction);
  }
  const bool learned = result.validation_mse < 0.1;
  const bool found = result.model.term_name(result.model.terms.front()) == "(x2, x3)";
  return learned && found ? 0 : 1;
}
