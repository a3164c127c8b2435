#include "fit/long_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "data/blocks.hpp"
#include "data/encode.hpp"
#include "data/memory.hpp"
#include "data/standardize.hpp"
#include "data/wild_values.hpp"
#include "fit/baselines.hpp"
#include "fit/check.hpp"
#include "fit/grow_and_prune.hpp"
#include "fit/long_source.hpp"
#include "fit/storage.hpp"
#include "methods/method.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/methods.hpp"
#include "threads/stop.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Rows that are searched: their features are kept, a few hundred to two thousand of them, and a few copies of the rows.
// Of less memory fewer are: down to those that terms are found on, and where even these ask for too much, to as many as
// there is room for.
std::size_t most_rows_searched(std::size_t inputs, const FitOptions& options) {
  constexpr double most = 50000.0;
  constexpr double usual = 8000.0;
  constexpr double fewest = 1000.0;
  constexpr double share = 0.25;
  const double bytes = 8.0 * (2000.0 + 12.0 * static_cast<double>(inputs));
  const double free = available_memory(options.machine.memory);
  double rows = std::clamp(share * free / bytes, usual, most);
  const auto needed = [&] { return estimate_grow_memory(static_cast<std::size_t>(rows), inputs, options).alone; };
  while (rows > fewest && needed() > free) rows = std::max(fewest, 0.8 * rows);
  return static_cast<std::size_t>(rows);
}

void check_stop(const FitObserver& observer) {
  if (observer.stop != nullptr && observer.stop->load()) throw Interrupted();
}

LongTable sample(LongSource& train, const FitOptions& options, const FitObserver& observer) {
  LongTableOptions sampling;
  sampling.most_searched = most_rows_searched(train.heading().inputs.size(), options);
  sampling.most_held_out = sampling.most_searched;
  sampling.seed = options.seed;
  sampling.blocks = options.choice.blocks;
  sampling.check = [&observer] { check_stop(observer); };
  return train.sample(sampling);
}

// In units of their mean, which is 1 for rows without.
void normalize_weights(LongTable& table) {
  for (Dataset* part : {&table.searched, &table.choosing, &table.telling}) {
    for (double& weight : part->weights) weight /= table.mean_weight;
  }
}

// The range of every input and of the target as two rows.
Dataset range_of(const LongTable& table) {
  Dataset range;
  range.inputs = table.searched.inputs;
  range.target = table.searched.target;
  range.columns = table.searched.columns;
  range.encoded = table.searched.encoded;
  const std::size_t inputs = range.inputs.size();
  range.X = Matrix::uninitialized(2, inputs);
  for (std::size_t j = 0; j < inputs; ++j) {
    range.X(0, j) = table.lowest[j];
    range.X(1, j) = table.highest[j];
  }
  range.y = {table.lowest[inputs], table.highest[inputs]};
  return range;
}

std::shared_ptr<ModelFrame> long_frame(LongSource& source, const LongTable& table, const FitOptions& options,
                                       const FitObserver& observer) {
  const Dataset range = range_of(table);
  const std::shared_ptr<ModelFrame> frame = frame_of(table.searched, options, &range, nullptr, observer);
  frame->validated_by_file = false;
  if (options.terms.clip) limit_inputs(frame->scaling, range.X, *options.terms.clip);
  const std::vector<double> target = scale_target(range.y, frame->scaling);
  frame->lowest_target = target.front();
  frame->highest_target = target.back();
  LongRows more;
  more.rows = table.rows;
  more.choosing = scale(table.choosing, frame->scaling);
  more.telling = scale(table.telling, frame->scaling);
  more.sum_up = [&source, units = RowUnits{frame->scaling, table.mean_weight}](const ScaledDictionary& columns,
                                                                               const SumOptions& how) {
    return source.sum_up(units, columns, how);
  };
  frame->more = std::move(more);
  return frame;
}

