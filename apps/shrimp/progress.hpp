// Progress on standard error: a bar with the time left on a terminal, a line per step elsewhere.
#pragma once

#include <chrono>

#include "shrimp/fit.hpp"

namespace shrimp::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const FitProgress& progress);
  /// Takes the bar off the screen.
  void clear();

 private:
  enum class Style { none, lines, bar };

  Style style_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace shrimp::cli
