// One pool of threads: OpenMP's, which the OpenMP build of OpenBLAS uses too.
#pragma once

#include <cstddef>
#include <functional>

namespace shrimp {

/// `asked`, or the number of cores this process may use where it is 0.
int thread_count(int asked);

/// Calls body(0), …, body(count − 1), in any order, on up to thread_count(threads) threads.
/// An exception from a body is rethrown here.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

}  // namespace shrimp
