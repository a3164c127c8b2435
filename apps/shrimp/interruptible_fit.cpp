#include "interruptible_fit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <future>
#include <mutex>
#include <string_view>
#include <thread>

#include "progress.hpp"
#include "shrimp/errors.hpp"
#include "tell.hpp"
#include "threads/signals.hpp"

namespace shrimp::cli {
namespace {

constexpr int interrupted_exit_code = 130;

std::atomic<bool> stop_requested = false;
std::atomic<bool> fitting = false;
std::atomic<bool> time_is_over = false;
std::atomic<std::int64_t> first_asked = 0;
std::atomic<const char*> unfinished_file = nullptr;
// So that the handler may touch them.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

constexpr std::string_view out_of_time = "the limit of processor time (ulimit -t) is reached";

std::int64_t seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Who asks again after a while wants no model. Programs such as timeout send their signal twice at once: to the program
// and to its group.
bool is_meant_again() {
  constexpr std::int64_t seconds = 2;
  return seconds_now() >= first_asked + seconds;
}

extern "C" void on_signal(int signal) {
  if (signal == SIGXCPU && time_is_over.exchange(true)) return;  // The system sends it every second.
  if (!fitting || (stop_requested && is_meant_again())) {
    if (const char* file = unfinished_file) ::unlink(file);
    for (const std::string_view words : {std::string_view("shrimp: "), out_of_time, std::string_view(".\n")}) {
      if (signal == SIGXCPU) static_cast<void>(::write(STDERR_FILENO, words.data(), words.size()) < 0);
    }
    ::_exit(interrupted_exit_code);
  }
  // In a pipe Ctrl-C ends the reader, too: what cannot be printed any more must not cost the model.
  ::signal(SIGPIPE, SIG_IGN);
  first_asked = seconds_now();
  stop_requested = true;
}

// `ulimit -t` sets both limits of processor time to the same value, at which the system kills without a signal that
// could be handled. The lower one leaves every core a second to save the best model.
void make_room_for_the_signal_of_time() {
  rlimit time{};
  if (::getrlimit(RLIMIT_CPU, &time) != 0 || time.rlim_cur == RLIM_INFINITY || time.rlim_cur < time.rlim_max) return;
  time.rlim_cur -= std::min<rlim_t>(time.rlim_max / 2, 1 + std::thread::hardware_concurrency());
  ::setrlimit(RLIMIT_CPU, &time);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGXCPU, &action, nullptr);
  make_room_for_the_signal_of_time();
  ::signal(SIGXFSZ, SIG_IGN);  // Writes beyond `ulimit -f` fail like those on a full disk.
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
                        const std::function<void(const AnyModel&)>& save, const std::string& label) {
  using namespace std::chrono_literals;
  std::mutex guard;
  std::function<AnyModel()> best;
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
  observer.on_better_classes = [&](std::function<ClassModel()> make) {
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
    outcome = std::string("; the best model so far could not be saved: ") + error.what();
  }
  const std::string reason = time_is_over ? fmt::format("interrupted: {}", out_of_time) : "interrupted";
  tell(fmt::format("shrimp: {}{}{}\n", reason, outcome, outcome.ends_with('.') ? "" : "."));
  ::_exit(interrupted_exit_code);
}

}  // namespace

FitResult interruptible_fit(const Dataset& train, const FitOptions& options, const std::optional<Dataset>& validation,
                            const std::optional<Dataset>& test, bool quiet,
                            const std::function<void(const AnyModel&)>& save, const std::string& label) {
  const auto fit_with = [&](const FitObserver& observer) {
    return fit(train, options, validation ? &*validation : nullptr, test ? &*test : nullptr, observer);
  };
  return interruptible(fit_with, quiet, save, label);
}

FitResult interruptible_fit(RowBlocks& train, const FitOptions& options, bool quiet,
                            const std::function<void(const AnyModel&)>& save) {
  return interruptible([&](const FitObserver& observer) { return fit(train, options, observer); }, quiet, save, "");
}

}  // namespace shrimp::cli
