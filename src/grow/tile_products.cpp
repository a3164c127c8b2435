#include "grow/tile_products.hpp"

#include <algorithm>

#include "linalg/column_view.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Columns of a tile: wide enough for BLAS, small enough for caches. A device wants more at once, and rows of fewer take
// longer to get there than to be multiplied here.
constexpr std::size_t columns_of_a_tile = 192;
constexpr std::size_t columns_of_a_tile_there = 512;

MatrixView part_of(const Matrix& V, std::size_t first_row, std::size_t rows, std::size_t first, std::size_t last) {
  return {V.data() + first * V.rows() + first_row, rows, last - first, V.rows()};
}

Matrix times_rows(MatrixView A, std::span<const double> factors, std::span<const double> more = {}) {
  Matrix result(A);
  for (std::size_t k = 0; k < result.cols(); ++k) {
    const std::span<double> column = result.col(k);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] *= more.empty() ? factors[i] : factors[i] * more[i];
  }
  return result;
}

}  // namespace

std::vector<Tile> lower_tiles(std::size_t inputs, std::size_t functions, std::size_t columns) {
  const std::size_t side = std::max<std::size_t>(1, columns / functions);
  std::vector<Tile> tiles;
  for (std::size_t i = 0; i < inputs; i += side) {
    for (std::size_t j = 0; j <= i; j += side) {
      tiles.push_back({i, std::min(i + side, inputs), j, std::min(j + side, inputs)});
    }
  }
  return tiles;
}

TileProducts::TileProducts(Matrix V, std::size_t functions, std::vector<std::vector<double>> factors,
                           std::span<const std::size_t> starts, const std::vector<std::vector<double>>& signs,
                           const std::shared_ptr<Device>& device)
    : V_(std::move(V)), functions_(functions), factors_(std::move(factors)), starts_(starts), signs_(signs) {
  if (starts_.size() - 1 < V_.rows()) return;
  squares_ = Matrix::uninitialized(V_.rows(), V_.cols());
  parallel_for(V_.cols(), [&](std::size_t k) {
    std::ranges::transform(V_.col(k), squares_.col(k).begin(), [](double value) { return value * value; });
  });
  put_on(device);
}

TileProducts::~TileProducts() = default;

// Every row by itself, on a device.
class TileProducts::There {
 public:
  There(std::shared_ptr<Device> device, const TileProducts& here)
      : device_(std::move(device)),
        functions_(here.functions_),
        V_(device_->upload(here.V_)),
        squares_(device_->upload(here.squares_)) {
    for (const std::vector<double>& factors : here.factors_) {
      of_squares_.push_back(upload_product(factors, factors));
      of_draws_.emplace_back();
      for (const std::vector<double>& signs : here.signs_) of_draws_.back().push_back(upload_product(factors, signs));
    }
  }

  void multiply(const Tile& tile, Products& products) const {
    const DeviceMatrix left = columns_of(V_, tile.row_first, tile.row_last);
    const DeviceMatrix left_squares = columns_of(squares_, tile.row_first, tile.row_last);
    for (std::size_t c = 0; c < of_draws_.size(); ++c) {
      products.squares[c] = product(left_squares, squares_, tile, of_squares_[c]);
      for (std::size_t draw = 0; draw < of_draws_[c].size(); ++draw) {
        products.sums[draw][c] = product(left, V_, tile, of_draws_[c][draw]);
      }
    }
  }

 private:
  [[nodiscard]] DeviceMatrix upload_product(const std::vector<double>& a, const std::vector<double>& b) const {
    std::vector<double> product = a;
    for (std::size_t i = 0; i < product.size(); ++i) product[i] *= b[i];
    return device_->upload(column_of(product));
  }

  [[nodiscard]] DeviceMatrix columns_of(const DeviceMatrix& V, std::size_t first, std::size_t last) const {
    DeviceMatrix part = device_->make(V.rows, functions_ * (last - first));
    device_->copy(V, functions_ * first * V.rows, part, 0, part.rows * part.cols);
    return part;
  }

  [[nodiscard]] Matrix product(const DeviceMatrix& left, const DeviceMatrix& V, const Tile& tile,
                               const DeviceMatrix& factors) const {
    DeviceMatrix right = columns_of(V, tile.column_first, tile.column_last);
    device_->scale_rows(right, factors);
    DeviceMatrix result = device_->make(left.cols, right.cols);
    device_->multiply_transposed(left, right, result);
    return device_->download(result);
  }

