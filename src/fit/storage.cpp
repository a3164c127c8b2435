#include "fit/storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/memory.hpp"
#include "features/bases.hpp"
#include "fit/grow_and_prune.hpp"
#include "linalg/matrix_memory.hpp"
#include "methods/method.hpp"
#include "path/effects_reduction.hpp"
#include "path/path_solver.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/methods.hpp"
#include "threads/threads.hpp"

namespace shrimp {

namespace {

// A as a fit will draw it.
struct Shape {
  std::size_t rows;
  std::size_t fitted;  // Rows that are not held out.
  std::size_t inputs;
  std::size_t columns;
  double dimensions;  // That the columns of A span at most, as far as rounding lets them.
  bool waves_of_pairs;
};

Shape shape_of(std::size_t m, std::size_t d, const std::vector<int>& orders, const Method& method,
               const FitOptions& options) {
  // What functions of a few inputs are reckoned to take (see src/path/group_compression.cpp).
  constexpr double dimensions_of_a_support = 40.0;
  Shape shape{m, m, d, method.count_columns({m, d}, orders, options), 0.0, false};
  const ChoiceOptions& choice = options.choice;
  const double held = choice.folds > 0 ? 1.0 / static_cast<double>(choice.folds) : choice.fraction;
  shape.fitted = static_cast<std::size_t>(std::ceil((1.0 - held) * static_cast<double>(m)));
  for (const int q : orders) {
    shape.dimensions += dimensions_of_a_support * static_cast<double>(binomial(d, static_cast<std::uint64_t>(q)));
  }
  const std::span<const Function> functions = about(options.draw.basis.value_or(Basis::fourier)).functions;
  const bool are_waves = std::ranges::all_of(functions, [](Function each) { return about(each).form == Form::wave; });
  shape.waves_of_pairs = are_waves && orders.back() <= 2;
  return shape;
}

bool is_reduced(const Shape& shape, const MemoryUses& uses) {
  return uses.reduced && shape.waves_of_pairs &&
         may_reduce_by_effects(shape.fitted, shape.columns, std::min(shape.inputs, shape.columns));
}

// Wide and of fewer dimensions than rows: what rounding leaves of the others is cut off, which takes copies of A.
bool is_dependent(const Shape& shape, const MemoryUses& uses) {
  return uses.dependent && shape.dimensions < static_cast<double>(shape.fitted);
}

MemoryUse use_of(const Shape& shape, const MemoryUses& uses, bool may_reduce) {
  if (shape.fitted >= shape.columns) return may_reduce && is_reduced(shape, uses) ? *uses.reduced : uses.tall;
  if (!is_dependent(shape, uses)) return uses.wide;
  return shape.columns > very_wide * shape.fitted ? *uses.very_dependent : *uses.dependent;
}

// Entries of matrices of features and of what is made of them.
double of_features(const Shape& shape, const Method& method, const FitOptions& options, bool may_reduce) {
  MemoryUse use = use_of(shape, method.memory, may_reduce);
  if (options.choice.folds > 0) use.copies += 1.0;  // Those of a fold.
  const auto rows = static_cast<double>(shape.rows);
  const auto columns = static_cast<double>(shape.columns);
  const double small = static_cast<double>(std::min(shape.fitted, shape.columns));
  const auto kept = static_cast<double>(
      method.most_kept != nullptr ? method.most_kept(shape.fitted, shape.columns, options) : shape.columns);
  return use.copies * rows * columns + use.squares * small * small + use.kept * (rows + kept) * kept +
         use.blocks * static_cast<double>(effects_block_entries(shape.rows, shape.columns));
}

// Blocks of A in the place of A.
double of_blocks(const Shape& shape) {
  const auto rows = static_cast<double>(shape.rows);
  const auto columns = static_cast<double>(shape.columns);
  const double small = std::min(rows, columns);
  return (rows >= columns ? 4.0 * columns * columns : 2048.0 * rows) + 8.0 * small * small;
}

// The largest of what the orders ask for. Where the data may let A be reduced without being stored, that is what is
// counted on if `may_reduce`.
double estimate(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A, bool may_reduce) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr) {
    const GrowMemory needed = estimate_grow_memory(m, d, options);
    const int others = std::min(needed.most_others, thread_count(options.machine.threads) - 1);
    return needed.alone + others * needed.of_a_thread;
  }
  const FitOptions complete = complete_options(options, d);
  double largest = 0.0;
  for (const std::vector<int>& orders : complete.orders) {
    const Shape shape = shape_of(m, d, orders, method, complete);
    const double weights = static_cast<double>(shape.columns) * (16.0 * static_cast<double>(orders.back()) + 32.0);
    const double matrices = 8.0 * (keep_A ? of_features(shape, method, complete, may_reduce) : of_blocks(shape));
    largest = std::max(largest, matrices + most_spare_memory(matrices) + 2.0 * weights);
  }
  return memory_of_the_program + largest + 4.0 * 8.0 * static_cast<double>(m) * static_cast<double>(d);
}

}  // namespace

double estimate_fit_memory(std::size_t m, std::size_t d, const FitOptions& options, bool keep_A) {
  return estimate(m, d, options, keep_A, true);
}

namespace {

// What to give less of, and how much of it would do.
std::string advice_for(std::size_t m, std::size_t d, FitOptions options, bool keep, double free) {
  const bool grows = method_named(options.method).candidates == nullptr;
  std::size_t& most = grows ? m : options.draw.features;
  while (most > 1 && estimate_fit_memory(m, d, options, keep) > free) most = most * 9 / 10;
  const bool helps = estimate_fit_memory(m, d, options, keep) <= free;
  if (!helps) return "Raise the limit (option memory).";
  if (grows) return fmt::format("Raise the limit (option memory), or give at most {} rows.", most);
  return fmt::format("Give fewer features (at most {}) or fewer rows{}.", most, keep ? ", or storage auto" : "");
}

}  // namespace

bool choose_storage(std::size_t m, std::size_t d, FitOptions options) {
  const Method& method = method_named(options.method);
  if (method.candidates == nullptr || method.needs_stored_A) options.machine.storage = Storage::keep;
  options.machine.threads = 1;  // See threads_in_memory.
  const double free = available_memory(options.machine.memory);
  // A is kept where there is room for it whatever the data are like.
  if (options.machine.storage != Storage::recompute && estimate(m, d, options, true, false) <= free) return true;
  const bool keep = options.machine.storage == Storage::keep;
  const double needed = estimate_fit_memory(m, d, options, keep);
  if (needed <= free) return keep;
  throw OptionError(fmt::format("this fit needs about {} of memory, but {} may be used.\n{}", format_bytes(needed),
                                format_bytes(free), advice_for(m, d, options, keep, free)));
}

int threads_in_memory(std::size_t m, std::size_t d, const FitOptions& options) {
  const int asked = thread_count(options.machine.threads);
  if (method_named(options.method).candidates != nullptr) return asked;
  const GrowMemory needed = estimate_grow_memory(m, d, options);
  const double others = (available_memory(options.machine.memory) - needed.alone) / needed.of_a_thread;
  if (others >= needed.most_others) return asked;
  return std::clamp(1 + static_cast<int>(others), 1, asked);
}

}  // namespace shrimp
