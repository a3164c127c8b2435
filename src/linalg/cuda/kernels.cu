#include "linalg/cuda/context.hpp"
#include "linalg/cuda/kernels.hpp"

namespace shrimp::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned lanes = 32;
constexpr unsigned warps = threads / lanes;
constexpr std::size_t project_rows = 16384;   // A part of a dot product.
constexpr std::size_t combine_columns = 128;  // A part of a sum of columns.

unsigned blocks_for(std::size_t count, std::size_t size = threads) {
  return static_cast<unsigned>((count + size - 1) / size);
}

void check_launch() { check(cudaGetLastError()); }

__device__ double apply(DeviceFunction function, double t) {
  switch (function) {
    case DeviceFunction::cos:
      return cos(t);
    case DeviceFunction::sin:
      return sin(t);
    case DeviceFunction::relu:
      return t > 0.0 ? t : (t == t ? 0.0 : t);
    case DeviceFunction::tanh:
      return tanh(t);
    case DeviceFunction::identity:
      return t;
    case DeviceFunction::step:
      return t > 0.0 ? 1.0 : 0.0;
  }
  return t;
}

// A block has one job and `threads` rows: its weights are the same for all its threads. The sum goes in the order of
// the CPU's, fused as there.
__global__ void evaluate_kernel(FeatureArrays features, const double* X, std::size_t X_stride, const double* factors,
                                double* A, std::size_t rows) {
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i >= rows) return;
  const FeatureJob job = features.jobs[blockIdx.x];
  double t = features.phases != nullptr ? features.phases[job.row] : 0.0;
  const std::uint32_t end = features.offsets[job.row + 1];
  for (std::uint32_t l = features.offsets[job.row]; l < end; ++l) {
    t = fma(features.values[l], X[i + features.variables[l] * X_stride], t);
  }
  const double factor = factors != nullptr ? factors[i] : 1.0;
  if (job.sine == no_column) {
    A[i + job.column * rows] = factor * apply(job.function, t);
    return;
  }
  double sine = 0.0;
  double cosine = 0.0;
  sincos(t, &sine, &cosine);
  A[i + job.column * rows] = factor * cosine;
  A[i + job.sine * rows] = factor * sine;
}

__global__ void find_not_finite_kernel(const double* A, std::size_t count, int* flag) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  bool found = false;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count; i += step) {
    found = found || !isfinite(A[i]);
  }
  if (found) *flag = 1;
}

__global__ void gather_columns_kernel(const double* A, std::size_t rows, const std::uint32_t* P, double* part) {
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i < rows) part[i + blockIdx.x * rows] = A[i + P[blockIdx.x] * rows];
}

__global__ void gather_rows_kernel(const double* A, std::size_t rows, const std::uint32_t* P, std::size_t count,
                                   double* part) {
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i < count) part[i + blockIdx.x * count] = A[P[i] + blockIdx.x * rows];
}

__global__ void gather_symmetric_kernel(const double* H, std::size_t size, const std::uint32_t* places,
                                        std::size_t count, double* part) {
  const std::size_t j = blockIdx.x;
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i < count && i >= j) part[i + j * count] = H[places[i] + places[j] * size];
}

__global__ void add_to_diagonal_kernel(double* G, std::size_t size, double shift) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < size) G[i + i * size] += shift;
}

__global__ void add_diagonal_kernel(double* G, std::size_t size, const double* d) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < size) G[i + i * size] += d[i];
}

__global__ void read_diagonal_kernel(const double* G, std::size_t size, double* d) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < size) d[i] = G[i + i * size];
}

constexpr double root_of_three = 1.7320508075688772;

// κ = factor·exp(−exponent).
__device__ void add_distance(DeviceLaw law, double r, double& exponent, double& factor) {
  if (law == DeviceLaw::normal) {
    exponent = fma(0.5 * r, r, exponent);
  } else if (law == DeviceLaw::cauchy) {
    exponent += r;
  } else {
    exponent = fma(root_of_three, r, exponent);
    factor *= fma(root_of_three, r, 1.0);
  }
}

// By log r, over κ.
__device__ double slope_at(DeviceLaw law, double r) {
  if (law == DeviceLaw::normal) return -r * r;
  if (law == DeviceLaw::cauchy) return -r;
  return -3.0 * r * r / fma(root_of_three, r, 1.0);
}

__global__ void kernel_matrix_kernel(KernelArrays kernel, const double* U, std::size_t rows, const double* V,
                                     std::size_t columns, double* K) {
  const std::size_t k = blockIdx.x;
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i >= rows) return;
  double exponent = 0.0;
  double factor = kernel.variance;
  for (std::size_t l = 0; l < kernel.inputs; ++l) {
    add_distance(kernel.law, kernel.scales[l] * fabs(U[i + l * rows] - V[k + l * columns]), exponent, factor);
  }
  K[i + k * rows] = factor * exp(-exponent);
}

