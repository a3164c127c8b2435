#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace shrimp::cli {
namespace {

std::string time_left(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

// Unlike fmt::print it does not throw where nobody reads: a fit goes on without its progress being seen.
void print(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace

Progress::Progress(bool quiet)
    : style_(quiet                          ? Style::none
             : ::isatty(STDERR_FILENO) != 0 ? Style::bar
                                            : Style::lines) {}

Progress::~Progress() { clear(); }

void Progress::show(const FitProgress& progress) {
  const std::string text =
      fmt::format("{}: {} columns, validation MSE {:.3g}", progress.what, progress.columns, progress.validation_mse);
  if (style_ == Style::lines) print(text + "\n");
  if (style_ != Style::bar) return;
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(std::clamp(progress.done, 0.0, 1.0) * width);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double left = progress.done > 0.0 ? elapsed * (1.0 / progress.done - 1.0) : 0.0;
  print(fmt::format("\r\033[K[{:<{}}] {:3.0f} %  {} left  {}", std::string(filled, '#'), width, 100.0 * progress.done,
                    time_left(left), text));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) print("\r\033[K");
  drawn_ = false;
}

}  // namespace shrimp::cli
