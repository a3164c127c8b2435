// Rows of data in the model's own (scaled) units, and the equations that a dictionary makes of them.
#pragma once

#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/model.hpp"
#include "shrimp/path.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

struct Rows {
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights;  ///< Empty: every row counts 1.

  [[nodiscard]] std::size_t size() const { return y.size(); }
};

Rows scale(const Dataset& data, const Scaling& scaling);

/// The rows in the order given.
Rows gather(const Rows& rows, std::span<const std::size_t> which);

/// A c ≈ y, each row multiplied by the root of its weight.
struct Equations {
  Matrix A;
  std::vector<double> y;
  std::vector<double> weights;

  Equations() = default;
  Equations(const Dictionary& dictionary, const Rows& rows);

  [[nodiscard]] std::size_t size() const { return y.size(); }
};

Equations gather(const Equations& equations, std::span<const std::size_t> which);

/// Some successive rows of equations.
struct EquationsView {
  MatrixView A;
  std::span<const double> y;
  double total_weight = 0.0;

  EquationsView() = default;
  EquationsView(const Equations& equations, std::size_t first, std::size_t count);
  EquationsView(const Equations& equations)  // NOLINT(google-explicit-constructor)
      : EquationsView(equations, 0, equations.size()) {}

  /// Weighted mean squared error of Σ_k c_k a_k over the step's columns.
  [[nodiscard]] double mean_squared_error(const PathStep& step) const;
};

}  // namespace shrimp
