#include "clipped.hpp"

#include "arguments.hpp"

namespace shrimp::cli {

void print_clipped(const Model& model, MatrixView X, bool quiet) {
  const std::string warning = clipping_warning(model, clipped_rows(model, X));
  if (!warning.empty()) print_warnings({warning}, quiet);
}

}  // namespace shrimp::cli
