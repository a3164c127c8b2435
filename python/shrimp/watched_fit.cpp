#include "watched_fit.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace nb = nanobind;

namespace shrimp::python {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 50ms;  // Between looks at signals.
constexpr auto grace = 200ms;    // For a fit that was told to stop.

// Everything that the fit's thread touches: it may go on for a while after its caller has left.
struct Job {
  Dataset train;
  std::optional<Dataset> validation;
  FitOptions options;
  std::atomic<bool> stop = false;

  std::mutex guard;  // Of all below.
  std::condition_variable changed;
  bool done = false;
  std::optional<FitProgress> progress;
  std::optional<FitResult> result;
  std::exception_ptr failure;

  void run() {
    FitObserver observer;
    observer.stop = &stop;
    observer.on_step = [this](const FitProgress& step) {
      const std::scoped_lock lock(guard);
      progress = step;
    };
    std::optional<FitResult> fitted;
    std::exception_ptr thrown;
    try {
      fitted = fit(train, options, validation ? &*validation : nullptr, nullptr, observer);
    } catch (...) {
      thrown = std::current_exception();
    }
    if (stop) release_data();
    const std::scoped_lock lock(guard);
    result = std::move(fitted);
    failure = thrown;
    done = true;
    changed.notify_all();
  }

  // A caller that left will not take it, and stragglers are kept until the process ends.
  void release_data() {
    train = {};
    validation.reset();
  }

  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(guard);
    return changed.wait_for(lock, time, [this] { return done; });
  }

  std::optional<FitProgress> take_progress() {
    const std::scoped_lock lock(guard);
    return std::exchange(progress, std::nullopt);
  }
};

// Fits whose callers have left. The process must not tear itself down under them.
class Stragglers {
 public:
  static void adopt(std::shared_ptr<Job> job) {
    static const bool registered = Py_AtExit(&Stragglers::wait) == 0;
    (void)registered;
    const std::scoped_lock lock(guard());
    jobs().push_back(std::move(job));
  }

 private:
  static void wait() {
    const std::scoped_lock lock(guard());
    for (const std::shared_ptr<Job>& job : jobs()) {
      while (!job->wait(1s)) continue;
    }
  }
  static std::mutex& guard() {
    static std::mutex mutex;
    return mutex;
  }
  static std::vector<std::shared_ptr<Job>>& jobs() {
    static auto* list = new std::vector<std::shared_ptr<Job>>;  // Never destroyed: wait comes late.
    return *list;
  }
};

void let_python_look(Job& job, const nb::object& report) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (report.is_none()) return;
  if (const auto step = job.take_progress()) report(step->done, step->what, step->columns, step->validation_mse);
}

}  // namespace

FitResult watched_fit(Dataset train, std::optional<Dataset> validation, const FitOptions& options,
                      const nb::object& report) {
  auto job = std::make_shared<Job>();
  job->train = std::move(train);
  job->validation = std::move(validation);
  job->options = options;
  std::thread thread([job] { job->run(); });
  try {
    bool done = false;
    while (!done) {
      {
        const nb::gil_scoped_release unlocked;
        done = job->wait(patience);
      }
      let_python_look(*job, report);
    }
  } catch (...) {
    job->stop = true;
    {
      const nb::gil_scoped_release unlocked;
      (void)job->wait(grace);
    }
    Stragglers::adopt(job);
    thread.detach();
    throw;
  }
  thread.join();
  if (job->failure) std::rethrow_exception(job->failure);
  return std::move(*job->result);
}

}  // namespace shrimp::python
