#include "linalg/cuda/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace shrimp::cuda {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  const std::string words = cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // It would be told again at the next call.
    throw DeviceMemoryError("GPU memory is exhausted: " + words + ".");
  }
  throw std::runtime_error("the GPU failed: " + words + ".");
}

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw DeviceMemoryError("GPU memory is insufficient for cuBLAS.");
  throw std::runtime_error(fmt::format("cuBLAS failed: {}.", cublasGetStatusString(status)));
}

void check(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw DeviceMemoryError("GPU memory is insufficient for cuSOLVER.");
  throw std::runtime_error(fmt::format("cuSOLVER failed with status {}.", static_cast<int>(status)));
}

Context::Context(std::size_t most_bytes) {
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cublasCreate(&blas));
  check(cublasSetStream(blas, stream));
  check(cublasSetAtomicsMode(blas, CUBLAS_ATOMICS_NOT_ALLOWED));  // The same bits every time.
  check(cusolverDnCreate(&solver));
  check(cusolverDnSetStream(solver, stream));
  check(cusolverDnCreateParams(&parameters));
  check(cusolverDnSetDeterministicMode(solver, CUSOLVER_DETERMINISTIC_RESULTS));
  // What is given back stays in the pool: the next step asks for about as much.
  cudaMemPool_t pool = nullptr;
  int card = 0;
  check(cudaGetDevice(&card));
  check(cudaDeviceGetDefaultMemPool(&pool, card));
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  // The libraries take some of their own.
  constexpr double share = 0.9;
  const auto usable = static_cast<std::size_t>(share * static_cast<double>(free));
  most_ = most_bytes == 0 ? usable : std::min(most_bytes, usable);
}

Context::~Context() {
  cusolverDnDestroyParams(parameters);
  cusolverDnDestroy(solver);
  cublasDestroy(blas);
  cudaStreamDestroy(stream);
}

std::shared_ptr<DeviceMemory> Context::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > most_ - used_) {
    throw DeviceMemoryError(
        fmt::format("{1} bytes of GPU memory were requested, but only {0} more may be used.", most_ - used_, bytes));
  }
  void* pointer = nullptr;
  check(cudaMallocAsync(&pointer, std::max<std::size_t>(bytes, 1), stream));
  used_ += bytes;
  return std::make_shared<Memory>(shared_from_this(), pointer, bytes);
}

void Context::give_back(void* pointer, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  cudaFreeAsync(pointer, stream);
  used_ -= bytes;
}

std::size_t Context::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return most_ - used_;
}

}  // namespace shrimp::cuda
