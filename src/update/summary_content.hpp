// What a summary holds.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "ridge/triangular_system.hpp"
#include "shrimp/update.hpp"

namespace shrimp {

/// What a weight of 1 beside the ridge is: as in a fit, whole weights are counts over their greatest common divisor,
/// and others are relative to their mean.
struct WeightUnit {
  std::uint64_t divisor = 0;  ///< Of all weights; 0: of none.
  bool whole = true;          ///< Whether all were whole numbers.

  void add(double weight);
  void merge(const WeightUnit& other);
  [[nodiscard]] double value(double mean_weight) const;
};

/// Folds are told apart by the leading `bits` of a hash. Where more would come together than are kept, all give up a
/// bit until they are few enough: which folds are left does not depend on the order in which they came.
struct ModelSummary::Content {
  std::uint64_t columns_hash = 0;  ///< Of the model's columns.
  std::uint64_t model_hash = 0;    ///< Of the coefficients that belong to it; 0: none do.
  double target_mean = 0.0;        ///< Targets were summed up as (form of y − mean)/scale, …
  double target_scale = 1.0;       ///< … the model's own.
  double lowest = std::numeric_limits<double>::infinity();  ///< Target, in its own units.
  double highest = -std::numeric_limits<double>::infinity();
  WeightUnit unit;
  /// Whether the rows are weighted least squares near a fit under another loss than squared error, rather than targets
  /// with row weights. `rest` of the sums then makes squared errors twice the loss, and may be below 0.
  bool of_working_rows = false;
  std::uint32_t bits = 64;
  std::size_t columns = 1;                         ///< The constant's, and the model's.
  std::map<std::uint64_t, TriangularSystem> sums;  ///< By fold.
  /// Identities of the tables that were summed up, ascending. Tables of equal rows in any order have the same.
  std::vector<std::uint64_t> tables;

  /// Another fold, or more of the same.
  void add_fold(std::uint64_t fold, TriangularSystem own);
  /// Has the targets summed up less another mean.
  void move_target_mean(double mean);
  [[nodiscard]] TriangularSystem all() const;

  /// Throws DataError, with `source` named, where these cannot be sums for this model, whose columns they have.
  void require_plausible(const Model& model, const std::string& source) const;

 private:
  void drop_bits();
};

/// Folds kept of so many columns: their triangles take at most 256 MiB, unless that would be fewer than five.
std::size_t most_folds(std::size_t columns);

}  // namespace shrimp