// The sum of all threads' numbers, for the first thread.
__device__ double sum_of_block(double sum) {
  __shared__ double of_warps[warps];
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % lanes == 0) of_warps[threadIdx.x / lanes] = sum;
  __syncthreads();
  double all = 0.0;
  for (unsigned w = 0; w < warps && threadIdx.x == 0; ++w) all += of_warps[w];
  return all;
}

// A block has a column of the lower triangle and an input, or none for the sum of W.
__global__ void slopes_of_columns_kernel(KernelArrays kernel, const double* U, std::size_t size, const double* K,
                                         const double* M, const double* alpha, double* partial) {
  const std::size_t b = blockIdx.x;
  const std::size_t l = blockIdx.y;
  const bool has_input = l < kernel.inputs;
  const double* const u = U + (has_input ? l : 0) * size;
  const double scale = has_input ? kernel.scales[l] : 0.0;
  const double here = has_input ? u[b] : 0.0;
  double sum = 0.0;
  for (std::size_t i = b + threadIdx.x; i < size; i += threads) {
    const double w = (alpha[i] * alpha[b] - M[i + b * size]) * K[i + b * size];
    const double slope = has_input ? slope_at(kernel.law, scale * fabs(u[i] - here)) : 1.0;
    sum = fma(i == b ? w : 2.0 * w, slope, sum);
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) partial[b + l * size] = sum;
}

__global__ void sum_columns_kernel(const double* A, std::size_t rows, double* sums) {
  double sum = 0.0;
  for (std::size_t i = threadIdx.x; i < rows; i += threads) sum += A[i + blockIdx.x * rows];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void fill_kernel(double* x, std::size_t count, double value) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count; i += step) x[i] = value;
}

// A warp has one column and `project_rows` rows.
__global__ void project_kernel(const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
                               const double* z, double* partial) {
  const std::size_t k = std::size_t{blockIdx.x} * warps + threadIdx.x / lanes;
  if (k >= columns) return;
  const double* a = A + P[k] * rows;
  const std::size_t first = blockIdx.y * project_rows;
  const std::size_t last = min(rows, first + project_rows);
  double sums[4] = {};
  std::size_t i = first + threadIdx.x % lanes;
  for (; i + 3 * lanes < last; i += 4 * lanes) {
    for (unsigned u = 0; u < 4; ++u) sums[u] = fma(a[i + u * lanes], z[i + u * lanes], sums[u]);
  }
  for (; i < last; i += lanes) sums[0] = fma(a[i], z[i], sums[0]);
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % lanes == 0) partial[blockIdx.y * columns + k] = sum;
}

// A thread has one row and `combine_columns` columns.
__global__ void combine_kernel(const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
                               const double* c, double* partial) {
  __shared__ double own_c[combine_columns];
  __shared__ std::size_t own_start[combine_columns];
  const std::size_t first = blockIdx.x * combine_columns;
  const auto count = static_cast<unsigned>(min(combine_columns, columns - first));
  for (unsigned k = threadIdx.x; k < count; k += threads) {
    own_c[k] = c[first + k];
    own_start[k] = P[first + k] * rows;
  }
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.y} * threads + threadIdx.x;
  if (i >= rows) return;
  double sums[4] = {};
  unsigned k = 0;
  for (; k + 3 < count; k += 4) {
    for (unsigned u = 0; u < 4; ++u) sums[u] = fma(own_c[k + u], A[own_start[k + u] + i], sums[u]);
  }
  for (; k < count; ++k) sums[0] = fma(own_c[k], A[own_start[k] + i], sums[0]);
  partial[blockIdx.x * rows + i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// x ← the sum of its parts, which lie one behind the other.
__global__ void add_parts_kernel(const double* partial, std::size_t parts, std::size_t count, double* x) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= count) return;
  double sum = 0.0;
  for (std::size_t part = 0; part < parts; ++part) sum += partial[part * count + i];
  x[i] = sum;
}

void add_parts(cudaStream_t stream, const double* partial, std::size_t parts, std::size_t count, double* x) {
  add_parts_kernel<<<blocks_for(count), threads, 0, stream>>>(partial, parts, count, x);
  check_launch();
}

}  // namespace

