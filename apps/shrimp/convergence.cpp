#include "convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "shrimp/methods.hpp"

namespace shrimp::cli {
namespace {

bool takes(const std::string& method, std::string_view parameter) {
  const auto takers = methods_that_take(parameter);
  return std::ranges::find(takers, method) != takers.end();
}

}  // namespace

void require_convergence(const FitResult& result, const FitOptions& options) {
  if (result.converged) return;
  throw std::runtime_error(
      fmt::format("{} did not converge: it ended with a relative gap of {:.2g}, where the tolerance is {}.\n"
                  "Give more --max-iterations{} or a larger --tolerance, or take the model with --allow-unconverged.",
                  result.model.method, result.gap, options.sparse.tolerance,
                  takes(options.method, "eta") ? ", a larger --eta where the data have noise," : ""));
}

}  // namespace shrimp::cli
