#include "explain/pair_sums.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tile = 64;

// E_0, E_1, E_2 of some inputs' factors, and the sum of all larger ones. That is built up by itself: as a difference it
// would have the rounding of the whole, which large coefficients that cancel make far larger than it is.
template <typename Number>
struct Orders {
  Number none = 1.0;
  Number one = 0.0;
  Number two = 0.0;
  Number more = 0.0;

  void take(Number m, Number g) {
    more = (m + g) * more + g * two;
    two = m * two + g * one;
    one = m * one + g * none;
    none *= m;
  }

  [[nodiscard]] Number above_one() const { return two + more; }
  [[nodiscard]] Number above_none() const { return one + above_one(); }
  [[nodiscard]] Number all() const { return none + above_none(); }
};

// Coordinates and means along one input, a column for each product: that of the constant 1 where it does not look at
// it.
struct WideAxis {
  std::uint32_t input = 0;
  Matrix real;
  Matrix imaginary;
  std::vector<Complex> means;
};

std::vector<WideAxis> wide_axes(const Separated& model, std::span<const std::size_t> products, bool is_complex) {
  std::vector<WideAxis> axes;
  for (std::uint32_t j = 0; j < model.axes.size(); ++j) {
    const Axis& own = model.axes[j];
    WideAxis axis{j, Matrix(own.dimensions(), products.size()), {}, std::vector<Complex>(products.size(), 1.0)};
    if (is_complex) axis.imaginary = Matrix(own.dimensions(), products.size());
    bool used = false;
    for (std::size_t p = 0; p < products.size(); ++p) {
      const Product& product = model.products[products[p]];
      const auto place = std::ranges::find(product.inputs, j) - product.inputs.begin();
      if (static_cast<std::size_t>(place) == product.inputs.size()) continue;
      used = true;
      const std::size_t function = product.functions[static_cast<std::size_t>(place)];
      std::ranges::copy(own.real.col(function), axis.real.col(p).begin());
      if (is_complex && own.is_complex()) std::ranges::copy(own.imaginary.col(function), axis.imaginary.col(p).begin());
      axis.means[p] = own.means[function];
    }
    if (used && own.dimensions() > 0) axes.push_back(std::move(axis));
  }
  return axes;
}

MatrixView columns(const Matrix& matrix, std::size_t first, std::size_t count) {
  return {matrix.data() + first * matrix.rows(), matrix.rows(), count, matrix.rows()};
}

// One pair of tiles of products: g and m along every input, then the sums over its pairs.
template <typename Number>
class TileOfPairs {
 public:
  // sign: −1 takes the second product's conjugate. Number is double where all are real.
  TileOfPairs(const std::vector<WideAxis>& axes, std::span<const Complex> amplitudes, double sign,
              std::size_t rows_from, std::size_t columns_from)
      : axes_(axes),
        amplitudes_(amplitudes),
        sign_(sign),
        p_from_(rows_from),
        q_from_(columns_from),
        p_count_(std::min(tile, amplitudes.size() - rows_from)),
        q_count_(std::min(tile, amplitudes.size() - columns_from)),
        by_input_(axes.size(), 0.0) {
    for (const WideAxis& axis : axes) covariances_.push_back(covariances(axis));
  }