void evaluate_features(cudaStream_t stream, const FeatureArrays& features, const double* X, std::size_t X_stride,
                       const double* factors, double* A, std::size_t rows) {
  if (features.job_count == 0 || rows == 0) return;
  const dim3 grid(static_cast<unsigned>(features.job_count), blocks_for(rows));
  evaluate_kernel<<<grid, threads, 0, stream>>>(features, X, X_stride, factors, A, rows);
  check_launch();
}

void find_not_finite(cudaStream_t stream, const double* A, std::size_t count, int* flag) {
  if (count == 0) return;
  find_not_finite_kernel<<<min(blocks_for(count), 4096u), threads, 0, stream>>>(A, count, flag);
  check_launch();
}

void gather_columns(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t count,
                    double* part) {
  if (count == 0 || rows == 0) return;
  gather_columns_kernel<<<dim3(static_cast<unsigned>(count), blocks_for(rows)), threads, 0, stream>>>(A, rows, P, part);
  check_launch();
}

void gather_rows(cudaStream_t stream, const double* A, std::size_t rows, std::size_t columns, const std::uint32_t* P,
                 std::size_t count, double* part) {
  if (count == 0 || columns == 0) return;
  const dim3 grid(static_cast<unsigned>(columns), blocks_for(count));
  gather_rows_kernel<<<grid, threads, 0, stream>>>(A, rows, P, count, part);
  check_launch();
}

void gather_symmetric(cudaStream_t stream, const double* H, std::size_t size, const std::uint32_t* places,
                      std::size_t count, double* part) {
  if (count == 0) return;
  gather_symmetric_kernel<<<dim3(static_cast<unsigned>(count), blocks_for(count)), threads, 0, stream>>>(
      H, size, places, count, part);
  check_launch();
}

void add_to_diagonal(cudaStream_t stream, double* G, std::size_t size, double shift) {
  add_to_diagonal_kernel<<<blocks_for(size), threads, 0, stream>>>(G, size, shift);
  check_launch();
}

void add_diagonal(cudaStream_t stream, double* G, std::size_t size, const double* d) {
  add_diagonal_kernel<<<blocks_for(size), threads, 0, stream>>>(G, size, d);
  check_launch();
}

void read_diagonal(cudaStream_t stream, const double* G, std::size_t size, double* d) {
  read_diagonal_kernel<<<blocks_for(size), threads, 0, stream>>>(G, size, d);
  check_launch();
}

void evaluate_kernel_matrix(cudaStream_t stream, const KernelArrays& kernel, const double* U, std::size_t rows,
                            const double* V, std::size_t columns, double* K) {
  const dim3 grid(static_cast<unsigned>(columns), blocks_for(rows));
  kernel_matrix_kernel<<<grid, threads, 0, stream>>>(kernel, U, rows, V, columns, K);
  check_launch();
}

void kernel_slopes(cudaStream_t stream, const KernelArrays& kernel, const double* U, std::size_t size, const double* K,
                   const double* M, const double* alpha, double* partial, double* slopes) {
  const auto sums = static_cast<unsigned>(kernel.inputs + 1);
  const dim3 grid(static_cast<unsigned>(size), sums);
  slopes_of_columns_kernel<<<grid, threads, 0, stream>>>(kernel, U, size, K, M, alpha, partial);
  check_launch();
  sum_columns_kernel<<<sums, threads, 0, stream>>>(partial, size, slopes);
  check_launch();
}

void fill(cudaStream_t stream, double* x, std::size_t count, double value) {
  if (count == 0) return;
  fill_kernel<<<min(blocks_for(count), 4096u), threads, 0, stream>>>(x, count, value);
  check_launch();
}

std::size_t project_parts(std::size_t rows) { return (rows + project_rows - 1) / project_rows; }
std::size_t combine_parts(std::size_t columns) { return (columns + combine_columns - 1) / combine_columns; }

void project(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
             const double* z, double* partial, double* c) {
  const std::size_t parts = project_parts(rows);
  double* const sums = parts == 1 ? c : partial;
  project_kernel<<<dim3(blocks_for(columns, warps), static_cast<unsigned>(parts)), threads, 0, stream>>>(
      A, rows, P, columns, z, sums);
  check_launch();
  if (parts > 1) add_parts(stream, partial, parts, columns, c);
}

void combine(cudaStream_t stream, const double* A, std::size_t rows, const std::uint32_t* P, std::size_t columns,
             const double* c, double* partial, double* sum) {
  const std::size_t parts = combine_parts(columns);
  combine_kernel<<<dim3(static_cast<unsigned>(parts), blocks_for(rows)), threads, 0, stream>>>(A, rows, P, columns, c,
                                                                                             partial);
  check_launch();
  add_parts(stream, partial, parts, rows, sum);
}

}  // namespace shrimp::cuda
