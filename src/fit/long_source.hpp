// All rows of a long table, wherever they are: what a fit asks of them.
#pragma once

#include <memory>

#include "data/encode.hpp"
#include "data/long_table.hpp"
#include "grow/long_rows.hpp"
#include "shrimp/table_blocks.hpp"
#include "shrimp/table_parts.hpp"

namespace shrimp {

/// How rows are scaled before their columns are summed up.
struct RowUnits {
  Scaling scaling;
  double weight = 1.0;
};

class LongSource {
 public:
  LongSource() = default;
  virtual ~LongSource() = default;
  LongSource(const LongSource&) = delete;
  LongSource& operator=(const LongSource&) = delete;

  [[nodiscard]] virtual const Dataset& heading() const = 0;
  /// From now on with the inputs of a model in the place of a table's columns. The plan must outlive it.
  virtual void encode(const InputPlan& plan) = 0;
  [[nodiscard]] virtual LongTable sample(const LongTableOptions& options) = 0;
  [[nodiscard]] virtual NormalEquations sum_up(const RowUnits& units, const ScaledDictionary& columns,
                                               const SumOptions& options) = 0;
};

/// Rows that are read here; the blocks must outlive it.
std::unique_ptr<LongSource> source_of(RowBlocks& blocks);
/// Rows in parts that are asked; these must outlive it.
std::unique_ptr<LongSource> source_of(TableParts& parts);

}  // namespace shrimp
