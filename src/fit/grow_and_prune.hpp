// The automatic method: grow terms, then prune their features.
#pragma once

#include <memory>

#include "fit/selection.hpp"

namespace shrimp {

/// Throws Interrupted where the observer asks for it, and OptionError where the options name inputs that are not there.
Choice grow_and_prune(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
                      const FitObserver& observer);

/// Bytes that it needs at its peak for m rows and d inputs: on one thread, and how many each further one adds.
struct GrowMemory {
  double alone = 0.0;
  double of_a_thread = 0.0;
  int most_others = 0;  ///< Threads beyond these add nothing.
};
GrowMemory estimate_grow_memory(std::size_t m, std::size_t d, const FitOptions& options);

}  // namespace shrimp
