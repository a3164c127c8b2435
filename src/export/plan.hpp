// A model laid out for those who write it down: inputs that columns look at, and tables of columns of one shape, so
// that a language needs a loop for each and no case of its own. Numbers are those of the model; nothing is rounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// An input that columns look at, and how it enters: held inside its limits, warped, then (x − mean)/scale.
struct PlanInput {
  std::size_t index = 0;  ///< Among the model's inputs.
  bool limited = false;
  double lowest = 0.0;
  double highest = 0.0;
  /// The knots of ranks are in units of 1/knot_unit: 1, or 1/2 where two are so far apart that their gap overflows.
  Warp warp = {};
  double knot_unit = 1.0;
  double mean = 0.0;
  double scale = 1.0;
};

/// Columns of weight vectors that look at as many inputs each and make the same functions of ⟨x,w⟩ + b, or sections of
/// the kernel with w as centre.
struct ColumnGroup {
  std::vector<Function> functions;                     ///< Of each vector: kernel alone, or others.
  std::size_t size = 0;                                ///< Inputs of a vector; at least 1.
  std::vector<std::uint32_t> inputs = {};              ///< Places in Plan::inputs, vector after vector.
  std::vector<double> weights = {};                    ///< In the same order.
  std::vector<double> phases = {};                     ///< b, one per vector; empty: none.
  std::vector<std::vector<double>> coefficients = {};  ///< coefficients[f][k]: of functions[f] of vector k.

  [[nodiscard]] std::size_t count() const { return coefficients.front().size(); }
  [[nodiscard]] bool is_kernel() const { return functions.front() == Function::kernel; }
};

struct Plan {
  std::vector<PlanInput> inputs;  ///< Those without a warp first.
  std::vector<ColumnGroup> groups;
  double constant = 0.0;      ///< Of columns that look at no input.
  std::vector<double> gamma;  ///< One per place in `inputs`; empty unless there are kernel columns.

  [[nodiscard]] std::size_t unwarped() const;  ///< How many inputs have no warp.
};

[[nodiscard]] Plan make_plan(const Model& model);

/// How many factors κ a kernel column of this group multiplies: all of them, or fewer, in all ways.
[[nodiscard]] std::size_t kernel_degree(const Model& model, const ColumnGroup& group);

/// Below this, the smallest normal number, the logarithm takes inputs for it.
[[nodiscard]] double smallest_for_log();

/// exp of less is next to nothing, and the factors beside it may be infinite.
inline constexpr double least_exponent = -708.0;

}  // namespace shrimp
