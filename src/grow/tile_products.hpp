// Products of the functions of pairs of inputs with a residual and its null draws, tile by tile.
//
// For functions V of some inputs (p columns each), factors f and groups g of rows, the entry of columns v and w is
// s_g = Σ_{i in g} f_i v_i w_i: wanted are Σ_g s_g² and, for each draw of signs, Σ_g ± s_g.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "linalg/device.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Inputs of a list, as rows and as columns of products.
struct Tile {
  std::size_t row_first, row_last;
  std::size_t column_first, column_last;
};

/// Tiles of the lower triangle, for p functions an input, of so many columns.
std::vector<Tile> lower_tiles(std::size_t inputs, std::size_t functions, std::size_t columns);

/// Of one tile, for each of several factors.
struct Products {
  std::vector<Matrix> squares;            ///< Σ_g s_g².
  std::vector<std::vector<Matrix>> sums;  ///< Σ_g ± s_g: sums[draw][factor].
};

class TileProducts {
 public:
  /// `starts` of the groups among the rows, and their end; `signs` of the groups for each draw. Both must outlive it.
  TileProducts(Matrix V, std::size_t functions, std::vector<std::vector<double>> factors,
               std::span<const std::size_t> starts, const std::vector<std::vector<double>>& signs,
               const std::shared_ptr<Device>& device = nullptr);
  ~TileProducts();
  TileProducts(const TileProducts&) = delete;
  TileProducts& operator=(const TileProducts&) = delete;

  /// Columns of the tiles that it likes best.
  [[nodiscard]] std::size_t tile_columns() const;

  [[nodiscard]] std::vector<Products> of(std::span<const Tile> tiles) const;

 private:
  class There;

  void put_on(const std::shared_ptr<Device>& device);
  void multiply_here(std::span<const Tile> tiles, std::span<Products> products) const;
  void multiply_draw(const Tile& tile, std::size_t draw, Products& products) const;
  void multiply_squares(const Tile& tile, Products& products) const;
  void multiply_groups(const Tile& tile, Products& products) const;

  Matrix V_;
  Matrix squares_;  // V∘V, where every row is by itself.
  std::size_t functions_;
  std::vector<std::vector<double>> factors_;
  std::span<const std::size_t> starts_;
  const std::vector<std::vector<double>>& signs_;
  std::unique_ptr<There> there_;  // Null: the processor does it.
};

}  // namespace shrimp
