// The operations of linalg/device.hpp by cuBLAS, cuSOLVER and a few kernels.
#include "linalg/device.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>

#include "linalg/cuda/context.hpp"
#include "linalg/cuda/kernels.hpp"
#include "linalg/cuda/why_not.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace cuda {
namespace {

// Columns of one weight vector share a job where they are its cosine and its sine.
std::vector<FeatureJob> jobs_of(const DeviceFeatures& features) {
  std::vector<std::uint32_t> waiting(features.offsets.size() - 1, no_column);  // By weight vector, a job of cosines.
  std::vector<FeatureJob> jobs;
  jobs.reserve(features.rows.size());
  for (std::size_t k = 0; k < features.rows.size(); ++k) {
    const std::uint32_t row = features.rows[k];
    const auto column = static_cast<std::uint32_t>(k);
    if (features.functions[k] == DeviceFunction::sin && waiting[row] != no_column) {
      jobs[waiting[row]].sine = column;
      waiting[row] = no_column;
      continue;
    }
    if (features.functions[k] == DeviceFunction::cos) waiting[row] = static_cast<std::uint32_t>(jobs.size());
    jobs.push_back({row, column, no_column, features.functions[k]});
  }
  return jobs;
}

class CudaDevice : public Device {
 public:
  CudaDevice(std::string name, std::size_t most_bytes)
      : name_(std::move(name)), context_(std::make_shared<Context>(most_bytes)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::size_t free_bytes() const override { return context_->free_bytes(); }

  DeviceMatrix make(std::size_t rows, std::size_t cols) override {
    return {context_->allocate(rows * cols * sizeof(double)), rows, cols};
  }

  DeviceMatrix upload(MatrixView M) override {
    const std::lock_guard lock(mutex_);
    DeviceMatrix result = make(M.rows, M.cols);
    if (!result.empty()) {
      check(cudaMemcpy2DAsync(entries(result), M.rows * sizeof(double), M.data, M.stride * sizeof(double),
                              M.rows * sizeof(double), M.cols, cudaMemcpyHostToDevice, stream()));
      context_->wait();  // The host's memory may go as soon as this returns.
    }
    return result;
  }

  DeviceIndices upload(std::span<const std::size_t> indices) override {
    const std::lock_guard lock(mutex_);
    const std::vector<std::uint32_t> narrow(indices.begin(), indices.end());
    return {upload_array(std::span(narrow)), indices.size()};
  }

  Matrix download(const DeviceMatrix& M) override {
    const std::lock_guard lock(mutex_);
    Matrix result = Matrix::uninitialized(M.rows, M.cols);
    if (!M.empty()) {
      check(cudaMemcpyAsync(result.data(), entries(M), M.rows * M.cols * sizeof(double), cudaMemcpyDeviceToHost,
                            stream()));
      context_->wait();
    }
    return result;
  }

  void fill(DeviceMatrix& M, double value) override {
    const std::lock_guard lock(mutex_);
    cuda::fill(stream(), entries(M), M.rows * M.cols, value);
  }

  void copy(const DeviceMatrix& from, std::size_t from_first, DeviceMatrix& to, std::size_t to_first,
            std::size_t count) override {
    const std::lock_guard lock(mutex_);
    copy_entries(entries(from) + from_first, count, entries(to) + to_first);
  }

  void evaluate(const DeviceFeatures& features, const DeviceMatrix& X, std::size_t first, const DeviceMatrix& factors,
                DeviceMatrix& A) override {
    const std::lock_guard lock(mutex_);
    const std::vector<FeatureJob> jobs = jobs_of(features);
    const auto offsets = upload_array(std::span(features.offsets));
    const auto variables = upload_array(std::span(features.variables));
    const auto values = upload_array(std::span(features.values));
    const auto phases = features.phases.empty() ? nullptr : upload_array(std::span(features.phases));
    const auto on_card = upload_array(std::span(jobs));
    const FeatureArrays arrays{pointer_to<std::uint32_t>(offsets), pointer_to<std::uint32_t>(variables),
                               pointer_to<double>(values),         pointer_to<double>(phases),
                               pointer_to<FeatureJob>(on_card),    jobs.size()};
    const double* const own = factors.empty() ? nullptr : entries(factors) + first;
    evaluate_features(stream(), arrays, entries(X) + first, X.rows, own, entries(A), A.rows);
  }

  bool all_finite(const DeviceMatrix& A) override {
    const std::lock_guard lock(mutex_);
    const auto flag = context_->allocate(sizeof(int));
    check(cudaMemsetAsync(pointer_to<int>(flag), 0, sizeof(int), stream()));
    find_not_finite(stream(), entries(A), A.rows * A.cols, pointer_to<int>(flag));
    return read(pointer_to<int>(flag)) == 0;
  }

  void gather_columns(const DeviceMatrix& A, const DeviceIndices& P, std::size_t first, DeviceMatrix& part) override {
    const std::lock_guard lock(mutex_);
    cuda::gather_columns(stream(), entries(A), A.rows, entries(P) + first, part.cols, entries(part));
  }

  void gather_rows(const DeviceMatrix& A, const DeviceIndices& P, DeviceMatrix& part) override {
    const std::lock_guard lock(mutex_);
    cuda::gather_rows(stream(), entries(A), A.rows, A.cols, entries(P), P.size, entries(part));
  }

  void gather_symmetric(const DeviceMatrix& H, const DeviceIndices& places, DeviceMatrix& part) override {
    const std::lock_guard lock(mutex_);
    cuda::gather_symmetric(stream(), entries(H), H.rows, entries(places), places.size, entries(part));
  }

  void add_gram(DeviceMatrix& G, double alpha, const DeviceMatrix& A) override {
    const std::lock_guard lock(mutex_);
    const double one = 1.0;
    check(cublasDsyrk_64(context_->blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, signed_size(A.rows), signed_size(A.cols),
                         &alpha, entries(A), signed_size(A.rows), &one, entries(G), signed_size(G.rows)));
  }

  void add_gram_of_columns(DeviceMatrix& H, const DeviceMatrix& A) override {
    const std::lock_guard lock(mutex_);
    const double one = 1.0;
    check(cublasDsyrk_64(context_->blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, signed_size(A.cols), signed_size(A.rows),
                         &one, entries(A), signed_size(A.rows), &one, entries(H), signed_size(H.rows)));
  }

  void multiply_transposed(const DeviceMatrix& A, const DeviceMatrix& B, DeviceMatrix& C) override {
    const std::lock_guard lock(mutex_);
    const double one = 1.0;
    const double zero = 0.0;
    const std::int64_t m = signed_size(A.rows);
    check(cublasDgemm_64(context_->blas, CUBLAS_OP_T, CUBLAS_OP_N, signed_size(A.cols), signed_size(B.cols), m, &one,
                         entries(A), m, entries(B), m, &zero, entries(C), signed_size(C.rows)));
  }

  void project(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& z, DeviceMatrix& c) override {
    const std::lock_guard lock(mutex_);
    const DeviceMatrix partial = make(P.size, project_parts(A.rows));
    cuda::project(stream(), entries(A), A.rows, entries(P), P.size, entries(z), entries(partial), entries(c));
  }

  void combine(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& c, DeviceMatrix& sum) override {
    const std::lock_guard lock(mutex_);
    const DeviceMatrix partial = make(A.rows, combine_parts(P.size));
    cuda::combine(stream(), entries(A), A.rows, entries(P), P.size, entries(c), entries(partial), entries(sum));
  }

  bool factor(DeviceMatrix& G, double shift) override {
    const std::lock_guard lock(mutex_);
    if (shift != 0.0) cuda::add_to_diagonal(stream(), entries(G), G.rows, shift);
    const std::int64_t n = signed_size(G.rows);
    std::size_t on_card = 0;
    std::size_t on_host = 0;
    check(cusolverDnXpotrf_bufferSize(context_->solver, context_->parameters, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
                                      entries(G), n, CUDA_R_64F, &on_card, &on_host));
    const auto work = context_->allocate(on_card);
    const auto info = context_->allocate(sizeof(int));
    std::vector<char> host_work(on_host);
    check(cusolverDnXpotrf(context_->solver, context_->parameters, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, entries(G), n,
                           CUDA_R_64F, pointer_to<void>(work), on_card, host_work.data(), on_host,
                           pointer_to<int>(info)));
    return read(pointer_to<int>(info)) == 0;
  }

  void solve(const DeviceMatrix& L, DeviceMatrix& b) override {
    const std::lock_guard lock(mutex_);
    const std::int64_t n = signed_size(L.rows);
    for (const cublasOperation_t side : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      check(cublasDtrsv_64(context_->blas, CUBLAS_FILL_MODE_LOWER, side, CUBLAS_DIAG_NON_UNIT, n, entries(L), n,
                           entries(b), 1));
    }
  }

  void solve_right(const DeviceMatrix& L, DeviceMatrix& B) override {
    const std::lock_guard lock(mutex_);
    const double one = 1.0;
    const std::int64_t m = signed_size(B.rows);
    const std::int64_t n = signed_size(B.cols);
    check(cublasDtrsm_64(context_->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT,
                         m, n, &one, entries(L), n, entries(B), m));
  }

  void invert(DeviceMatrix& L) override {
    const std::lock_guard lock(mutex_);
    const int n = static_cast<int>(L.rows);
    int size = 0;
    check(cusolverDnDpotri_bufferSize(context_->solver, CUBLAS_FILL_MODE_LOWER, n, entries(L), n, &size));
    const DeviceMatrix work = make(static_cast<std::size_t>(size), 1);
    const auto info = context_->allocate(sizeof(int));
    check(cusolverDnDpotri(context_->solver, CUBLAS_FILL_MODE_LOWER, n, entries(L), n, entries(work), size,
                           pointer_to<int>(info)));
  }

  std::vector<double> diagonal(const DeviceMatrix& M) override {
    const std::lock_guard lock(mutex_);
    const DeviceMatrix own = make(M.rows, 1);
    read_diagonal(stream(), entries(M), M.rows, entries(own));
    return read(own);
  }

  void scale_rows(DeviceMatrix& A, const DeviceMatrix& d) override {
    const std::lock_guard lock(mutex_);
    const std::int64_t m = signed_size(A.rows);
    check(cublasDdgmm_64(context_->blas, CUBLAS_SIDE_LEFT, m, signed_size(A.cols), entries(A), m, entries(d), 1,
                         entries(A), m));
  }

  void add_to_diagonal(DeviceMatrix& G, const DeviceMatrix& d) override {
    const std::lock_guard lock(mutex_);
    add_diagonal(stream(), entries(G), G.rows, entries(d));
  }

  void evaluate(const DeviceKernel& kernel, const DeviceMatrix& U, const DeviceMatrix& V, DeviceMatrix& K) override {
    const std::lock_guard lock(mutex_);
    const auto scales = upload_array(std::span(kernel.scales));
    evaluate_kernel_matrix(stream(), arrays_of(kernel, scales), entries(U), K.rows, entries(V), K.cols, entries(K));
  }

  std::vector<double> kernel_slopes(const DeviceKernel& kernel, const DeviceMatrix& U, const DeviceMatrix& K,
                                    const DeviceMatrix& M, const DeviceMatrix& alpha) override {
    const std::lock_guard lock(mutex_);
    const auto scales = upload_array(std::span(kernel.scales));
    const std::size_t sums = kernel.scales.size() + 1;
    const DeviceMatrix partial = make(K.rows, sums);
    const DeviceMatrix slopes = make(sums, 1);
    cuda::kernel_slopes(stream(), arrays_of(kernel, scales), entries(U), K.rows, entries(K), entries(M), entries(alpha),
                        entries(partial), entries(slopes));
    return read(slopes);
  }

  void add_scaled(DeviceMatrix& y, double alpha, const DeviceMatrix& x) override {
    const std::lock_guard lock(mutex_);
    check(cublasDaxpy_64(context_->blas, signed_size(y.rows * y.cols), &alpha, entries(x), 1, entries(y), 1));
  }

  double norm(const DeviceMatrix& x) override {
    const std::lock_guard lock(mutex_);
    double result = 0.0;
    check(cublasDnrm2_64(context_->blas, signed_size(x.rows * x.cols), entries(x), 1, &result));
    return result;
  }

  // y stands behind the columns of A: its reflected entries come with the triangle.
  DeviceTriangle reduce(const DeviceMatrix& A, const DeviceMatrix& y) override {
    const std::lock_guard lock(mutex_);
    const std::size_t n = A.cols;
    DeviceMatrix both = make(A.rows, n + 1);
    copy_entries(entries(A), A.rows * n, entries(both));
    copy_entries(entries(y), A.rows, entries(both) + A.rows * n);
    factor_by_reflections(both);
    const std::size_t height = std::min(A.rows, n + 1);
    Matrix top = Matrix::uninitialized(height, n + 1);
    check(cudaMemcpy2DAsync(top.data(), height * sizeof(double), entries(both), A.rows * sizeof(double),
                            height * sizeof(double), n + 1, cudaMemcpyDeviceToHost, stream()));
    context_->wait();
    DeviceTriangle result{Matrix(n, n), std::vector<double>(n), 0.0};
    for (std::size_t j = 0; j < n; ++j) std::copy_n(top.col(j).begin(), j + 1, result.R.col(j).begin());
    std::copy_n(top.col(n).begin(), n, result.b.begin());
    if (height > n) result.rest = top(n, n) * top(n, n);
    return result;
  }

 private:
  [[nodiscard]] cudaStream_t stream() const { return context_->stream; }
  static std::int64_t signed_size(std::size_t size) { return static_cast<std::int64_t>(size); }

  template <typename T>
  std::shared_ptr<DeviceMemory> upload_array(std::span<const T> values) {
    auto memory = context_->allocate(values.size_bytes());
    check(cudaMemcpyAsync(pointer_to<void>(memory), values.data(), values.size_bytes(), cudaMemcpyHostToDevice,
                          stream()));
    context_->wait();
    return memory;
  }

  template <typename T>
  std::shared_ptr<DeviceMemory> upload_array(std::span<T> values) {
    return upload_array(std::span<const T>(values));
  }

  void copy_entries(const double* from, std::size_t count, double* to) {
    check(cudaMemcpyAsync(to, from, count * sizeof(double), cudaMemcpyDeviceToDevice, stream()));
  }

  static KernelArrays arrays_of(const DeviceKernel& kernel, const std::shared_ptr<DeviceMemory>& scales) {
    return {kernel.law, pointer_to<double>(scales), kernel.scales.size(), kernel.variance};
  }

  std::vector<double> read(const DeviceMatrix& x) {
    std::vector<double> values(x.rows * x.cols);
    check(cudaMemcpyAsync(values.data(), entries(x), values.size() * sizeof(double), cudaMemcpyDeviceToHost, stream()));
    context_->wait();
    return values;
  }

  int read(const int* pointer) {
    int value = 0;
    check(cudaMemcpyAsync(&value, pointer, sizeof(int), cudaMemcpyDeviceToHost, stream()));
    context_->wait();
    return value;
  }

  void factor_by_reflections(DeviceMatrix& A) {
    const std::int64_t m = signed_size(A.rows);
    const std::int64_t n = signed_size(A.cols);
    const DeviceMatrix tau = make(std::min(A.rows, A.cols), 1);
    std::size_t on_card = 0;
    std::size_t on_host = 0;
    check(cusolverDnXgeqrf_bufferSize(context_->solver, context_->parameters, m, n, CUDA_R_64F, entries(A), m,
                                      CUDA_R_64F, entries(tau), CUDA_R_64F, &on_card, &on_host));
    const auto work = context_->allocate(on_card);
    const auto info = context_->allocate(sizeof(int));
    std::vector<char> host_work(on_host);
    check(cusolverDnXgeqrf(context_->solver, context_->parameters, m, n, CUDA_R_64F, entries(A), m, CUDA_R_64F,
                           entries(tau), CUDA_R_64F, pointer_to<void>(work), on_card, host_work.data(), on_host,
                           pointer_to<int>(info)));
    context_->wait();  // The libraries may still read the host's work.
  }

  std::string name_;
  std::shared_ptr<Context> context_;
  std::mutex mutex_;  // The libraries' handles are for one thread at a time.
};

struct Card {
  DriverReport report;
  std::string name;
  std::size_t bytes = 0;
};

Card look() {
  Card card;
  cudaDriverGetVersion(&card.report.driver_version);
  card.report.needed_version = CUDART_VERSION;
  const cudaError_t status = cudaGetDeviceCount(&card.report.cards);
  if (status != cudaSuccess) {
    card.report.cards = status == cudaErrorNoDevice ? 0 : std::max(card.report.cards, 1);
    card.report.error = cudaGetErrorString(status);
    cudaGetLastError();
    return card;
  }
  cudaDeviceProp properties{};
  if (card.report.cards == 0 || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return card;
  card.name = properties.name;
  card.bytes = properties.totalGlobalMem;
  return card;
}

std::string version_text(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

}  // namespace
}  // namespace cuda

DeviceSearch find_device(std::size_t most_bytes) {
  // A card takes half a second to wake up: it is kept, one for every limit.
  static std::mutex mutex;
  static std::map<std::size_t, std::shared_ptr<Device>> found;
  static const pid_t owner = getpid();
  const std::lock_guard lock(mutex);
  // CUDA does not survive a fork.
  if (!found.empty() && getpid() != owner) return {nullptr, "the GPU is in use by the parent of this forked process."};
  if (const auto known = found.find(most_bytes); known != found.end()) return {known->second, ""};
  const cuda::Card card = cuda::look();
  if (std::string why = cuda::why_not(card.report); !why.empty()) return {nullptr, std::move(why)};
  try {
    auto device = std::make_shared<cuda::CudaDevice>(card.name, most_bytes);
    found.emplace(most_bytes, device);
    return {device, ""};
  } catch (const std::runtime_error& error) {
    return {nullptr, error.what()};
  }
}

std::string device_description() {
  const cuda::Card card = cuda::look();
  const std::string toolkit = "CUDA " + cuda::version_text(CUDART_VERSION);
  if (const std::string why = cuda::why_not(card.report); !why.empty()) return toolkit + ": " + why;
  return fmt::format("{}, {} with {:.0f} GiB, driver for CUDA {}", toolkit, card.name,
                     static_cast<double>(card.bytes) / (1024.0 * 1024.0 * 1024.0),
                     cuda::version_text(card.report.driver_version));
}

}  // namespace shrimp
