// build_kernel X.bin gamma.bin ORDER: the seconds of building the kernel matrix of the rows of X, by itself and as the
// columns of a dictionary, and its first column, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "binary_matrix.hpp"
#include "median_seconds.hpp"
#include "shrimp/kernels.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  constexpr int runs = 7;
  const shrimp::Matrix X = read_binary_matrix(argv[1]);
  const shrimp::Matrix rates = read_binary_matrix(argv[2]);
  const std::vector<double> gamma(rates.col(0).begin(), rates.col(0).end());
  const int order = std::stoi(argv[3]);
  shrimp::Matrix K;
  const double alone = median_seconds(runs, [&] { K = shrimp::kernel_matrix(X, gamma, order); });
  const shrimp::Dictionary dictionary = shrimp::kernel_sections(X, gamma, order);
  const double sections = median_seconds(runs, [&] { (void)shrimp::evaluate(dictionary, X); });
  fmt::print("{{\"seconds\": {}, \"sections_seconds\": {}, \"first_column\": [{}]}}\n", alone, sections,
             fmt::join(K.col(0), ","));
}
