#include "threads/blas.hpp"

#include <omp.h>
#include <pthread.h>

#include <mutex>
#include <sstream>

#include "shrimp/version.hpp"
#include "threads/blas_kernels.hpp"

// Weak: null where another BLAS than OpenBLAS was loaded.
extern "C" {
[[gnu::weak]] int openblas_get_parallel();
[[gnu::weak]] char* openblas_get_config();
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] void openblas_set_num_threads(int threads);
}

namespace shrimp {
namespace {

// OpenBLAS's number of threads for the whole process, held at one as long as anyone needs it so.
class SharedNumber {
 public:
  // Never destroyed: threads may still compute while the process ends.
  static SharedNumber& instance() {
    static auto* const number = new SharedNumber;
    return *number;
  }

  void hold() {
    const std::lock_guard lock(mutex_);
    if (holders_++ > 0) return;
    before_ = openblas_get_num_threads();
    if (before_ != 1) openblas_set_num_threads(1);
  }

  void release() {
    const std::lock_guard lock(mutex_);
    if (--holders_ == 0 && before_ != 1 && openblas_get_num_threads() == 1) openblas_set_num_threads(before_);
  }

 private:
  // A child of a fork must not find the mutex locked by a thread that it does not have.
  SharedNumber() {
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().mutex_.unlock(); });
  }

  std::mutex mutex_;
  int holders_ = 0;
  int before_ = 1;
};

}  // namespace

BlasThreads blas_threads() {
  if (openblas_get_parallel == nullptr || openblas_set_num_threads == nullptr) return BlasThreads::openmp;
  switch (openblas_get_parallel()) {
    case 0:
      return BlasThreads::serial;
    case 1:
      return BlasThreads::pthreads;
    default:
      return BlasThreads::openmp;
  }
}

std::string blas_description() {
  if (openblas_get_parallel == nullptr || openblas_get_config == nullptr) return "unknown BLAS";
  choose_blas_kernels();
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 …"
  std::string name;
  std::string number;
  config >> name >> number;
  const auto with_threads = [&](const std::string& threads) {
    return name + " " + number + " (" + threads + ", kernels for " + blas_kernels() + ")";
  };
  switch (blas_threads()) {
    case BlasThreads::serial:
      return with_threads("serial: every fit runs on one thread");
    case BlasThreads::pthreads:
      return with_threads("pthreads");
    case BlasThreads::openmp:
      break;
  }
  return with_threads("openmp");
}

int blas_threads_now() {
  switch (blas_threads()) {
    case BlasThreads::serial:
      return 1;
    case BlasThreads::pthreads:
      return openblas_get_num_threads();
    case BlasThreads::openmp:
      break;
  }
  return omp_get_max_threads();
}

BlasOnOneThread::BlasOnOneThread() : openmp_before_(omp_get_max_threads()) {
  choose_blas_kernels();
  omp_set_num_threads(1);
  if (blas_threads() == BlasThreads::pthreads) SharedNumber::instance().hold();
}

BlasOnOneThread::~BlasOnOneThread() {
  if (blas_threads() == BlasThreads::pthreads) SharedNumber::instance().release();
  omp_set_num_threads(openmp_before_);
}

}  // namespace shrimp
