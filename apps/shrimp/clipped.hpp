// A word about rows outside the training range.
#pragma once

#include "shrimp/model.hpp"

namespace shrimp::cli {

/// Counts them in rows that come block by block.
class ClippedCount {
 public:
  /// The model must outlive it.
  explicit ClippedCount(const Model& model)
      : model_(model), all_{0, 0, std::vector<std::size_t>(model.inputs.size())} {}

  void add(MatrixView X);
  /// To standard error, unless quiet or there are none.
  void print(bool quiet) const;

 private:
  const Model& model_;
  ClippedRows all_;
};

/// The same for rows that are all there.
void print_clipped(const Model& model, MatrixView X, bool quiet);

}  // namespace shrimp::cli