  std::shared_ptr<Device> device_;
  std::size_t functions_;
  DeviceMatrix V_;
  DeviceMatrix squares_;
  std::vector<DeviceMatrix> of_squares_;             // By factor, what the squares' rows are multiplied by.
  std::vector<std::vector<DeviceMatrix>> of_draws_;  // By factor and draw, what the rows are.
};

void TileProducts::put_on(const std::shared_ptr<Device>& device) {
  if (device == nullptr || V_.cols() < columns_of_a_tile_there) return;
  try {
    there_ = std::make_unique<There>(device, *this);
  } catch (const DeviceMemoryError&) {
  }
}

std::size_t TileProducts::tile_columns() const {
  return there_ != nullptr ? columns_of_a_tile_there : columns_of_a_tile;
}

std::vector<Products> TileProducts::of(std::span<const Tile> tiles) const {
  const std::size_t draws = signs_.size();
  std::vector<Products> products(tiles.size());
  for (Products& own : products) {
    own.squares.resize(factors_.size());
    own.sums.resize(draws);
    for (std::vector<Matrix>& sums : own.sums) sums.resize(factors_.size());
  }
  try {
    for (std::size_t t = 0; there_ != nullptr && t < tiles.size(); ++t) there_->multiply(tiles[t], products[t]);
    if (there_ != nullptr) return products;
  } catch (const DeviceMemoryError&) {  // The processor does what a device has no room for.
  }
  multiply_here(tiles, products);
  return products;
}

void TileProducts::multiply_here(std::span<const Tile> tiles, std::span<Products> products) const {
  const std::size_t draws = signs_.size();
  if (squares_.empty()) {
    parallel_for(tiles.size(), [&](std::size_t t) { multiply_groups(tiles[t], products[t]); });
  } else {
    parallel_for(tiles.size() * (draws + 1), [&](std::size_t k) {
      const std::size_t t = k / (draws + 1);
      const std::size_t draw = k % (draws + 1);
      if (draw < draws) return multiply_draw(tiles[t], draw, products[t]);
      multiply_squares(tiles[t], products[t]);
    });
  }
}

// Every row by itself: each draw is a product of its own, and so are the squares.
void TileProducts::multiply_draw(const Tile& tile, std::size_t draw, Products& products) const {
  const std::size_t p = functions_;
  for (std::size_t c = 0; c < factors_.size(); ++c) {
    const MatrixView right = part_of(V_, 0, V_.rows(), p * tile.column_first, p * tile.column_last);
    products.sums[draw][c] = multiply_transposed(part_of(V_, 0, V_.rows(), p * tile.row_first, p * tile.row_last),
                                                 times_rows(right, factors_[c], signs_[draw]));
  }
}

void TileProducts::multiply_squares(const Tile& tile, Products& products) const {
  const std::size_t p = functions_;
  for (std::size_t c = 0; c < factors_.size(); ++c) {
    const MatrixView right = part_of(squares_, 0, V_.rows(), p * tile.column_first, p * tile.column_last);
    products.squares[c] = multiply_transposed(part_of(squares_, 0, V_.rows(), p * tile.row_first, p * tile.row_last),
                                              times_rows(right, factors_[c], factors_[c]));
  }
}

// One product a group, which goes into the squares and into all draws.
void TileProducts::multiply_groups(const Tile& tile, Products& products) const {
  const std::size_t p = functions_;
  const std::size_t tall = p * (tile.row_last - tile.row_first);
  const std::size_t wide = p * (tile.column_last - tile.column_first);
  for (std::size_t c = 0; c < factors_.size(); ++c) {
    const Matrix weighted =
        times_rows(part_of(V_, 0, V_.rows(), p * tile.column_first, p * tile.column_last), factors_[c]);
    products.squares[c] = Matrix(tall, wide);
    for (std::vector<Matrix>& sums : products.sums) sums[c] = Matrix(tall, wide);
    for (std::size_t g = 0; g + 1 < starts_.size(); ++g) {
      const std::size_t rows = starts_[g + 1] - starts_[g];
      const Matrix s = multiply_transposed(part_of(V_, starts_[g], rows, p * tile.row_first, p * tile.row_last),
                                           part_of(weighted, starts_[g], rows, 0, wide));
      for (std::size_t k = 0; k < wide; ++k) {
        const std::span<double> squares = products.squares[c].col(k);
        for (std::size_t i = 0; i < tall; ++i) squares[i] += s(i, k) * s(i, k);
        for (std::size_t draw = 0; draw < signs_.size(); ++draw) {
          add_scaled(products.sums[draw][c].col(k), signs_[draw][g], s.col(k));
        }
      }
    }
  }
}

}  // namespace shrimp
