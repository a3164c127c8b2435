#include "watched_fit.hpp"

#include <nanobind/stl/string.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "shrimp/errors.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;

namespace shrimp::python {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 50ms;  // Between looks at signals.
constexpr auto grace = 200ms;    // For a fit that was told to stop.

using BestModel = std::variant<Model, ClassModel>;

// Everything that the fit's thread touches: it may go on for a while after its caller has left.
struct Job {
  Fit fit;
  std::atomic<bool> stop = false;
  pid_t process = ::getpid();

  std::mutex guard;  // Of all below.
  std::condition_variable changed;
  bool done = false;
  const std::function<void()>* errand = nullptr;  // For the caller's thread.
  std::optional<FitProgress> progress;
  std::function<BestModel()> best;
  std::optional<FitResult> result;
  std::exception_ptr failure;

  void run() {
    FitObserver observer;
    observer.stop = &stop;
    observer.on_step = [this](const FitProgress& step) {
      const std::scoped_lock lock(guard);
      progress = step;
    };
    observer.on_better = [this](std::function<Model()> make) {
      const std::scoped_lock lock(guard);
      best = std::move(make);
    };
    observer.on_better_classes = [this](std::function<ClassModel()> make) {
      const std::scoped_lock lock(guard);
      best = std::move(make);
    };
    std::optional<FitResult> fitted;
    std::exception_ptr thrown;
    try {
      fitted = fit(observer, [this](const std::function<void()>& wanted) { have_done(wanted); });
    } catch (...) {
      thrown = std::current_exception();
    }
    if (stop) fit = nullptr;  // With its data: a caller that left will not take it.
    const std::scoped_lock lock(guard);
    result = std::move(fitted);
    failure = thrown;
    done = true;
    changed.notify_all();
  }

  void have_done(const std::function<void()>& wanted) {
    std::unique_lock lock(guard);
    if (!stop) errand = &wanted;
    changed.notify_all();
    changed.wait(lock, [this] { return errand == nullptr; });
    if (stop) throw Interrupted();
  }

  void do_errand() {
    const std::function<void()>* wanted = nullptr;
    {
      const std::scoped_lock lock(guard);
      wanted = errand;
    }
    if (wanted == nullptr) return;
    (*wanted)();
    end_errand();
  }

  void end_errand() {
    const std::scoped_lock lock(guard);
    errand = nullptr;
    changed.notify_all();
  }

  void leave() {
    stop = true;
    end_errand();
  }

  // Whether it is done; back before the time is over if it is, or if there is an errand.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(guard);
    changed.wait_for(lock, time, [this] { return done || errand != nullptr; });
    return done;
  }

  /// The best model so far, if there is one that can be made.
  std::optional<BestModel> make_best() {
    std::function<BestModel()> make;
    {
      const std::scoped_lock lock(guard);
      make = std::exchange(best, nullptr);
    }
    try {
      return make ? std::optional(make()) : std::nullopt;
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  std::optional<FitProgress> take_progress() {
    const std::scoped_lock lock(guard);
    return std::exchange(progress, std::nullopt);
  }
};

// Fits that run, or whose callers have left. The process must not tear itself down under them.
class RunningFits {
 public:
  static void add(const std::shared_ptr<Job>& job) {
    const std::scoped_lock lock(guard());
    std::erase_if(jobs(), [](const std::weak_ptr<Job>& other) { return other.expired(); });
    jobs().push_back(job);
  }

  /// They stop, and are done when it comes back.
  static void end() {
    const std::scoped_lock lock(guard());
    for (const std::weak_ptr<Job>& other : jobs()) {
      const std::shared_ptr<Job> job = other.lock();
      if (!job || job->process != ::getpid()) continue;  // A forked process has no thread that could end it.
      job->leave();
      while (!job->wait(1s)) continue;
    }
  }

 private:
  static std::mutex& guard() {
    static auto* mutex = new std::mutex;
    return *mutex;
  }
  static std::vector<std::weak_ptr<Job>>& jobs() {
    static auto* list = new std::vector<std::weak_ptr<Job>>;  // Never destroyed: the end comes late.
    return *list;
  }
};

// Whoever interrupts a fit gets the best model so far, as an attribute of the exception.
void keep_best(Job& job, nb::python_error& error) {
  if (!error.matches(PyExc_KeyboardInterrupt)) return;
  std::optional<BestModel> model;
  {
    const Unlocked unlocked;
    model = job.make_best();
  }
  if (!model) return;
  std::visit([&](auto& own) { error.value().attr("best_model") = nb::cast(std::move(own)); }, *model);
}

void let_python_look(Job& job, const nb::object& report) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  job.do_errand();
  if (report.is_none()) return;
  if (const auto step = job.take_progress())
    report(step->done, step->what, step->basis_functions, step->validation_mse);
}

}  // namespace

FitResult watched_fit(Fit fit, const nb::object& report) {
  auto job = std::make_shared<Job>();
  job->fit = std::move(fit);
  RunningFits::add(job);
  std::thread thread([job] { job->run(); });
  try {
    bool done = false;
    while (!done) {
      {
        const Unlocked unlocked;
        done = job->wait(patience);
      }
      let_python_look(*job, report);
    }
  } catch (...) {
    job->leave();
    {
      const Unlocked unlocked;
      (void)job->wait(grace);
    }
    thread.detach();
    try {
      throw;
    } catch (nb::python_error& error) {
      keep_best(*job, error);
      throw;
    }
  }
  thread.join();
  if (job->failure) std::rethrow_exception(job->failure);
  return std::move(*job->result);
}

void end_fits() {
  keep_others_unlocked();
  const Unlocked unlocked;
  RunningFits::end();
}

}  // namespace shrimp::python
