#include "data/block_views.hpp"

#include <utility>

namespace shrimp {

Dataset encoded_heading(Dataset heading, const InputPlan& plan) {
  heading.inputs = plan.inputs;
  heading.columns = plan.columns;
  heading.encoded = true;
  return heading;
}

EncodedBlocks::EncodedBlocks(RowBlocks& table, const InputPlan& plan)
    : table_(table), plan_(plan), heading_(encoded_heading(table.heading(), plan)) {}

void EncodedBlocks::for_each(const std::function<void(const Dataset& block)>& body) {
  InputEncoder encoder(plan_.inputs, plan_.columns, table_.heading().inputs, table_.heading().source);
  table_.for_each([&](const Dataset& block) {
    Dataset own = heading_;
    own.X = encoder.encode(block.X, block.columns);
    own.y = block.y;
    own.weights = block.weights;
    own.groups = block.groups;
    body(own);
  });
}

void for_each_scaled(RowBlocks& blocks, const Scaling& scaling, double weight_unit,
                     const std::function<void(const Rows&)>& body) {
  blocks.for_each([&](const Dataset& block) {
    Rows rows = scale(block, scaling);
    for (double& weight : rows.weights) weight /= weight_unit;
    body(rows);
  });
}

}  // namespace shrimp