  void add() {
    std::vector<Orders<Number>> before(axes_.size() + 1);
    std::vector<Orders<Number>> after(axes_.size() + 1);
    for (std::size_t p = 0; p < p_count_; ++p) {
      for (std::size_t q = 0; q < q_count_; ++q) {
        if (q_from_ + q <= p_from_ + p) add_pair(p, q, before, after);
      }
    }
  }

  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] double of_input(std::size_t l) const { return by_input_[l]; }

 private:
  static constexpr bool is_real = std::is_same_v<Number, double>;

  [[nodiscard]] std::vector<Number> covariances(const WideAxis& axis) const {
    const auto product = [&](const Matrix& a, const Matrix& b) {
      return multiply_transposed(columns(a, p_from_, p_count_), columns(b, q_from_, q_count_));
    };
    const Matrix rr = product(axis.real, axis.real);
    std::vector<Number> values(p_count_ * q_count_);
    if constexpr (is_real) {
      std::copy_n(rr.data(), values.size(), values.begin());
    } else {
      const Matrix ii = product(axis.imaginary, axis.imaginary);
      const Matrix ri = product(axis.real, axis.imaginary);
      const Matrix ir = product(axis.imaginary, axis.real);
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = Complex(rr.data()[k] - sign_ * ii.data()[k], sign_ * ri.data()[k] + ir.data()[k]);
      }
    }
    return values;
  }

  [[nodiscard]] Number product_of(Complex a, Complex b) const {
    if constexpr (is_real) {
      return a.real() * b.real();
    } else {
      return a * (sign_ < 0.0 ? std::conj(b) : b);
    }
  }

  static double real_part(Number value) {
    if constexpr (is_real) {
      return value;
    } else {
      return value.real();
    }
  }

  void add_pair(std::size_t p, std::size_t q, std::vector<Orders<Number>>& before, std::vector<Orders<Number>>& after) {
    const std::size_t d = axes_.size();
    const auto g = [&](std::size_t l) { return covariances_[l][q * p_count_ + p]; };
    const auto m = [&](std::size_t l) { return product_of(axes_[l].means[p_from_ + p], axes_[l].means[q_from_ + q]); };
    before[0] = {};
    after[d] = {};
    for (std::size_t l = 0; l < d; ++l) (before[l + 1] = before[l]).take(m(l), g(l));
    for (std::size_t l = d; l-- > 0;) (after[l] = after[l + 1]).take(m(l), g(l));
    const Number amplitude = product_of(amplitudes_[p_from_ + p], amplitudes_[q_from_ + q]);
    const double times = q_from_ + q == p_from_ + p ? 1.0 : 2.0;
    variance_ += times * real_part(amplitude * before[d].more);
    for (std::size_t l = 0; l < d; ++l) {
      const Orders<Number>& a = before[l];
      const Orders<Number>& b = after[l + 1];
      const Number rest = a.above_one() * b.all() + a.one * b.above_none() + a.none * b.above_one();
      by_input_[l] += times * real_part(amplitude * g(l) * rest);
    }
  }

  const std::vector<WideAxis>& axes_;
  std::span<const Complex> amplitudes_;
  double sign_;
  std::size_t p_from_;
  std::size_t q_from_;
  std::size_t p_count_;
  std::size_t q_count_;
  std::vector<std::vector<Number>> covariances_;  // Along each input.
  double variance_ = 0.0;
  std::vector<double> by_input_;
};

template <typename Number>
void add_tiles(const std::vector<WideAxis>& axes, std::span<const Complex> amplitudes, double sign, double share,
               LargeComponents& sums) {
  std::vector<std::pair<std::size_t, std::size_t>> tiles;
  for (std::size_t p = 0; p < amplitudes.size(); p += tile) {
    for (std::size_t q = 0; q <= p; q += tile) tiles.emplace_back(p, q);
  }
  Matrix parts(axes.size() + 1, tiles.size());  // Summed in their order, on any number of threads.
  parallel_for(tiles.size(), [&](std::size_t k) {
    TileOfPairs<Number> pairs(axes, amplitudes, sign, tiles[k].first, tiles[k].second);
    pairs.add();
    parts(axes.size(), k) = pairs.variance();
    for (std::size_t l = 0; l < axes.size(); ++l) parts(l, k) = pairs.of_input(l);
  });
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    sums.variance += share * parts(axes.size(), k);
    for (std::size_t l = 0; l < axes.size(); ++l) sums.by_input[axes[l].input] += share * parts(l, k);
  }
}

}  // namespace

LargeComponents large_components(const Separated& model, std::span<const std::size_t> products,
                                 std::span<const Complex> amplitudes) {
  LargeComponents sums{0.0, std::vector<double>(model.axes.size(), 0.0)};
  if (products.empty()) return sums;
  std::vector<Complex> own;
  for (const std::size_t p : products) own.push_back(amplitudes[p]);
  const bool is_complex = std::ranges::any_of(products, [&](std::size_t p) { return model.products[p].is_wave; });
  const std::vector<WideAxis> axes = wide_axes(model, products, is_complex);
  if (is_complex) {
    add_tiles<Complex>(axes, own, -1.0, 0.5, sums);
    add_tiles<Complex>(axes, own, 1.0, 0.5, sums);
  } else {
    add_tiles<double>(axes, own, 1.0, 1.0, sums);
  }
  return sums;
}

}  // namespace shrimp
