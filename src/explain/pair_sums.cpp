#include "explain/pair_sums.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "linalg/column_view.hpp"
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

// A column for each set, a row for each product.
template <typename Number>
class Amplitudes {
 public:
  Amplitudes(const std::vector<std::vector<Complex>>& sets, std::span<const std::size_t> products)
      : size_(products.size()) {
    for (const std::vector<Complex>& set : sets) {
      for (const std::size_t p : products) {
        if constexpr (std::is_same_v<Number, double>) {
          values_.push_back(set[p].real());
        } else {
          values_.push_back(set[p]);
        }
      }
    }
  }

  [[nodiscard]] std::size_t products() const { return size_; }
  [[nodiscard]] std::size_t sets() const { return values_.size() / size_; }
  [[nodiscard]] const Number* of(std::size_t set, std::size_t p) const { return values_.data() + set * size_ + p; }

 private:
  std::size_t size_;
  std::vector<Number> values_;
};

// One pair of tiles of products: g and m along every input, what two products of amplitude 1 add to each sum, and from
// that the sums for every set of amplitudes.
template <typename Number>
class TileOfPairs {
 public:
  // sign: −1 takes the second product's conjugate. Number is double where all are real.
  TileOfPairs(const std::vector<WideAxis>& axes, const Amplitudes<Number>& amplitudes, double sign,
              std::size_t rows_from, std::size_t columns_from)
      : axes_(axes),
        amplitudes_(amplitudes),
        sign_(sign),
        p_from_(rows_from),
        q_from_(columns_from),
        p_count_(std::min(tile, amplitudes.products() - rows_from)),
        q_count_(std::min(tile, amplitudes.products() - columns_from)),
        parts_(axes.size() + 1, std::vector<Number>(p_count_ * q_count_, 0.0)) {
    for (const WideAxis& axis : axes) covariances_.push_back(covariances(axis));
    std::vector<Orders<Number>> before(axes_.size() + 1);
    std::vector<Orders<Number>> after(axes_.size() + 1);
    for (std::size_t p = 0; p < p_count_; ++p) {
      for (std::size_t q = 0; q < q_count_; ++q) {
        if (q_from_ + q <= p_from_ + p) set_pair(p, q, before, after);
      }
    }
  }

  /// For every set: those of each input, and the variance of all.
  [[nodiscard]] Matrix sums() const {
    Matrix sums(axes_.size() + 1, amplitudes_.sets());
    for (std::size_t l = 0; l < sums.rows(); ++l) {
      if constexpr (is_real) {
        const MatrixView part{parts_[l].data(), p_count_, q_count_, p_count_};
        const Matrix products = multiply(part, {amplitudes_.of(0, q_from_), q_count_, sums.cols(), stride()});
        for (std::size_t k = 0; k < sums.cols(); ++k) {
          sums(l, k) =
              std::inner_product(products.col(k).begin(), products.col(k).end(), amplitudes_.of(k, p_from_), 0.0);
        }
      } else {
        for (std::size_t k = 0; k < sums.cols(); ++k) sums(l, k) = sum_of(parts_[l], k);
      }
    }
    return sums;
  }

 private:
  static constexpr bool is_real = std::is_same_v<Number, double>;

  [[nodiscard]] std::size_t stride() const { return amplitudes_.products(); }

  [[nodiscard]] double sum_of(const std::vector<Complex>& part, std::size_t set) const {
    double sum = 0.0;
    for (std::size_t q = 0; q < q_count_; ++q) {
      for (std::size_t p = 0; p < p_count_; ++p) {
        const Complex both = product_of(*amplitudes_.of(set, p_from_ + p), *amplitudes_.of(set, q_from_ + q));
        sum += (both * part[q * p_count_ + p]).real();
      }
    }
    return sum;
  }

  [[nodiscard]] std::vector<Number> covariances(const WideAxis& axis) const {
    const auto product = [&](const Matrix& a, const Matrix& b) {
      return multiply_transposed(columns_of(a, p_from_, p_count_), columns_of(b, q_from_, q_count_));
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

  void set_pair(std::size_t p, std::size_t q, std::vector<Orders<Number>>& before, std::vector<Orders<Number>>& after) {
    const std::size_t d = axes_.size();
    const std::size_t place = q * p_count_ + p;
    const auto g = [&](std::size_t l) { return covariances_[l][place]; };
    const auto m = [&](std::size_t l) { return product_of(axes_[l].means[p_from_ + p], axes_[l].means[q_from_ + q]); };
    before[0] = {};
    after[d] = {};
    for (std::size_t l = 0; l < d; ++l) (before[l + 1] = before[l]).take(m(l), g(l));
    for (std::size_t l = d; l-- > 0;) (after[l] = after[l + 1]).take(m(l), g(l));
    const double times = q_from_ + q == p_from_ + p ? 1.0 : 2.0;
    parts_[d][place] = times * before[d].more;
    for (std::size_t l = 0; l < d; ++l) {
      const Orders<Number>& a = before[l];
      const Orders<Number>& b = after[l + 1];
      const Number rest = a.above_one() * b.all() + a.one * b.above_none() + a.none * b.above_one();
      parts_[l][place] = times * g(l) * rest;
    }
  }

  const std::vector<WideAxis>& axes_;
  const Amplitudes<Number>& amplitudes_;
  double sign_;
  std::size_t p_from_;
  std::size_t q_from_;
  std::size_t p_count_;
  std::size_t q_count_;
  std::vector<std::vector<Number>> covariances_;  // Along each input.
  std::vector<std::vector<Number>> parts_;        // Of each input, and of all.
};

template <typename Number>
void add_tiles(const std::vector<WideAxis>& axes, const Amplitudes<Number>& amplitudes, double sign, double share,
               std::vector<LargeComponents>& sums) {
  std::vector<std::pair<std::size_t, std::size_t>> tiles;
  for (std::size_t p = 0; p < amplitudes.products(); p += tile) {
    for (std::size_t q = 0; q <= p; q += tile) tiles.emplace_back(p, q);
  }
  std::vector<Matrix> parts(tiles.size());  // Summed in their order, on any number of threads.
  parallel_for(tiles.size(), [&](std::size_t k) {
    parts[k] = TileOfPairs<Number>(axes, amplitudes, sign, tiles[k].first, tiles[k].second).sums();
  });
  for (const Matrix& part : parts) {
    for (std::size_t set = 0; set < sums.size(); ++set) {
      sums[set].variance += share * part(axes.size(), set);
      for (std::size_t l = 0; l < axes.size(); ++l) sums[set].by_input[axes[l].input] += share * part(l, set);
    }
  }
}

}  // namespace

std::vector<LargeComponents> large_components(const Separated& model, std::span<const std::size_t> products,
                                              const std::vector<std::vector<Complex>>& amplitudes) {
  std::vector<LargeComponents> sums(amplitudes.size(), {0.0, std::vector<double>(model.axes.size(), 0.0)});
  if (products.empty()) return sums;
  const bool is_complex = std::ranges::any_of(products, [&](std::size_t p) { return model.products[p].is_wave; });
  const std::vector<WideAxis> axes = wide_axes(model, products, is_complex);
  if (is_complex) {
    const Amplitudes<Complex> own(amplitudes, products);
    add_tiles(axes, own, -1.0, 0.5, sums);
    add_tiles(axes, own, 1.0, 0.5, sums);
  } else {
    add_tiles(axes, Amplitudes<double>(amplitudes, products), 1.0, 1.0, sums);
  }
  return sums;
}

}  // namespace shrimp
