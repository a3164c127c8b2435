#include "tell.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include "data/file.hpp"
#include "text.hpp"
#include "threads/signals.hpp"

namespace shrimp::cli {

// A pipe that nobody reads would end the program: the signal of such a write is held back and taken away, unless one
// was waiting before.
void draw(std::string_view text) {
  const HeldSignals held({SIGPIPE});
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  const bool waited = sigismember(&pending, SIGPIPE) == 1;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (waited) return;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  constexpr timespec now{0, 0};
  while (sigtimedwait(&pipe, nullptr, &now) == -1 && errno == EINTR) {
  }
}

void tell(std::string_view text) { draw(printable(text)); }

std::string as_written(const std::string& path, std::string text) {
  const bool is_terminal = path == "-" && ::isatty(STDOUT_FILENO) == 1;
  return is_terminal ? printable(text) : text;
}

void write_data(const std::string& path, const std::string& text) { write_file(path, as_written(path, text)); }

}  // namespace shrimp::cli
