// One card: its stream, its libraries' handles, and its memory, which is counted.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cstddef>
#include <memory>
#include <mutex>

#include "linalg/device.hpp"

namespace shrimp::cuda {

/// Throw std::runtime_error with what the library says; DeviceMemoryError where there is no room.
void check(cudaError_t status);
void check(cublasStatus_t status);
void check(cusolverStatus_t status);

class Context : public std::enable_shared_from_this<Context> {
 public:
  /// May take so many bytes at most; 0: what is free.
  explicit Context(std::size_t most_bytes);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  /// Throws DeviceMemoryError.
  [[nodiscard]] std::shared_ptr<DeviceMemory> allocate(std::size_t bytes);
  void give_back(void* pointer, std::size_t bytes) noexcept;
  [[nodiscard]] std::size_t free_bytes() const;
  void wait() const { check(cudaStreamSynchronize(stream)); }

  cudaStream_t stream = nullptr;
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cusolverDnParams_t parameters = nullptr;

 private:
  mutable std::mutex mutex_;
  std::size_t most_ = 0;
  std::size_t used_ = 0;
};

class Memory : public DeviceMemory {
 public:
  Memory(std::shared_ptr<Context> context, void* pointer, std::size_t bytes)
      : context_(std::move(context)), pointer_(pointer), bytes_(bytes) {}
  ~Memory() override { context_->give_back(pointer_, bytes_); }

  [[nodiscard]] void* pointer() const { return pointer_; }

 private:
  std::shared_ptr<Context> context_;
  void* pointer_;
  std::size_t bytes_;
};

template <typename T>
T* pointer_to(const std::shared_ptr<DeviceMemory>& memory) {
  return memory == nullptr ? nullptr : static_cast<T*>(static_cast<Memory&>(*memory).pointer());
}

inline double* entries(const DeviceMatrix& M) { return pointer_to<double>(M.memory); }
inline const std::uint32_t* entries(const DeviceIndices& P) { return pointer_to<std::uint32_t>(P.memory); }

}  // namespace shrimp::cuda
