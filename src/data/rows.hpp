// Rows of data in the model's own (scaled) units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// What inputs are beside numbers.
struct InputKinds {
  std::vector<std::size_t> levels;  ///< Of categories; 0 for numbers.
  std::vector<Marginal> marginals;  ///< Of all inputs, in scaled units: what missing ones are averaged over.

  [[nodiscard]] bool is_category(std::size_t input) const { return input < levels.size() && levels[input] > 0; }
};

struct Rows {
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights;        ///< Empty: every row counts 1.
  std::vector<std::uint32_t> groups;  ///< Rows of the same number belong together; empty: every row by itself.
  bool in_order = false;              ///< Groups are runs of consecutive rows, numbered along these.
  std::shared_ptr<const InputKinds> kinds = {};  ///< None: all inputs are numbers, and none is missing.

  [[nodiscard]] std::size_t size() const { return y.size(); }
  [[nodiscard]] double total_weight() const;
  [[nodiscard]] bool is_category(std::size_t input) const { return kinds && kinds->is_category(input); }
  /// For dictionaries; none where there are no kinds.
  [[nodiscard]] std::shared_ptr<const std::vector<Marginal>> marginals() const;
};

Rows scale(const Dataset& data, const Scaling& scaling);

/// The rows in the order given.
Rows gather(const Rows& rows, std::span<const std::size_t> which);

}  // namespace shrimp