Dataset gather_all(RowBlocks& train, const FitOptions& options, const FitObserver& observer) {
  Dataset all = train.heading();
  std::vector<double> values;  // One row after the other.
  const double most = available_memory(options.machine.memory);
  train.for_each([&](const Dataset& block) {
    check_stop(observer);
    for (std::size_t i = 0; i < block.y.size(); ++i) {
      for (std::size_t j = 0; j < block.X.cols(); ++j) values.push_back(block.X(i, j));
    }
    all.y.insert(all.y.end(), block.y.begin(), block.y.end());
    all.weights.insert(all.weights.end(), block.weights.begin(), block.weights.end());
    all.groups.insert(all.groups.end(), block.groups.begin(), block.groups.end());
    all.exposure.insert(all.exposure.end(), block.exposure.begin(), block.exposure.end());
    const double bytes = 2.0 * sizeof(double) * static_cast<double>(values.size() + 3 * all.y.size());
    if (bytes <= most) return;
    const bool by_loss = options.loss != Loss::squared;
    throw DataError(
        fmt::format("{}: its rows do not fit into the {} of memory that may be used, and {} {} needs all of them.\nUse "
                    "{}, which reads long tables in blocks, or give fewer rows.",
                    all.source.empty() ? "training data" : all.source, format_bytes(most), by_loss ? "loss" : "method",
                    by_loss ? name_of(options.loss) : options.method, by_loss ? "loss squared" : "method auto"));
  });
  all.columns = train.heading().columns;  // With the levels that came.
  all.X = Matrix::uninitialized(all.y.size(), all.inputs.size());
  for (std::size_t i = 0; i < all.y.size(); ++i) {
    for (std::size_t j = 0; j < all.inputs.size(); ++j) all.X(i, j) = values[i * all.inputs.size() + j];
  }
  return all;
}

FitResult fit_sampled(LongSource& train, LongTable table, const FitOptions& options, const FitObserver& observer) {
  normalize_weights(table);
  check_fit(table.searched, options, nullptr, nullptr);
  if (options.choice.blocks) table.searched.groups = consecutive_blocks(table.searched.y, options.choice.folds);
  check_groups(table.searched, options);
  const std::shared_ptr<const ModelFrame> frame = long_frame(train, table, options, observer);
  FitResult result = make_result(*frame, grow_and_prune(frame, nullptr, nullptr, observer));
  add_baselines(table.searched, {}, &table.telling, options, result.model.results);
  result.model.results["rows"] = static_cast<double>(table.rows);
  result.model.results["rows_searched"] = static_cast<double>(table.searched.y.size());
  result.threads = thread_count(0);
  for (std::string& warning : ignored_option_warnings(options)) result.warnings.push_back(std::move(warning));
  const Dataset range = range_of(table);
  for (std::string& warning : constant_column_warnings(range)) result.warnings.push_back(std::move(warning));
  for (std::string& alert : wild_value_warnings(table.searched, &range)) {
    result.alerts.insert(result.alerts.begin(), std::move(alert));
  }
  return result;
}

FitResult fit_long(LongSource& train, const FitOptions& options, const FitObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t inputs = train.heading().inputs.size();
  const ThreadScope scope(threads_in_memory(most_rows_searched(inputs, options), inputs, options));
  const StopScope stoppable(observer.stop);
  LongTable table = sample(train, options, observer);
  if (!table.is_long()) return fit(table.searched, options, nullptr, nullptr, observer);
  InputPlan plan;
  if (needs_encoding(table.searched)) {
    // Levels that the rows searched lack, or have too few of, are as good as unseen.
    plan = plan_inputs(table.searched);
    train.encode(plan);
    table = sample(train, options, observer);
    if (!table.is_long()) return fit(table.searched, options, nullptr, nullptr, observer);
  }
  FitResult result = fit_sampled(train, std::move(table), options, observer);
  result.warnings.insert(result.warnings.begin(), plan.warnings.begin(), plan.warnings.end());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

bool fits_in_parts(const FitOptions& options) {
  return method_named(options.method).candidates == nullptr && options.loss == Loss::squared;
}

bool is_long(std::size_t rows, std::size_t inputs, const FitOptions& options) {
  return fits_in_parts(options) && rows > most_rows_searched(inputs, options);
}

FitResult fit(RowBlocks& train, const FitOptions& options, const FitObserver& observer) {
  if (!train.heading().exposure_column.empty()) check_takes_exposure(options);
  if (!fits_in_parts(options)) return fit(gather_all(train, options, observer), options, nullptr, nullptr, observer);
  return fit_long(*source_of(train), options, observer);
}

FitResult fit(TableParts& train, const FitOptions& options, const FitObserver& observer) {
  if (!fits_in_parts(options)) throw std::logic_error("a fit that needs all rows, of a partitioned table");
  return fit_long(*source_of(train), options, observer);
}

}  // namespace shrimp
