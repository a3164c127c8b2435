#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tell.hpp"

namespace shrimp::cli {
namespace {

std::string time_left(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(bool quiet)
    : style_(quiet                          ? Style::none
             : ::isatty(STDERR_FILENO) != 0 ? Style::bar
                                            : Style::lines) {}

Progress::~Progress() { clear(); }

void Progress::show(const FitProgress& progress) {
  std::string text = fmt::format("{}: {} basis function{}", progress.what, progress.basis_functions,
                                 progress.basis_functions == 1 ? "" : "s");
  if (!std::isnan(progress.validation_mse)) text += fmt::format(", validation MSE {:.3g}", progress.validation_mse);
  if (style_ == Style::lines) tell(text + "\n");
  if (style_ != Style::bar) return;
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(std::clamp(progress.done, 0.0, 1.0) * width);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double left = progress.done > 0.0 ? elapsed * (1.0 / progress.done - 1.0) : 0.0;
  draw(fmt::format("\r\033[K[{:<{}}] {:3.0f} %  {} left  {}", std::string(filled, '#'), width, 100.0 * progress.done,
                   time_left(left), text));
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) draw("\r\033[K");
  drawn_ = false;
}

}  // namespace shrimp::cli
