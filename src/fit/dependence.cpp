#include "fit/dependence.hpp"

#include <algorithm>
#include <cmath>

#include "data/split.hpp"
#include "grow/null_scores.hpp"
#include "grow/screening_functions.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

constexpr std::size_t functions = 2;

// A correlation of .06 is found on so many rows; for very many inputs fewer are looked at, chosen by hand.
std::size_t most_rows_to_test(std::size_t inputs) {
  constexpr double operations = 2e9;
  const double columns = static_cast<double>(functions * inputs);
  return static_cast<std::size_t>(std::clamp(operations / (columns * columns), 500.0, 5000.0));
}

// The smaller p-value of the two tests, times their number. Correlations of m independent rows are about normal, of
// variance 1/m.
double p_value_of_pair(const Matrix& products, std::size_t first, std::size_t second, double rows) {
  double squares = 0.0;
  for (std::size_t a = 0; a < functions; ++a) {
    for (std::size_t b = 0; b < functions; ++b) {
      squares += std::pow(products(functions * first + a, functions * second + b), 2) / rows;
    }
  }
  const double of_first = std::pow(products(functions * first, functions * second), 2) / rows;
  const double surprise =
      std::max(chi_square_surprise(of_first, 1), chi_square_surprise(squares, functions * functions));
  return 2.0 * std::exp(-surprise);
}

}  // namespace

std::optional<double> independence_p_value(const Rows& rows, const std::vector<std::uint32_t>& inputs,
                                           std::uint64_t seed) {
  if (inputs.size() < 2) return std::nullopt;
  std::vector<std::size_t> which = permutation(rows.size(), seed);
  which.resize(std::min(which.size(), most_rows_to_test(inputs.size())));
  std::ranges::sort(which);
  Matrix U(which.size(), functions * inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<double> x;
    for (const std::size_t i : which) x.push_back(rows.X(i, inputs[k]));
    const std::size_t levels = rows.is_category(inputs[k]) ? rows.kinds->levels[inputs[k]] : 0;
    make_screening_functions(x, levels, {seed, inputs[k]}, U, functions * k, functions);
  }
  const Matrix products = multiply_transposed(U, U);
  double least = 1.0;
  for (std::size_t second = 1; second < inputs.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      least = std::min(least, p_value_of_pair(products, first, second, static_cast<double>(which.size())));
    }
  }
  const double pairs = 0.5 * static_cast<double>(inputs.size() * (inputs.size() - 1));
  return std::min(1.0, pairs * least);
}

}  // namespace shrimp
