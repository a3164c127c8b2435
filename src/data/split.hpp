// Which rows are held out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shrimp {

/// A random order of 0 … count − 1.
std::vector<std::size_t> permutation(std::size_t count, std::uint64_t seed);

struct RowSplit {
  std::vector<std::size_t> train;     ///< Ascending.
  std::vector<std::size_t> held_out;  ///< Ascending.
};

/// Holds out round(fraction·rows) rows, at least one, and leaves at least one. rows ≥ 2.
RowSplit hold_out(std::size_t rows, double fraction, std::uint64_t seed);

/// K disjoint parts of about equal size, each held out once. rows ≥ folds ≥ 2.
std::vector<RowSplit> fold(std::size_t rows, std::size_t folds, std::uint64_t seed);

}  // namespace shrimp
