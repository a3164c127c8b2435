#include "shrimp/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "data/standardize.hpp"
#include "features/kernel_law.hpp"
#include "features/kernel_section.hpp"
#include "features/order_shares.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

void check_gamma(std::span<const double> gamma, std::size_t d) {
  if (gamma.size() != d) {
    throw OptionError(fmt::format("gamma has {} numbers, but there are {} inputs.", gamma.size(), d));
  }
  for (const double value : gamma) {
    if (!(value > 0.0 && std::isfinite(value))) {
      throw OptionError(fmt::format("gamma {} is not a positive number.", value));
    }
  }
}

void check_order(int order, std::size_t d) {
  if (order < 1 || static_cast<std::size_t>(order) > d) {
    throw OptionError(fmt::format(
        "order {} is not between 1 and the number of inputs, {}.\nGive an order from 1 to {}.", order, d, d));
  }
  const auto n = static_cast<double>(d);
  const double log_binomial = std::lgamma(n + 1.0) - std::lgamma(order + 1.0) - std::lgamma(n - order + 1.0);
  if (log_binomial > std::log(std::numeric_limits<double>::max()) - 1.0) {
    throw OptionError(fmt::format("order {} of {} inputs has too many products to count.", order, d));
  }
}

void check_support(std::span<const std::uint32_t> support, std::size_t d) {
  if (support.empty()) throw OptionError("a kernel needs at least one input.");
  if (std::ranges::adjacent_find(support, std::greater_equal<>()) != support.end()) {
    throw OptionError("the inputs of a kernel are not in ascending order.");
  }
  if (support.back() >= d) {
    throw OptionError(fmt::format("a kernel depends on input {}, but there are {} inputs.", support.back(), d));
  }
}

Support all_inputs(std::size_t d) {
  Support support(d);
  std::iota(support.begin(), support.end(), 0U);
  return support;
}

// The centres' coordinates on the inputs of a support.
void append_section(Dictionary& dictionary, MatrixView centres, std::size_t row, const Support& support,
                    std::vector<double>& coordinates) {
  coordinates.clear();
  for (const std::uint32_t j : support) coordinates.push_back(centres(row, j));
  dictionary.rows.push_back(static_cast<std::uint32_t>(dictionary.weights.size()));
  dictionary.functions.push_back(Function::kernel);
  dictionary.weights.append(support, coordinates);
}

std::vector<OrderShare> share_sections(std::size_t d, std::size_t centres, std::span<const int> orders,
                                       std::size_t most) {
  std::vector<OrderShare> shares = share_rows(d, orders, most, centres);
  // An order with few supports leaves columns over for lower ones with many: all of them, where all fit.
  double all = 0.0;
  for (const int q : orders) all += static_cast<double>(binomial(d, static_cast<std::uint64_t>(q)));
  if (all * static_cast<double>(centres) > static_cast<double>(most)) return shares;
  for (OrderShare& share : shares) {
    share = {share.order, static_cast<std::size_t>(binomial(d, share.order)), centres, false};
  }
  return shares;
}

// K(x_i, x_j) of all rows. The section's centre is every row in turn.
Matrix symmetric_matrix(MatrixView X, const KernelSection& any) {
  const TiledRows blocks(X);
  Matrix K = Matrix::uninitialized(X.rows, X.rows);
  // A tile is the rows of one block by the centres of another, at or below the diagonal; its mirror image is written
  // while it is at hand.
  parallel_for(blocks.count() * blocks.count(), [&](std::size_t tile) {
    const std::size_t below = tile / blocks.count();
    const std::size_t across = tile % blocks.count();
    if (below < across) return;
    constexpr std::size_t size = TiledRows::size;
    std::vector<double> centre(any.support.size());
    KernelSection section = any;
    section.centre = centre;
    std::vector<double> values(size * size);
    for (std::size_t c = 0; c < blocks.rows(across); ++c) {
      for (std::size_t l = 0; l < centre.size(); ++l) centre[l] = X(across * size + c, any.support[l]);
      evaluate_section(section, blocks.block(below), &values[c * size]);
      std::copy_n(&values[c * size], blocks.rows(below), &K(below * size, across * size + c));
    }
    for (std::size_t r = 0; r < blocks.rows(below); ++r) {
      double* mirrored = &K(across * size, below * size + r);
      for (std::size_t c = 0; c < blocks.rows(across); ++c) mirrored[c] = values[c * size + r];
    }
  });
  return K;
}

}  // namespace

Dictionary kernel_sections(MatrixView centres, std::vector<double> gamma, int order) {
  check_gamma(gamma, centres.cols);
  check_order(order, centres.cols);
  Dictionary dictionary;
  dictionary.gamma = std::move(gamma);
  dictionary.kernel_order = order;
  const Support support = all_inputs(centres.cols);
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < centres.rows; ++i) append_section(dictionary, centres, i, support, coordinates);
  return dictionary;
}

Dictionary kernel_sections_on(MatrixView centres, std::vector<std::uint32_t> support, std::vector<double> gamma,
                              Law law) {
  check_gamma(gamma, centres.cols);
  check_support(support, centres.cols);
  check_kernel_law(law);
  Dictionary dictionary;
  dictionary.gamma = std::move(gamma);
  dictionary.kernel_law = law;
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < centres.rows; ++i) append_section(dictionary, centres, i, support, coordinates);
  return dictionary;
}

Dictionary kernel_sections_by_support(MatrixView centres, std::vector<double> gamma, std::span<const int> orders,
                                      std::size_t most, std::uint64_t seed) {
  check_gamma(gamma, centres.cols);
  if (centres.rows == 0) throw OptionError("a kernel needs at least one landmark.");
  Dictionary dictionary;
  dictionary.gamma = std::move(gamma);
  std::vector<double> coordinates;
  for (const OrderShare& share : share_sections(centres.cols, centres.rows, orders, most)) {
    for (const Support& support : supports_of(centres.cols, share, seed)) {
      PhiloxStream random(seed, Stream::centres, support_id(support));
      for (const std::uint32_t row : sample_support(centres.rows, share.per_support, random)) {
        append_section(dictionary, centres, row, support, coordinates);
      }
    }
  }
  return dictionary;
}

Matrix kernel_matrix(MatrixView X, std::span<const double> gamma, int order) {
  check_gamma(gamma, X.cols);
  check_order(order, X.cols);
  const Support support = all_inputs(X.cols);
  return symmetric_matrix(X, {support, {}, gamma.data(), static_cast<std::size_t>(order)});
}

Matrix kernel_matrix_on(MatrixView X, std::span<const std::uint32_t> support, std::span<const double> gamma, Law law) {
  check_gamma(gamma, X.cols);
  check_support(support, X.cols);
  check_kernel_law(law);
  return symmetric_matrix(X, {support, {}, gamma.data(), support.size(), law});
}

std::vector<double> salsa_gamma(MatrixView X) {
  std::vector<double> gamma;
  for (std::size_t j = 0; j < X.cols; ++j) {
    const double bandwidth = 20.0 * standard_deviation(X.col(j)) * std::pow(static_cast<double>(X.rows), -0.2);
    gamma.push_back(1.0 / (2.0 * bandwidth * bandwidth));
  }
  return gamma;
}

std::vector<double> fixed_gamma(std::size_t d, int q) { return std::vector<double>(d, 1.0 / (2.0 * q)); }

}  // namespace shrimp
