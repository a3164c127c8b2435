// A fit that Ctrl-C ends within a second, keeping the best model so far.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "any_model.hpp"
#include "shrimp/fit.hpp"

namespace shrimp::cli {

/// Makes SIGINT, SIGTERM, SIGHUP and SIGXCPU (ulimit -t) end the program with code 130: at once while no fit is running
/// and no file is being put in its place. A file that becomes too large (ulimit -f) is an error of its write.
void install_signal_handlers();

/// While it lives, a signal that ends the program takes this file with it; "" for none. One lives at a time.
class RemovedIfInterrupted {
 public:
  /// The path must outlive it.
  explicit RemovedIfInterrupted(const std::string& path);
  ~RemovedIfInterrupted();
  RemovedIfInterrupted(const RemovedIfInterrupted&) = delete;
  RemovedIfInterrupted& operator=(const RemovedIfInterrupted&) = delete;
};

/// Runs shrimp::fit on a thread of its own. If a signal comes, `save` gets the best model found so far, if any, and
/// the program ends with code 130, even in the middle of a long factorisation. `label` goes before the progress.
FitResult interruptible_fit(const Dataset& train, const FitOptions& options, const std::optional<Dataset>& validation,
                            const std::optional<Dataset>& test, bool quiet,
                            const std::function<void(const AnyModel&)>& save, const std::string& label = "");

/// The same for a table that is read block by block.
FitResult interruptible_fit(RowBlocks& train, const FitOptions& options, bool quiet,
                            const std::function<void(const AnyModel&)>& save);

}  // namespace shrimp::cli
