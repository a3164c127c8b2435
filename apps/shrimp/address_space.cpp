// Runs before OpenBLAS does, which at its start maps 128 MiB for every core, and where there is less (ulimit -v,
// ulimit -d) asks for it again for ever: under such a limit it gets one thread. Where even that does not fit, or the
// stack is too small for any work, the program ends with a message.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace {

struct Limit {
  __rlimit_resource resource;
  rlim_t least;
  std::string_view message;
};

constexpr rlim_t mib = rlim_t{1} << 20;

constexpr Limit limits[] = {
    // The program with its libraries, a buffer for OpenBLAS and one for the thread that calls it.
    {RLIMIT_AS, 400 * mib,
     "shrimp: the address space is limited to less than 400 MiB, which linear algebra needs.\n"
     "        Raise the limit: ulimit -v unlimited.\n"},
    // The two buffers, and the data of the libraries.
    {RLIMIT_DATA, 300 * mib,
     "shrimp: the data segment is limited to less than 300 MiB, which linear algebra needs.\n"
     "        Raise the limit: ulimit -d unlimited.\n"},
    // Threads get stacks of the same size.
    {RLIMIT_STACK, mib / 2,
     "shrimp: the stack is limited to less than 512 KiB, which linear algebra needs.\n"
     "        Raise the limit: ulimit -s 8192.\n"},
};

// Sanitizers may not have begun yet.
[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] void hold_openblas(int /*argc*/, char** /*argv*/,
                                                                         char** /*environment*/) {
  for (const Limit& limit : limits) {
    rlimit set{};
    if (::getrlimit(limit.resource, &set) != 0 || set.rlim_cur == RLIM_INFINITY) continue;
    if (set.rlim_cur < limit.least) {
      static_cast<void>(::write(STDERR_FILENO, limit.message.data(), limit.message.size()) < 0);
      ::_exit(1);
    }
    if (limit.resource != RLIMIT_STACK) ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  }
}

}  // namespace

// The loader calls these before the first function of any library.
[[gnu::section(".preinit_array"), gnu::used]] static void (*before_libraries)(int, char**, char**) = hold_openblas;
