// A device that is none: plain loops and the processor's linear algebra on memory of its own, which can be made scarce.
// What is written for devices is tested with it on every machine; the card has to agree with it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/device.hpp"
#include "linalg/householder.hpp"

namespace shrimp::test {

class ReferenceDevice : public Device {
 public:
  explicit ReferenceDevice(std::size_t most_bytes = std::size_t{1} << 40) : most_(most_bytes) {}

  [[nodiscard]] std::string name() const override { return "reference"; }
  [[nodiscard]] std::size_t free_bytes() const override { return most_ - *used_; }

  DeviceMatrix make(std::size_t rows, std::size_t cols) override {
    return {allocate<double>(std::vector<double>(rows * cols, std::nan(""))), rows, cols};
  }

  DeviceMatrix upload(MatrixView M) override {
    DeviceMatrix result = make(M.rows, M.cols);
    for (std::size_t j = 0; j < M.cols; ++j) std::ranges::copy(M.col(j), of(result).begin() + at(j * M.rows));
    return result;
  }

  DeviceIndices upload(std::span<const std::size_t> indices) override {
    return {allocate<std::uint32_t>(std::vector<std::uint32_t>(indices.begin(), indices.end())), indices.size()};
  }

  Matrix download(const DeviceMatrix& M) override { return Matrix(view(M)); }

  void fill(DeviceMatrix& M, double value) override { std::fill_n(of(M).begin(), M.rows * M.cols, value); }

  using Device::copy;
  void copy(const DeviceMatrix& from, std::size_t from_first, DeviceMatrix& to, std::size_t to_first,
            std::size_t count) override {
    std::copy_n(of(from).begin() + at(from_first), count, of(to).begin() + at(to_first));
  }

  void evaluate(const DeviceFeatures& features, const DeviceMatrix& X, std::size_t first, const DeviceMatrix& factors,
                DeviceMatrix& A) override {
    const MatrixView x = view(X);
    for (std::size_t k = 0; k < features.rows.size(); ++k) {
      const std::uint32_t j = features.rows[k];
      for (std::size_t i = 0; i < A.rows; ++i) {
        double t = features.phases.empty() ? 0.0 : features.phases[j];
        for (std::uint32_t l = features.offsets[j]; l < features.offsets[j + 1]; ++l) {
          t = std::fma(features.values[l], x(first + i, features.variables[l]), t);
        }
        const double factor = factors.empty() ? 1.0 : of(factors)[first + i];
        of(A)[i + k * A.rows] = factor * apply(features.functions[k], t);
      }
    }
  }

  bool all_finite(const DeviceMatrix& A) override {
    return std::ranges::all_of(of(A), [](double a) { return std::isfinite(a); });
  }

  void gather_columns(const DeviceMatrix& A, const DeviceIndices& P, std::size_t first, DeviceMatrix& part) override {
    for (std::size_t k = 0; k < part.cols; ++k) {
      copy(A, of(P)[first + k] * A.rows, part, k * A.rows, A.rows);
    }
  }

  void gather_rows(const DeviceMatrix& A, const DeviceIndices& P, DeviceMatrix& part) override {
    for (std::size_t j = 0; j < A.cols; ++j) {
      for (std::size_t i = 0; i < P.size; ++i) of(part)[i + j * P.size] = view(A)(of(P)[i], j);
    }
  }

  void gather_symmetric(const DeviceMatrix& H, const DeviceIndices& places, DeviceMatrix& part) override {
    for (std::size_t j = 0; j < places.size; ++j) {
      for (std::size_t i = j; i < places.size; ++i) {
        of(part)[i + j * places.size] = view(H)(of(places)[i], of(places)[j]);
      }
    }
  }

  void add_gram(DeviceMatrix& G, double alpha, const DeviceMatrix& A) override {
    Matrix sum(view(G));
    shrimp::add_gram(sum, alpha, view(A));
    write(sum, G);
  }

  void add_gram_of_columns(DeviceMatrix& H, const DeviceMatrix& A) override {
    Matrix sum(view(H));
    shrimp::add_gram_of_columns(sum, view(A));
    write(sum, H);
  }

  void multiply_transposed(const DeviceMatrix& A, const DeviceMatrix& B, DeviceMatrix& C) override {
    write(shrimp::multiply_transposed(view(A), view(B)), C);
  }

  void project(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& z, DeviceMatrix& c) override {
    std::ranges::copy(project_columns(view(A), wide(P), of(z)), of(c).begin());
  }

  void combine(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& c, DeviceMatrix& sum) override {
    std::ranges::copy(combine_columns(view(A), wide(P), of(c)), of(sum).begin());
  }

  bool factor(DeviceMatrix& G, double shift) override {
    Matrix L(view(G));
    for (std::size_t i = 0; i < L.rows(); ++i) L(i, i) += shift;
    auto factor = Cholesky::factor(std::move(L));
    if (factor) write(transpose(std::move(*factor).upper()), G);
    return factor.has_value();
  }

  void solve(const DeviceMatrix& L, DeviceMatrix& b) override {
    const Matrix upper = transpose(view(L));
    solve_triangle(upper, of(b), true);
    solve_triangle(upper, of(b), false);
  }

  void solve_right(const DeviceMatrix& L, DeviceMatrix& B) override {
    const Matrix upper = transpose(view(L));
    Matrix rows = transpose(view(B));
    for (std::size_t i = 0; i < rows.cols(); ++i) solve_triangle(upper, rows.col(i), true);
    write(transpose(rows), B);
  }

  void invert(DeviceMatrix& L) override {
    const Matrix upper = transpose(view(L));
    Matrix inverse(L.rows, L.rows);
    for (std::size_t j = 0; j < L.rows; ++j) {
      inverse(j, j) = 1.0;
      solve_triangle(upper, inverse.col(j), true);
      solve_triangle(upper, inverse.col(j), false);
    }
    write(inverse, L);
  }

