// A model laid out for those who write it down: the table's columns, inputs that are made of them and that columns of
// the model look at, and tables of such columns of one shape, so that a language needs a loop for each and no case of
// its own. Numbers are those of the model; nothing is rounded.
//
// A wave that lacks an input has its mean over that input (features/missing_cells.hpp), E cos(a + wx) = |m| cos(a + arg
// m) with m = E exp(iwx): in the place of wx a shift is added, and the wave shrinks. Lines have the same with no
// shrinking, and other curves, which have one input, a mean of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// A column of the table, in the order in which functions take them.
struct PlanSource {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::map<std::string, std::uint32_t> codes = {};  ///< Of a category: all names that have one.
  std::uint32_t levels = 0;                         ///< How many codes there are.
  std::optional<std::uint32_t> missing_code = {};   ///< Of cells that are missing, where they are a level.
  bool used = false;                                ///< Whether columns of the model look at it.
  bool only_missing = false;                        ///< Whether only matters that a cell is missing: it may be text.

  [[nodiscard]] bool is_category() const { return kind == ColumnKind::category; }
};

/// An input that columns look at, and how it enters: held inside its limits, warped, then (x − mean)/scale.
struct PlanInput {
  std::size_t index = 0;   ///< Among the model's inputs.
  std::size_t source = 0;  ///< Among the plan's sources.
  InputColumn::Part part = InputColumn::Part::value;
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
  /// Where inputs may be missing: what stands in the place of weight · input, and by what the function shrinks then, in
  /// the order of `weights`; or, of curves, the functions' means in the order of `coefficients`.
  std::vector<double> shifts = {};
  std::vector<double> shrinks = {};
  std::vector<std::vector<double>> means = {};

  [[nodiscard]] std::size_t count() const { return coefficients.front().size(); }
  [[nodiscard]] bool is_kernel() const { return functions.front() == Function::kernel; }
};

struct Plan {
  std::vector<PlanSource> sources;
  std::vector<PlanInput> inputs;  ///< Those without a warp first.
  std::vector<ColumnGroup> groups;
  double constant = 0.0;      ///< Of columns that look at no input.
  std::vector<double> gamma;  ///< One per place in `inputs`; empty unless there are kernel columns.
  /// Whether cells may be missing. Models that have seen numbers alone, and all of them, take no others here: the
  /// program would predict with a warning, which an exported function cannot give.
  bool takes_missing = false;
  std::vector<double> filled;  ///< What kernel columns take for a missing input; empty as gamma is.

  [[nodiscard]] std::size_t unwarped() const;  ///< How many inputs have no warp.
};

/// Throws OptionError where the mean of a column that lacks an input has no short form.
[[nodiscard]] Plan make_plan(const Model& model);

/// How many factors κ a kernel column of this group multiplies: all of them, or fewer, in all ways.
[[nodiscard]] std::size_t kernel_degree(const Model& model, const ColumnGroup& group);

/// Below this, the smallest normal number, the logarithm takes inputs for it.
[[nodiscard]] double smallest_for_log();

/// exp of less is next to nothing, and the factors beside it may be infinite.
inline constexpr double least_exponent = -708.0;

}  // namespace shrimp
