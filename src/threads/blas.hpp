// How many threads BLAS takes for itself, whichever of its builds was loaded.
//
// Our tiles share the cores out; inside a tile BLAS must run on one thread, both for speed and for bits that do not
// depend on how many threads there are. What that takes differs:
//   openmp    BLAS takes as many threads as OpenMP would in the thread that calls it.
//   pthreads  One number for the whole process; BLAS has threads of its own, which know nothing of ours.
//   serial    BLAS has one thread, and may be called by one thread at a time: two at once give wrong numbers.
#pragma once

namespace shrimp {

enum class BlasThreads { openmp, pthreads, serial };

/// Of the BLAS that was loaded. One that does not tell is taken to follow OpenMP.
BlasThreads blas_threads();

/// How many threads a call of BLAS by this thread would take.
int blas_threads_now();

/// Until the end of the scope BLAS runs on one thread when this thread calls it. Afterwards it does what it did before:
/// where the number is one for all threads, once the last of these scopes has ended, and unless someone else has
/// changed it meanwhile.
class BlasOnOneThread {
 public:
  BlasOnOneThread();
  ~BlasOnOneThread();
  BlasOnOneThread(const BlasOnOneThread&) = delete;
  BlasOnOneThread& operator=(const BlasOnOneThread&) = delete;

 private:
  int openmp_before_;
};

}  // namespace shrimp
