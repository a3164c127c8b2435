#include "convergence.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "shrimp/methods.hpp"

namespace shrimp::cli {

void require_convergence(const FitResult& result, const FitOptions& options) {
  if (result.converged) return;
  throw std::runtime_error(
      fmt::format("{} did not converge: it ended with a relative gap of {:.2g}, where the tolerance is {}.\n"
                  "Give more --max-iterations{} or a larger --tolerance, or take the model with --allow-unconverged.",
                  result.model.method, result.duality_gap, options.sparse.tolerance,
                  method_takes(options.method, "eta") ? ", a larger --eta where the data have noise," : ""));
}

}  // namespace shrimp::cli
