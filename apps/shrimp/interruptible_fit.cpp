#include "interruptible_fit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <mutex>

#include "progress.hpp"
#include "shrimp/errors.hpp"
#include "tell.hpp"
#include "threads/signals.hpp"

namespace shrimp::cli {
namespace {

constexpr int interrupted_exit_code = 130;

std::atomic<bool> stop_requested = false;
std::atomic<bool> fitting = false;
std::atomic<const char*> unfinished_file = nullptr;
// So that the handler may touch them.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

extern "C" void on_signal(int /*signal*/) {
  if (!fitting || stop_requested) {
    if (const char* file = unfinished_file) ::unlink(file);
    ::_exit(interrupted_exit_code);
  }
  // In a pipe Ctrl-C ends the reader, too: what cannot be printed any more must not cost the model.
  ::signal(SIGPIPE, SIG_IGN);
  stop_requested = true;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup has it ignored.
}

RemovedIfInterrupted::RemovedIfInterrupted(const std::string& path) {
  if (!path.empty()) unfinished_file = path.c_str();
}

RemovedIfInterrupted::~RemovedIfInterrupted() { unfinished_file = nullptr; }

namespace {

FitResult interruptible(const std::function<FitResult(const FitObserver&)>& fit_with, bool quiet,
                        const std::function<void(const Model&)>& save, const std::string& label) {
  using namespace std::chrono_literals;
  std::mutex guard;
  std::function<Model()> best;
  Progress progress(quiet);
  FitObserver observer;
  observer.stop = &stop_requested;
  observer.on_step = [&](FitProgress step) {
    if (!label.empty()) step.what = label + ", " + step.what;
    progress.show(step);
  };
  observer.on_better = [&](std::function<Model()> make) {
    const std::scoped_lock lock(guard);
    best = std::move(make);
  };

  fitting = true;
  auto running = [&] {
    const HeldSignals held = HeldSignals::from_outside();  // They are for this thread, which may hold them back.
    return std::async(std::launch::async, [&] { return fit_with(observer); });
  }();
  while (running.wait_for(20ms) != std::future_status::ready) {
    if (!stop_requested) continue;
    // A factorisation cannot be called back: after this grace the program ends around it.
    running.wait_for(200ms);
    break;
  }
  if (!stop_requested) {
    fitting = false;
    return running.get();
  }
  progress.clear();
  std::string outcome = " before the first model was found";
  try {
    const std::scoped_lock lock(guard);
    if (best) {
      save(best());
      outcome = "";
    }
  } catch (const std::exception& error) {
    outcome = std::string("; the best model so far was lost: ") + error.what();
  }
  tell(fmt::format("shrimp: interrupted{}{}\n", outcome, outcome.ends_with('.') ? "" : "."));
  ::_exit(interrupted_exit_code);
}

}  // namespace

FitResult interruptible_fit(const Dataset& train, const FitOptions& options, const std::optional<Dataset>& validation,
                            const std::optional<Dataset>& test, bool quiet,
                            const std::function<void(const Model&)>& save, const std::string& label) {
  const auto fit_with = [&](const FitObserver& observer) {
    return fit(train, options, validation ? &*validation : nullptr, test ? &*test : nullptr, observer);
  };
  return interruptible(fit_with, quiet, save, label);
}

FitResult interruptible_fit(RowBlocks& train, const FitOptions& options, bool quiet,
                            const std::function<void(const Model&)>& save) {
  return interruptible([&](const FitObserver& observer) { return fit(train, options, observer); }, quiet, save, "");
}

}  // namespace shrimp::cli
