// Runs before OpenBLAS does, which at its start maps 128 MiB for every core, and where there is less (ulimit -v) asks
// for it again for ever: under such a limit it gets one thread, and where even that does not fit the program ends.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace {

// The program with its libraries, a buffer for OpenBLAS and one for the thread that calls it.
constexpr rlim_t least = rlim_t{400} << 20;

// Sanitizers may not have begun yet.
[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] void hold_openblas(int /*argc*/, char** /*argv*/,
                                                                         char** /*environment*/) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur >= least) {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    return;
  }
  constexpr std::string_view message =
      "shrimp: the address space is limited to less than 400 MiB, which linear algebra needs.\n"
      "        Raise the limit: ulimit -v unlimited.\n";
  static_cast<void>(::write(STDERR_FILENO, message.data(), message.size()) < 0);
  ::_exit(1);
}

}  // namespace

// The loader calls these before the first function of any library.
[[gnu::section(".preinit_array"), gnu::used]] static void (*before_libraries)(int, char**, char**) = hold_openblas;
