#include "convergence.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "shrimp/methods.hpp"

namespace shrimp::cli {

void require_convergence(const FitResult& result, const FitOptions& options) {
  if (result.converged) return;
  throw std::runtime_error(
      fmt::format("method {} did not converge: its relative duality gap is {:.2g}, above the tolerance {}.\nGive more "
                  "--max-iterations{} or a larger --tolerance, or accept the model with --allow-unconverged.",
                  result.model.method, result.duality_gap, options.sparse.tolerance,
                  method_takes(options.method, "eta") ? ", a larger --eta if the data are noisy," : ""));
}

}  // namespace shrimp::cli
