/* Lets the call of a number fail: FAULT_KIND memory, short, EIO or ENOSPC; FAULT_AT the number, from 1.
   When it does, the file FAULT_MARK is made. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long fault_at;
static int fails_memory;
static int shortens;
static int error;

static void begin(void) {
  const char* kind = getenv("FAULT_KIND");
  const char* at = getenv("FAULT_AT");
  if (kind == NULL || at == NULL) return;
  fails_memory = strcmp(kind, "memory") == 0;
  shortens = strcmp(kind, "short") == 0;
  error = strcmp(kind, "EIO") == 0 ? EIO : strcmp(kind, "ENOSPC") == 0 ? ENOSPC : 0;
  atomic_store(&calls, 0);
  fault_at = atol(at);
}

static int is_the_one(int concerned) {
  if (!concerned || fault_at == 0 || atomic_fetch_add(&calls, 1) + 1 != fault_at) return 0;
  const char* mark = getenv("FAULT_MARK");
  if (mark != NULL) {
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) syscall(SYS_close, file);
  }
  return 1;
}

/* Counting begins with main: what libraries ask for at their start is not the program's. */
static int (*real_main)(int, char**, char**);

static int counted_main(int count, char** arguments, char** environment) {
  begin();
  return real_main(count, arguments, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void* stack_end) {
  typedef int Start(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  Start* start = (Start*)dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counted_main, count, arguments, init, fini, loader_fini, stack_end);
}

/* glibc's own, which need no dlsym: that itself allocates. */
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static void* none(void) {
  errno = ENOMEM;
  return NULL;
}

/* OpenBLAS's kernels for small products use what they ask for without looking at it. */
static int fails(const void* caller) {
  Dl_info place;
  if (!is_the_one(fails_memory)) return 0;
  return dladdr(caller, &place) == 0 || place.dli_fname == NULL || strstr(place.dli_fname, "libopenblas") == NULL;
}

#define FAILS fails(__builtin_return_address(0))

void* malloc(size_t size) { return FAILS ? none() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return FAILS ? none() : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return FAILS ? none() : __libc_realloc(old, size); }
void* aligned_alloc(size_t unit, size_t size) { return FAILS ? none() : __libc_memalign(unit, size); }
void* memalign(size_t unit, size_t size) { return FAILS ? none() : __libc_memalign(unit, size); }
int posix_memalign(void** result, size_t unit, size_t size) {
  void* found = FAILS ? NULL : __libc_memalign(unit, size);
  if (found == NULL) return ENOMEM;
  *result = found;
  return 0;
}

/* Large matrices come from here. */
void* mmap(void* place, size_t size, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 && FAILS) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (is_the_one(shortens) && size > 1) size = 1;
  if (is_the_one(error != 0)) {
    errno = error;
    return -1;
  }
  return syscall(SYS_write, file, bytes, size);
}

int fsync(int file) {
  if (is_the_one(error != 0)) {
    errno = error;
    return -1;
  }
  return (int)syscall(SYS_fsync, file);
}

int rename(const char* from, const char* to) {
  if (is_the_one(error != 0)) {
    errno = error;
    return -1;
  }
  return (int)syscall(SYS_rename, from, to);
}
