#include "clipped.hpp"

#include <algorithm>
#include <functional>

#include "arguments.hpp"

namespace shrimp::cli {

void ClippedCount::add(MatrixView X) {
  const ClippedRows block = clipped_rows(model_, X);
  all_.of += block.of;
  all_.rows += block.rows;
  std::ranges::transform(all_.by_input, block.by_input, all_.by_input.begin(), std::plus());
}

void ClippedCount::print(bool quiet) const {
  const std::string warning = clipping_warning(model_, all_);
  if (!warning.empty()) print_warnings({warning}, quiet);
}

void print_clipped(const Model& model, MatrixView X, bool quiet) {
  ClippedCount clipped(model);
  clipped.add(X);
  clipped.print(quiet);
}

}  // namespace shrimp::cli
