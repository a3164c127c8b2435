#include "path/path_engine.hpp"

#include "path/device_path_solver.hpp"
#include "path/device_rows.hpp"
#include "path/path_solver.hpp"

namespace shrimp {

std::unique_ptr<PathEngine> make_engine(const std::shared_ptr<const RowSpace>& A, std::span<const double> y,
                                        const PathOptions& options, const std::function<Matrix()>& gram) {
  // The device has no spectrum, and λ by generalised cross-validation is the host's as well.
  const bool is_plain = !options.spectrum && !options.ridge_by_gcv;
  if (A->on_device() != nullptr && is_plain) return std::make_unique<DevicePathSolver>(A, y, options);
  return std::make_unique<PathSolver>(A, y, options, gram);
}

}  // namespace shrimp
