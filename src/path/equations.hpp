// The equations A c ≈ y that a dictionary makes of rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/rows.hpp"
#include "linalg/device.hpp"
#include "path/row_space.hpp"
#include "shrimp/features.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// A c ≈ y, each row multiplied by the root of its weight.
struct Equations {
  std::shared_ptr<const RowSpace> A;
  std::vector<double> y;
  std::vector<double> roots;  ///< Of the weights; empty where every row counts 1.
  double total_weight = 0.0;

  /// ‖A_P c − y‖² of the step's columns and coefficients.
  [[nodiscard]] double squared_error(const PathStep& step) const;
  /// The same, weighted and averaged over the rows.
  [[nodiscard]] double mean_squared_error(const PathStep& step) const;
  /// A step of a path on these equations as it is reported: its error is averaged by weight.
  [[nodiscard]] PathRecord record(std::size_t index, const PathStep& step) const;
};

/// States equations for rows: with A stored when it is first needed, or computed anew whenever it is; on a device, if
/// one is given that knows the columns and has room for the rows.
class EquationMaker {
 public:
  EquationMaker(std::shared_ptr<const Dictionary> dictionary, const Rows& rows, bool store,
                std::shared_ptr<Device> device = nullptr);

  [[nodiscard]] Equations all() const { return range(0, rows_.size()); }
  /// Successive rows.
  [[nodiscard]] Equations range(std::size_t first, std::size_t count) const;
  [[nodiscard]] Equations some(std::span<const std::size_t> which) const;

 private:
  [[nodiscard]] std::shared_ptr<const RowSpace> features_of(Matrix X, std::vector<double> roots) const;

  std::shared_ptr<const Dictionary> dictionary_;
  const Rows& rows_;
  bool stores_;
  std::shared_ptr<Device> device_;
};

}  // namespace shrimp