  std::vector<double> diagonal(const DeviceMatrix& M) override {
    std::vector<double> values;
    for (std::size_t i = 0; i < M.rows; ++i) values.push_back(view(M)(i, i));
    return values;
  }

  void scale_rows(DeviceMatrix& A, const DeviceMatrix& d) override {
    for (std::size_t j = 0; j < A.cols; ++j) {
      for (std::size_t i = 0; i < A.rows; ++i) of(A)[i + j * A.rows] *= of(d)[i];
    }
  }

  void add_to_diagonal(DeviceMatrix& G, const DeviceMatrix& d) override {
    for (std::size_t i = 0; i < G.rows; ++i) of(G)[i + i * G.rows] += of(d)[i];
  }

  void evaluate(const DeviceKernel& kernel, const DeviceMatrix& U, const DeviceMatrix& V, DeviceMatrix& K) override {
    const MatrixView u = view(U);
    const MatrixView v = view(V);
    for (std::size_t k = 0; k < K.cols; ++k) {
      for (std::size_t i = 0; i < K.rows; ++i) {
        double value = kernel.variance;
        for (std::size_t l = 0; l < kernel.scales.size(); ++l) {
          value *= factor_at(kernel.law, kernel.scales[l] * std::abs(u(i, l) - v(k, l)));
        }
        of(K)[i + k * K.rows] = value;
      }
    }
  }

  std::vector<double> kernel_slopes(const DeviceKernel& kernel, const DeviceMatrix& U, const DeviceMatrix& K,
                                    const DeviceMatrix& M, const DeviceMatrix& alpha) override {
    std::vector<double> sums(kernel.scales.size() + 1, 0.0);
    const MatrixView u = view(U);
    const std::span<const double> a = of(alpha);
    for (std::size_t k = 0; k < K.cols; ++k) {
      for (std::size_t i = k; i < K.rows; ++i) {
        const double w = (i == k ? 1.0 : 2.0) * (a[i] * a[k] - view(M)(i, k)) * view(K)(i, k);
        for (std::size_t l = 0; l < kernel.scales.size(); ++l) {
          sums[l] += w * slope_at(kernel.law, kernel.scales[l] * std::abs(u(i, l) - u(k, l)));
        }
        sums.back() += w;
      }
    }
    return sums;
  }

  void add_scaled(DeviceMatrix& y, double alpha, const DeviceMatrix& x) override {
    shrimp::add_scaled(of(y), alpha, of(x));
  }

  double norm(const DeviceMatrix& x) override { return std::sqrt(squared_norm(of(x))); }

  DeviceTriangle reduce(const DeviceMatrix& A, const DeviceMatrix& y) override {
    const HouseholderQr qr{Matrix(view(A))};
    std::vector<double> b(of(y).begin(), of(y).end());
    qr.apply_transposed(b);
    const double rest = squared_norm(std::span(b).subspan(A.cols));
    b.resize(A.cols);
    return {qr.R(), b, rest};
  }

 private:
  template <typename T>
  struct Memory : DeviceMemory {
    Memory(std::vector<T> entries, std::shared_ptr<std::atomic<std::size_t>> counter)
        : values(std::move(entries)), used(std::move(counter)) {
      *used += values.size() * sizeof(T);
    }
    ~Memory() override { *used -= values.size() * sizeof(T); }
    std::vector<T> values;
    std::shared_ptr<std::atomic<std::size_t>> used;
  };

  template <typename T>
  std::shared_ptr<DeviceMemory> allocate(std::vector<T> values) {
    if (values.size() * sizeof(T) > free_bytes()) throw DeviceMemoryError("the reference device is full.");
    return std::make_shared<Memory<T>>(std::move(values), used_);
  }

  static std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }
  static std::span<double> of(const DeviceMatrix& M) {
    return std::span(static_cast<Memory<double>&>(*M.memory).values).first(M.rows * M.cols);
  }
  static std::span<std::uint32_t> of(const DeviceIndices& P) {
    return static_cast<Memory<std::uint32_t>&>(*P.memory).values;
  }
  static std::vector<std::size_t> wide(const DeviceIndices& P) { return {of(P).begin(), of(P).end()}; }
  static MatrixView view(const DeviceMatrix& M) { return {of(M).data(), M.rows, M.cols, M.rows}; }
  static void write(const Matrix& from, DeviceMatrix& to) {
    std::copy_n(from.data(), from.rows() * from.cols(), of(to).begin());
  }

  static double factor_at(DeviceLaw law, double r) {
    if (law == DeviceLaw::normal) return std::exp(-0.5 * r * r);
    if (law == DeviceLaw::cauchy) return std::exp(-r);
    return (1.0 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
  }
  static double slope_at(DeviceLaw law, double r) {
    if (law == DeviceLaw::normal) return -r * r;
    if (law == DeviceLaw::cauchy) return -r;
    return -3.0 * r * r / (1.0 + std::sqrt(3.0) * r);
  }

  static double apply(DeviceFunction function, double t) {
    switch (function) {
      case DeviceFunction::cos:
        return std::cos(t);
      case DeviceFunction::sin:
        return std::sin(t);
      case DeviceFunction::relu:
        return std::max(0.0, t);
      case DeviceFunction::tanh:
        return std::tanh(t);
      case DeviceFunction::identity:
        return t;
      case DeviceFunction::step:
        return t > 0.0 ? 1.0 : 0.0;
    }
    return t;
  }

  std::size_t most_;
  std::shared_ptr<std::atomic<std::size_t>> used_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace shrimp::test
