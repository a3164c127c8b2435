#include "fit/storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/memory.hpp"
#include "fit/grow_and_prune.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/methods.hpp"

namespace shrimp {

double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr) return estimate_grow_memory(m, d, options);
  const FitOptions complete = complete_options(options, d);
  double largest = 0.0;
  for (const std::vector<int>& orders : complete.orders) {
    const auto columns = static_cast<double>(method.count_columns({m, d}, orders, complete));
    const double weights = columns * (16.0 * static_cast<double>(orders.back()) + 32.0);
    // A and, of the smaller size squared, what a step factorises; folds and tall data copy A once, and several rates
    // share Gram matrices. Without A there are blocks of it.
    const auto rows = static_cast<double>(m);
    const double small = std::min(rows, columns);
    const double copies = options.choice.folds > 0 || rows >= columns ? 2.0
                          : complete.prune.rates.size() > 1           ? 1.75
                                                                      : 1.0;
    const double blocks = rows >= columns ? 4.0 * columns * columns : 2048.0 * rows;
    const double entries = (keep_A ? copies * rows * columns : blocks) + 8.0 * small * small;
    largest = std::max(largest, 8.0 * entries + 4.0 * weights);
  }
  return largest + 4.0 * 8.0 * static_cast<double>(m) * static_cast<double>(d);
}

bool choose_storage(std::size_t m, std::size_t d, FitOptions options) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr || method.needs_stored_A) options.machine.storage = Storage::keep;
  const double free = available_memory(options.machine.memory);
  if (options.machine.storage != Storage::recompute && estimate_fit_memory(m, d, options, true) <= free) return true;
  const bool keep = options.machine.storage == Storage::keep;
  const double needed = estimate_fit_memory(m, d, options, keep);
  if (needed <= free) return false;
  // The default method draws what it needs, and of long tables no more rows than there is room for.
  const std::string advice = method.candidates == nullptr
                                 ? "Give fewer inputs, or let it have more (memory)."
                                 : fmt::format("Give fewer features (features {} asks for most of it) or fewer rows{}.",
                                               options.draw.features, keep ? ", or storage auto" : "");
  throw OptionError(fmt::format("this fit needs about {} of memory, but {} may be used.\n{}", format_bytes(needed),
                                format_bytes(free), advice));
}

}  // namespace shrimp
