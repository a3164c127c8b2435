#include "ridge/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "linalg/dense.hpp"

namespace shrimp {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Removing columns one by one takes about as long as inverting M, and needs all of M⁻¹. Chosen by hand.
constexpr std::size_t most_one_by_one = 1500;

// With very many columns, several steps of the rate are taken at once, down to a quarter of the columns: most columns
// are nearly collinear with others of their group.
std::size_t count_to_drop(const std::vector<std::size_t>& columns, const EliminationRule& rule) {
  const auto free =
      static_cast<std::size_t>(std::ranges::count_if(columns, [&](std::size_t column) { return !rule.kept[column]; }));
  if (free <= 1) return free;
  const std::size_t enough = std::max(most_one_by_one, columns.size() / 4);
  std::size_t count = drop_count(free, rule.rate);
  while (columns.size() - count > enough && free - count > 1) count += drop_count(free - count, rule.rate);
  return count;
}

// M⁻¹ of the remaining columns, stored as the M⁻¹ of all columns minus VVᵀ. Each removal adds a column to V.
class Eliminator {
 public:
  Eliminator(Matrix inverse, std::vector<double> coefficients, std::size_t most_to_go)
      : inverse_(std::move(inverse)),
        c_(std::move(coefficients)),
        V_(Matrix::uninitialized(c_.size(), most_to_go)),
        free_(c_.size(), true) {
    for (std::size_t j = 0; j < c_.size(); ++j) diagonal_.push_back(inverse_(j, j));
  }

  void keep(std::size_t j) { free_[j] = false; }

  /// Least cost and its column; the cost is infinite if no column is free.
  [[nodiscard]] std::pair<double, std::size_t> cheapest() const {
    std::pair<double, std::size_t> least{never, 0};
    for (std::size_t j = 0; j < c_.size(); ++j) {
      if (!free_[j] || !(diagonal_[j] > 0.0)) continue;
      least = std::min(least, {c_[j] * c_[j] / diagonal_[j], j});
    }
    return least;
  }

  /// Returns whether the column was removed. If rounding has spoiled its pivot, it stays until the next factorisation.
  bool drop(std::size_t j) {
    free_[j] = false;
    const std::vector<double> m = column_of_inverse(j);
    const double pivot = m[j];
    if (!(pivot > 0.0)) return false;
    const double own = c_[j];
    auto v = V_.col(gone_++);
    for (std::size_t i = 0; i < m.size(); ++i) {
      c_[i] -= m[i] / pivot * own;
      diagonal_[i] -= m[i] * m[i] / pivot;
      v[i] = m[i] / std::sqrt(pivot);
    }
    return true;
  }

 private:
  [[nodiscard]] std::vector<double> column_of_inverse(std::size_t j) const {
    const std::size_t n = c_.size();
    std::vector<double> m(inverse_.col(j).begin(), inverse_.col(j).end());
    if (gone_ == 0) return m;
    std::vector<double> row;
    for (std::size_t k = 0; k < gone_; ++k) row.push_back(V_(j, k));
    add_scaled(m, -1.0, multiply(MatrixView{V_.data(), n, gone_, n}, row));
    return m;
  }

  Matrix inverse_;
  std::vector<double> c_;
  Matrix V_;
  std::vector<bool> free_;
  std::vector<double> diagonal_;
  std::size_t gone_ = 0;
};

}  // namespace

std::size_t drop_count(std::size_t columns, double rate) {
  if (columns <= 1) return 0;
  const auto wanted = static_cast<std::size_t>(std::llround(rate * static_cast<double>(columns)));
  return std::clamp<std::size_t>(wanted, 1, columns - 1);
}

std::vector<std::size_t> eliminate(std::vector<InverseBlock> blocks, std::span<const double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule) {
  const std::size_t count = count_to_drop(columns, rule);
  std::vector<Eliminator> left;
  std::vector<std::pair<double, std::size_t>> cheapest;
  for (InverseBlock& block : blocks) {
    std::vector<double> own;
    for (const std::size_t position : block.positions) own.push_back(coefficients[position]);
    left.emplace_back(std::move(block.inverse), std::move(own), std::min(count, block.positions.size()));
    for (std::size_t k = 0; k < block.positions.size(); ++k) {
      if (rule.kept[columns[block.positions[k]]]) left.back().keep(k);
    }
    cheapest.push_back(left.back().cheapest());
  }
  std::vector<bool> stays(columns.size(), true);
  for (std::size_t k = 0; k < count; ++k) {
    const auto block = static_cast<std::size_t>(std::ranges::min_element(cheapest) - cheapest.begin());
    const auto [cost, which] = cheapest[block];
    if (cost == never) break;
    stays[blocks[block].positions[which]] = !left[block].drop(which);
    cheapest[block] = left[block].cheapest();
  }
  std::vector<std::size_t> positions;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (stays[j]) positions.push_back(j);
  }
  return positions;
}

std::vector<std::vector<std::size_t>> blocks_of(const std::vector<std::size_t>& columns, const EliminationRule& rule) {
  if (count_to_drop(columns, rule) == 0) return {};
  std::map<std::uint32_t, std::vector<std::size_t>> blocks;
  const bool apart = columns.size() > most_one_by_one && !rule.groups.empty();
  for (std::size_t k = 0; k < columns.size(); ++k) blocks[apart ? rule.groups[columns[k]] : 0].push_back(k);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [group, positions] : blocks) result.push_back(std::move(positions));
  return result;
}

std::vector<InverseBlock> inverse_blocks(const Cholesky& M, const std::vector<std::size_t>& columns,
                                         const EliminationRule& rule) {
  std::vector<InverseBlock> inverse;
  std::vector<std::vector<std::size_t>> blocks = blocks_of(columns, rule);
  if (blocks.empty()) return inverse;
  if (blocks.size() == 1) {
    inverse.push_back({std::move(blocks.front()), M.inverse()});
    return inverse;
  }
  const Matrix X = M.inverse_of_factor();
  for (std::vector<std::size_t>& block : blocks) {
    const Matrix own = gather_columns(X, block);
    inverse.push_back({std::move(block), multiply_transposed(own, own)});
  }
  return inverse;
}

void eliminate_backward(RidgeFit fit, const EliminationRule& rule, const FitAndInvert& solve,
                        const std::function<void(const RidgeFit&)>& record) {
  for (;;) {
    std::optional<std::vector<InverseBlock>> blocks = solve(fit);
    record(fit);
    if (!blocks) return;
    const std::vector<std::size_t> kept = eliminate(std::move(*blocks), fit.coefficients, fit.columns, rule);
    if (kept.size() == fit.columns.size()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) fit.columns[k] = fit.columns[kept[k]];
    fit.columns.resize(kept.size());
  }
}

}  // namespace shrimp
