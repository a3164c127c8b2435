// What neither cuBLAS nor cuSOLVER has. Sums are taken in an order that depends on the sizes alone.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "linalg/device.hpp"

namespace shrimp::cuda {

/// A weight vector and up to two columns of it: a cosine and a sine of the same argument cost little more than one.
struct FeatureJob {
  std::uint32_t row;
  std::uint32_t column;  ///< Of `function`.
  std::uint32_t sine;    ///< A column of sines beside a column of cosines, or none.
  DeviceFunction function;
};
inline constexpr std::uint32_t no_column = 0xffffffffu;

struct FeatureArrays {
  const std::uint32_t* offsets;
  const std::uint32_t* variables;
  const double* values;
  const double* phases;  ///< May be null.
  const FeatureJob* jobs;
  std::size_t job_count;
};

/// A (rows×…) ← features of the rows of X (stride `X_stride`), each times its factor (may be null).
void evaluate_features(cudaStream_t stream, const FeatureArrays& features, const double* X, std::size_t X_stride,
                       const double* factors, double* A, std::size_t rows);

/// flag ← 1 where an entry is no finite number; else it stays.
void find_not_finite(cudaStream_t stream, const double* A, std::size_t count, int* flag);

void gather_columns(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t count,
                    double* part);
/// part (count×columns) ← `count` rows of A (rows×columns).
void gather_rows(cudaStream_t stream, const double* A, std::size_t rows, std::size_t columns, const std::uint32_t* P,
                 std::size_t count, double* part);
void gather_symmetric(cudaStream_t stream, const double* H, std::size_t size, const std::uint32_t* places,
                      std::size_t count, double* part);
void add_to_diagonal(cudaStream_t stream, double* G, std::size_t size, double shift);
void fill(cudaStream_t stream, double* x, std::size_t count, double value);

/// G ← G + diag(d)
void add_diagonal(cudaStream_t stream, double* G, std::size_t size, const double* d);
/// d ← the diagonal of G
void read_diagonal(cudaStream_t stream, const double* G, std::size_t size, double* d);

/// DeviceKernel with its scales on the card.
struct KernelArrays {
  DeviceLaw law;
  const double* scales;
  std::size_t inputs;
  double variance;
};

/// K (rows×columns) ← the kernel of `rows` rows of U and `columns` rows of V, both dense.
void evaluate_kernel_matrix(cudaStream_t stream, const KernelArrays& kernel, const double* U, std::size_t rows,
                            const double* V, std::size_t columns, double* K);
/// Device::kernel_slopes, by way of size·(inputs + 1) partial sums, into inputs + 1 sums.
void kernel_slopes(cudaStream_t stream, const KernelArrays& kernel, const double* U, std::size_t size, const double* K,
                   const double* M, const double* alpha, double* partial, double* slopes);

/// Into how many parts the rows, or the columns, of a product are divided.
std::size_t project_parts(std::size_t rows);
std::size_t combine_parts(std::size_t columns);

/// c ← A_Pᵀ z, by way of project_parts(rows)·columns partial sums.
void project(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
             const double* z, double* partial, double* c);
/// sum ← A_P c, by way of combine_parts(columns)·rows partial sums.
void combine(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
             const double* c, double* partial, double* sum);

}  // namespace shrimp::cuda
