// In which form inputs enter and the target is fitted: as they are, by ranks or logarithms, by a logarithm or square
// root.
//
// A smooth kernel and a rough one of all inputs, with a scale for each, are tuned to some of the rows in each form
// (grow/kernel_tuning.hpp) and judged by predicting every row from all others, in the target's own units. Another form
// than the plain one must predict clearly better. In a mixed form every input is there in all of its forms at once,
// each with a scale of its own, and keeps the one that changes most.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

struct Forms {
  std::vector<Warp> inputs;  ///< One for each input; empty: all as they are.
  TargetForm target = TargetForm::identity;
};

struct FormOptions {
  bool choose_inputs = true;
  std::optional<TargetForm> target;  ///< None: chosen.
  std::uint64_t seed = 0;
  std::function<bool()> is_over;  ///< Whether to end with what is known. It may throw, too.
};

Forms choose_forms(const Dataset& data, const FormOptions& options);

}  // namespace shrimp
