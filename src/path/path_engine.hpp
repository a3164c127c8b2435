// Who solves the steps of a prune path: the processor (PathSolver), or a device with the processor behind it
// (DevicePathSolver). Rules, selection and reports are the same for both.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "path/gram_shelf.hpp"
#include "path/row_space.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

struct PathSolution {
  std::vector<double> coefficients;
  std::size_t rank = 0;
  double residual = 0.0;  ///< ‖A_P c − y‖²
  double ridge = 0.0;     ///< The λ that was used.
  double lambda_max = 0.0;
  double lambda_min = 0.0;
};

class PathEngine {
 public:
  virtual ~PathEngine() = default;

  /// One that goes on from here by itself.
  [[nodiscard]] virtual std::unique_ptr<PathEngine> clone() const = 0;

  /// c = A_P† y. P must be a subset of the P of the call before.
  virtual PathSolution solve(const Columns& P) = 0;

  /// The equations with nothing lost and those of more rows beside them, on the columns P; none where they are not
  /// fewer than A's. For before columns are dropped.
  [[nodiscard]] virtual std::optional<Reduction> with_rows(const RowSpace* more, std::span<const double> y,
                                                           const Columns& P) const = 0;

  /// From now on, Gram matrices are taken from there where that is cheaper, and put there if `record`.
  virtual void use_shelf(GramShelf* shelf, bool record) = 0;
};

/// Of the device where A lives on one. `gram`, if given, makes the lower triangle of A Aᵀ for less than computing it.
std::unique_ptr<PathEngine> make_engine(const std::shared_ptr<const RowSpace>& A, std::span<const double> y,
                                        const PathOptions& options, const std::function<Matrix()>& gram = {});

}  // namespace shrimp
