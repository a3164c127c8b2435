// Some of the rows for what would take too long with all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data/rows.hpp"
#include "data/split.hpp"

namespace shrimp {

// Terms are found on so many rows at most: more would not change what is found, and take their time.
inline constexpr std::size_t most_rows_to_grow_on = 4000;

/// Fewer rows that a search has not seen give too uncertain errors to choose models by.
inline constexpr std::size_t enough_unseen = 500;

/// Of more rows, which are then not all searched, some are set aside to tell the error: a tenth, but no more than the
/// rows beyond those that are searched, and a thousand where that is more.
inline double share_set_aside(std::size_t rows) {
  constexpr double usual = 0.1;
  constexpr double enough = 1000.0;
  const auto m = static_cast<double>(rows);
  return std::min(std::max(usual, enough / m), (m - static_cast<double>(most_rows_to_grow_on)) / m);
}

/// Some of the rows, or all where there are no more.
class SampledRows {
 public:
  SampledRows(const Rows& rows, std::size_t most, std::uint64_t seed) : all_(rows) {
    if (rows.size() <= most) return;
    which_ = sample_rows(rows, most, seed);
    sample_ = gather(rows, which_);
  }

  [[nodiscard]] bool are_all() const { return which_.empty(); }
  [[nodiscard]] const Rows& all() const { return all_; }
  [[nodiscard]] const Rows& rows() const { return are_all() ? all_ : sample_; }

  /// A row's number among all.
  [[nodiscard]] std::size_t number_of(std::size_t row) const { return are_all() ? row : which_[row]; }

  /// Others than these, so many at most, evenly spread.
  [[nodiscard]] Rows others(std::size_t most) const {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0, k = 0; i < all_.size() && !are_all(); ++i) {
      k < which_.size() && which_[k] == i ? (void)++k : rest.push_back(i);
    }
    const std::size_t count = std::min(most, rest.size());
    std::vector<std::size_t> some;
    for (std::size_t k = 0; k < count; ++k) some.push_back(rest[k * rest.size() / count]);
    return gather(all_, some);
  }

 private:
  const Rows& all_;
  std::vector<std::size_t> which_;
  Rows sample_;
};

}  // namespace shrimp
