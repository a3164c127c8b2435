// A table's blocks seen in other ways: with the inputs of a model, and in scaled units.
#pragma once

#include <functional>

#include "data/encode.hpp"
#include "data/rows.hpp"
#include "shrimp/table_blocks.hpp"

namespace shrimp {

/// The same rows with the inputs of a model in the place of a table's columns. Both must outlive it.
class EncodedBlocks : public RowBlocks {
 public:
  EncodedBlocks(RowBlocks& table, const InputPlan& plan);

  [[nodiscard]] const Dataset& heading() const override { return heading_; }
  void for_each(const std::function<void(const Dataset& block)>& body) override;

 private:
  RowBlocks& table_;
  const InputPlan& plan_;
  Dataset heading_;
};

/// What a table's heading becomes by a plan.
Dataset encoded_heading(Dataset heading, const InputPlan& plan);

/// Calls `body` with one block after the other in scaled units, weights divided by theirs.
void for_each_scaled(RowBlocks& blocks, const Scaling& scaling, double weight_unit,
                     const std::function<void(const Rows&)>& body);

}  // namespace shrimp
