// dgemm_peak: what the card can do at most, as JSON: flops of cuBLAS' dgemm, and bytes read and written by a copy.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include "median_seconds.hpp"

int main() {
  constexpr std::int64_t n = 8192;
  constexpr std::size_t bytes = std::size_t{n} * n * sizeof(double);
  constexpr int repeats = 5;
  double* A = nullptr;
  double* B = nullptr;
  double* C = nullptr;
  cublasHandle_t blas = nullptr;
  for (double** matrix : {&A, &B, &C}) {
    if (cudaMalloc(matrix, bytes) != cudaSuccess) return 1;
  }
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return 1;
  // Numbers of no pattern: zeros would run faster than what a fit has.
  std::vector<double> values(bytes / sizeof(double));
  std::uint64_t state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  for (double* matrix : {A, B}) cudaMemcpy(matrix, values.data(), bytes, cudaMemcpyHostToDevice);
  const double one = 1.0;
  const double zero = 0.0;
  const auto multiply = [&] {
    for (int k = 0; k < repeats; ++k) {
      cublasDgemm_64(blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, A, n, B, n, &zero, C, n);
    }
    cudaDeviceSynchronize();
  };
  const auto copy = [&] {
    for (int k = 0; k < repeats; ++k) cudaMemcpyAsync(C, A, bytes, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
  };
  multiply();
  copy();
  const double product = median_seconds(5, multiply) / repeats;
  const double moved = median_seconds(5, copy) / repeats;
  fmt::print(R"({{"dgemm_flops":{:.4g},"copy_bytes":{:.4g}}})"
             "\n",
             2.0 * n * n * n / product, 2.0 * static_cast<double>(bytes) / moved);
}
