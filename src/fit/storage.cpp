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

namespace {

// Matrices of features and what is made of them. Folds copy A once more.
double of_features(double rows, double columns, const MemoryUse& use, const FitOptions& options) {
  const bool wide = rows < columns;
  const double small = std::min(rows, columns);
  const double copies = (wide ? use.wide : use.tall) + (options.choice.folds > 0 ? 1.0 : 0.0);
  return copies * rows * columns + (wide ? use.wide_squares : use.tall_squares) * small * small;
}

// Blocks of A in the place of A.
double of_blocks(double rows, double columns) {
  const double small = std::min(rows, columns);
  return (rows >= columns ? 4.0 * columns * columns : 2048.0 * rows) + 8.0 * small * small;
}

}  // namespace

double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr) return estimate_grow_memory(m, d, options);
  const FitOptions complete = complete_options(options, d);
  const auto rows = static_cast<double>(m);
  double largest = 0.0;
  for (const std::vector<int>& orders : complete.orders) {
    const auto columns = static_cast<double>(method.count_columns({m, d}, orders, complete));
    const double weights = columns * (16.0 * static_cast<double>(orders.back()) + 32.0);
    const double entries = keep_A ? of_features(rows, columns, method.memory, complete) : of_blocks(rows, columns);
    largest = std::max(largest, 8.0 * entries + 2.0 * weights);
  }
  return memory_of_the_program + largest + 4.0 * 8.0 * rows * static_cast<double>(d);
}

namespace {

// What to give less of, and how much of it would do.
std::string advice_for(std::size_t m, std::size_t d, FitOptions options, bool keep, double free) {
  const bool grows = method_named(options.method).candidates == nullptr;
  std::size_t& most = grows ? m : options.draw.features;
  while (most > 1 && estimate_fit_memory(m, d, options, keep) > free) most = most * 9 / 10;
  const bool helps = estimate_fit_memory(m, d, options, keep) <= free;
  if (!helps) return "Let it have more (memory).";
  if (grows) return fmt::format("Let it have more (memory), or give fewer rows: {} would do.", most);
  return fmt::format("Give fewer features (features {} would do) or fewer rows{}.", most,
                     keep ? ", or storage auto" : "");
}

}  // namespace

bool choose_storage(std::size_t m, std::size_t d, FitOptions options) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr || method.needs_stored_A) options.machine.storage = Storage::keep;
  const double free = available_memory(options.machine.memory);
  if (options.machine.storage != Storage::recompute && estimate_fit_memory(m, d, options, true) <= free) return true;
  const bool keep = options.machine.storage == Storage::keep;
  const double needed = estimate_fit_memory(m, d, options, keep);
  if (needed <= free) return false;
  throw OptionError(fmt::format("this fit needs about {} of memory, but {} may be used.\n{}", format_bytes(needed),
                                format_bytes(free), advice_for(m, d, options, keep, free)));
}

}  // namespace shrimp
