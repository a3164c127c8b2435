// What a method offers to choose from on one set of equations: a sequence of fits that the validation error compares.
// The same method on other rows of the same data offers as many, in the same order.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "path/equations.hpp"
#include "shrimp/options.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

class Candidates {
 public:
  virtual ~Candidates() = default;

  /// Visits the fits of one branch (a pruning rate) until the visitor returns false.
  virtual void visit(std::size_t branch, const PathVisitor& visit) = 0;

  /// The equations and those of more rows, with nothing lost, on the columns P; none where the method has not reduced
  /// them to fewer.
  [[nodiscard]] virtual std::optional<Reduction> with_rows(const Equations& /*more*/, const Columns& /*P*/) const {
    return std::nullopt;
  }
};

/// The equations to fit, and what else is known of them.
struct Problem {
  const Dictionary& dictionary;
  const Equations& equations;
  /// The kernel sections whose centres are among these rows, which may be all.
  Columns centres;
  double unit = 1.0;  ///< One of the scaled target in the target's own units.
  /// If given, makes the lower triangle of A Aᵀ for less than computing it.
  std::function<Matrix()> gram = {};
  const std::atomic<bool>* stop = nullptr;
  std::shared_ptr<Device> device = {};  ///< Null: the processor.
};

/// What is tried, the same on all rows and on parts of them.
struct Grid {
  std::vector<double> penalties;
  std::vector<std::size_t> sizes;
};

}  // namespace shrimp
