// A device beside the processor (a graphics card) with memory of its own: the few dense operations that prune paths and
// kernels take there, on matrices whose storage the caller never sees.
//
// One backend is linked: cuda/, or stub/, which says that there is none. Operations are done in the order in which they
// are asked for, and give the same bits every time. Matrices are column-major, vectors have one column, and of
// symmetric matrices the lower triangle counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// The device has no room left for what was asked for. Whoever catches it can do with less, or without the device.
struct DeviceMemoryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory of a device, given back with its last owner.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  virtual ~DeviceMemory() = default;
};

/// Copies share their entries.
struct DeviceMatrix {
  std::shared_ptr<DeviceMemory> memory;
  std::size_t rows = 0;
  std::size_t cols = 0;

  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }
};

struct DeviceIndices {
  std::shared_ptr<DeviceMemory> memory;
  std::size_t size = 0;
};

enum class DeviceFunction : std::uint8_t { cos, sin, relu, tanh, identity, step };

/// Columns φ(b + Σ_l w_l x_l): column k applies functions[k] to weight vector rows[k], which has the entries
/// values[offsets[j] … offsets[j+1]) on the inputs variables[same].
struct DeviceFeatures {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> variables;
  std::vector<double> values;
  std::vector<double> phases;  ///< b per weight vector; empty: 0.
  std::vector<std::uint32_t> rows;
  std::vector<DeviceFunction> functions;
};

/// The kernel variance·Π_l κ(scales[l]·|u_l − v_l|) of two rows u and v; κ(r) = exp(−r²/2) of normal weights,
/// (1 + √3 r) exp(−√3 r) of t weights with three degrees of freedom, exp(−r) of Cauchy weights.
enum class DeviceLaw : std::uint8_t { normal, student_t, cauchy };
struct DeviceKernel {
  DeviceLaw law = DeviceLaw::normal;
  std::vector<double> scales;
  double variance = 1.0;
};

/// A c ≈ y brought to a triangle: ‖A c − y‖² = ‖R c − b‖² + rest.
struct DeviceTriangle {
  Matrix R;
  std::vector<double> b;
  double rest = 0.0;
};

/// May be called by several threads.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Bytes that may still be taken.
  [[nodiscard]] virtual std::size_t free_bytes() const = 0;

  /// Its entries may be anything. Throws DeviceMemoryError, as does all that makes a matrix or needs room to work.
  [[nodiscard]] virtual DeviceMatrix make(std::size_t rows, std::size_t cols) = 0;
  [[nodiscard]] virtual DeviceMatrix upload(MatrixView M) = 0;
  [[nodiscard]] virtual DeviceIndices upload(std::span<const std::size_t> indices) = 0;
  [[nodiscard]] virtual Matrix download(const DeviceMatrix& M) = 0;
  virtual void fill(DeviceMatrix& M, double value) = 0;
  /// `count` entries, column after column, from one place on to another.
  virtual void copy(const DeviceMatrix& from, std::size_t from_first, DeviceMatrix& to, std::size_t to_first,
                    std::size_t count) = 0;
  void copy(const DeviceMatrix& from, DeviceMatrix& to) { copy(from, 0, to, 0, from.rows * from.cols); }

  /// A ← the features of the rows of X from `first` on, row i times factors[i] (none: 1).
  virtual void evaluate(const DeviceFeatures& features, const DeviceMatrix& X, std::size_t first,
                        const DeviceMatrix& factors, DeviceMatrix& A) = 0;
  [[nodiscard]] virtual bool all_finite(const DeviceMatrix& A) = 0;

  /// `part` ← as many columns of A as it has, those that P names from `first` on.
  virtual void gather_columns(const DeviceMatrix& A, const DeviceIndices& P, std::size_t first, DeviceMatrix& part) = 0;
  /// `part` ← the rows of A that P names.
  virtual void gather_rows(const DeviceMatrix& A, const DeviceIndices& P, DeviceMatrix& part) = 0;
  /// `part` ← the rows and the columns `places` (ascending) of a symmetric H.
  virtual void gather_symmetric(const DeviceMatrix& H, const DeviceIndices& places, DeviceMatrix& part) = 0;

  /// G ← G + α A Aᵀ
  virtual void add_gram(DeviceMatrix& G, double alpha, const DeviceMatrix& A) = 0;
  /// H ← H + AᵀA
  virtual void add_gram_of_columns(DeviceMatrix& H, const DeviceMatrix& A) = 0;
  /// C ← AᵀB
  virtual void multiply_transposed(const DeviceMatrix& A, const DeviceMatrix& B, DeviceMatrix& C) = 0;
  /// c ← A_Pᵀ z
  virtual void project(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& z, DeviceMatrix& c) = 0;
  /// sum ← A_P c
  virtual void combine(const DeviceMatrix& A, const DeviceIndices& P, const DeviceMatrix& c, DeviceMatrix& sum) = 0;

  /// G + shift·I = L Lᵀ; L takes the place of G. False where it is not numerically positive definite.
  [[nodiscard]] virtual bool factor(DeviceMatrix& G, double shift) = 0;
  /// b ← (L Lᵀ)⁻¹ b
  virtual void solve(const DeviceMatrix& L, DeviceMatrix& b) = 0;

  /// B ← B L⁻ᵀ
  virtual void solve_right(const DeviceMatrix& L, DeviceMatrix& B) = 0;
  /// L ← (L Lᵀ)⁻¹
  virtual void invert(DeviceMatrix& L) = 0;
  [[nodiscard]] virtual std::vector<double> diagonal(const DeviceMatrix& M) = 0;
  /// A ← diag(d) A
  virtual void scale_rows(DeviceMatrix& A, const DeviceMatrix& d) = 0;
  /// G ← G + diag(d)
  virtual void add_to_diagonal(DeviceMatrix& G, const DeviceMatrix& d) = 0;

  /// K(i, k) ← the kernel of row i of U and row k of V.
  virtual void evaluate(const DeviceKernel& kernel, const DeviceMatrix& U, const DeviceMatrix& V, DeviceMatrix& K) = 0;
  /// For W = (α αᵀ − M) ∘ K, K the kernel's values for U and itself and M symmetric: Σ_ik W_ik ∂ log K_ik/∂ log s_l for
  /// every scale s_l, and then Σ_ik W_ik.
  [[nodiscard]] virtual std::vector<double> kernel_slopes(const DeviceKernel& kernel, const DeviceMatrix& U,
                                                          const DeviceMatrix& K, const DeviceMatrix& M,
                                                          const DeviceMatrix& alpha) = 0;

  /// y ← y + α x
  virtual void add_scaled(DeviceMatrix& y, double alpha, const DeviceMatrix& x) = 0;
  [[nodiscard]] virtual double norm(const DeviceMatrix& x) = 0;

  /// By Householder reflections, for at least as many rows as columns.
  [[nodiscard]] virtual DeviceTriangle reduce(const DeviceMatrix& A, const DeviceMatrix& y) = 0;
};

/// What was looked for and what was found.
struct DeviceSearch {
  std::shared_ptr<Device> device;  ///< Null where there is none that can be used.
  std::string why_not;             ///< One sentence, where there is none.
};

/// The device of this machine, which may take so many bytes at most (0: what it has free).
DeviceSearch find_device(std::size_t most_bytes = 0);

}  // namespace shrimp
