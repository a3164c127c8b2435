// Limits of a process's address space (ulimit -v, ulimit -d), and what of it threads take.
//
// OpenBLAS maps a buffer for every thread that calls it, and where it gets none it asks again for ever. So whoever
// starts threads that call it must see to it that they have theirs.
#pragma once

namespace shrimp {

/// Bytes that this process may still map; infinity where nothing limits it.
double address_space_left();

/// Of so many threads, those there is room for beside as much again for data, each with its buffer mapped; at least
/// one. Throws DataError where there is no room for the buffer of the first.
int threads_with_room(int threads);

}  // namespace shrimp
