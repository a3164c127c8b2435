// Interrupts, time budget and progress of a fit that runs in several steps.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <mutex>
#include <string>

#include "fit/search_options.hpp"
#include "fit/selection.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

class FitWatch {
 public:
  /// Both must outlive it.
  FitWatch(const ModelFrame& frame, const FitObserver& observer) : frame_(frame), observer_(observer) {}

  void check_stop() const {
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  void check_budget() const {
    check_stop();
    if (seconds_are_over()) throw SecondsAreOver();
  }

  [[nodiscard]] bool has_budget() const { return frame_.options.terms.budget_seconds > 0.0; }
  [[nodiscard]] bool seconds_are_over() const { return share_of_seconds() >= 1.0; }
  [[nodiscard]] bool share_of_search_is_spent() const { return share_of_seconds() > share_of_search; }

  [[nodiscard]] double share_of_seconds() const {
    const double seconds = frame_.options.terms.budget_seconds;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - frame_.began;
    return seconds > 0.0 ? elapsed.count() / seconds : 0.0;
  }

  /// A step that is not done at the end of the budget leaves everything as it was.
  void improve(const std::function<void()>& step) {
    try {
      if (seconds_are_over()) throw SecondsAreOver();
      step();
    } catch (const SecondsAreOver&) {
      ended_early_ = true;
    }
  }

  [[nodiscard]] bool ended_early() const { return ended_early_; }

  // Folds are searched by several threads; one at a time reports.
  void report(double done, const std::string& what, std::size_t columns) {
    if (!observer_.on_step) return;
    const std::lock_guard lock(reporting_);
    done_ = std::max(done_, done);
    observer_.on_step({std::min(1.0, done_), what, columns, least_error_});
  }
  /// Reports a step without progress.
  void report(const std::string& what, std::size_t columns) { report(0.0, what, columns); }

  /// The error of the best model so far, for progress.
  void set_least_error(double error) { least_error_ = error; }

 private:
  const ModelFrame& frame_;
  const FitObserver& observer_;
  bool ended_early_ = false;
  std::mutex reporting_;
  double done_ = 0.0;
  double least_error_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace shrimp
