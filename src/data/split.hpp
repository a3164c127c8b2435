// Which rows are held out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/rows.hpp"

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

/// How many different groups there are.
std::size_t count_groups(std::span<const std::uint32_t> groups);

/// The same by whole groups, one number a row: about so many rows, at least one group, and at least one is left. Two
/// groups or more.
RowSplit hold_out(std::span<const std::uint32_t> groups, double fraction, std::uint64_t seed);

/// Whole groups in each part, dealt so that parts have about the same number of rows. As many groups as folds, or more.
std::vector<RowSplit> fold(std::span<const std::uint32_t> groups, std::size_t folds, std::uint64_t seed);

/// Parts of consecutive groups, in the order of their numbers. As many groups as folds, or more.
std::vector<RowSplit> fold_consecutively(std::span<const std::uint32_t> groups, std::size_t folds);

/// At most so many rows, ascending: whole groups at random, those of them that still have room. Where fewer than ten
/// have, which would tell nothing from chance, rows at random out of all groups.
std::vector<std::size_t> sample_groups(std::span<const std::uint32_t> groups, std::size_t most_rows,
                                       std::uint64_t seed);

/// What can be told apart in a split: groups, or rows where every row is by itself.
std::size_t count_units(const Rows& rows);

/// The splits above as the rows want them: by groups, along their order, or row by row. At least two units, and as many
/// as folds.
RowSplit hold_out(const Rows& rows, double fraction, std::uint64_t seed);
std::vector<RowSplit> fold(const Rows& rows, std::size_t folds, std::uint64_t seed);
std::vector<std::size_t> sample_rows(const Rows& rows, std::size_t most_rows, std::uint64_t seed);

}  // namespace shrimp
