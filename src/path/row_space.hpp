// M (r×N): what the prune path solves with in the place of A. Its rows span A's; its columns are A's columns.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ridge/triangular_system.hpp"
#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

using Columns = std::vector<std::size_t>;  // Ascending.

class RowSpace;

/// A c ≈ y in the form the solver works with: ‖A_P c − y‖² = ‖diag(scale)(M_P c − b)‖² + rest.
struct CompressedProblem {
  std::shared_ptr<const RowSpace> M;
  std::vector<double> b;
  std::vector<double> scale;  ///< s
  double rest = 0.0;
  std::size_t equations = 0;  ///< m
};

/// M c ≈ b in the place of A c ≈ y: ‖A c − y‖² = ‖M c − b‖² + rest, with fewer rows and nothing lost.
struct Reduction {
  std::shared_ptr<const Matrix> M;
  std::vector<std::size_t> order;  ///< Column k of M is column order[k] of A.
  std::vector<double> b;
  double rest = 0.0;
  bool triangular = false;  ///< Whether M is an upper triangle.
  bool ranked = false;      ///< Whether its columns come in about the order that pivoting would choose.
  std::shared_ptr<const class Extension> extension;  ///< Null where there is no cheap way to add rows.
};

/// All columns of the summary, in their order.
Reduction reduction_of(TriangularSystem sums);

/// Takes more rows of A into a reduction of the first.
class Extension {
 public:
  Extension() = default;
  Extension(const Extension&) = delete;
  Extension& operator=(const Extension&) = delete;
  virtual ~Extension() = default;
  [[nodiscard]] virtual std::optional<Reduction> extend(const RowSpace& more, std::span<const double> y) const = 0;
};

class RowSpace : public LinearOperator {
 public:
  /// Those of a DenseOperator where M is stored. Otherwise columns that x has a zero for are not computed.
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override;
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override = 0;

  /// M_P c and M_Pᵀ z
  [[nodiscard]] virtual std::vector<double> combine(const Columns& P, std::span<const double> c) const = 0;
  [[nodiscard]] virtual std::vector<double> project(const Columns& P, std::span<const double> z) const = 0;
  /// c ← c + M_Pᵀ z; returns M_P c.
  [[nodiscard]] virtual std::vector<double> project_and_combine(const Columns& P, std::span<const double> z,
                                                                std::span<double> c) const;

  /// The lower triangle of M_P M_Pᵀ.
  [[nodiscard]] Matrix gram(const Columns& P) const;

  /// G ← G + α M_P M_Pᵀ, the lower triangle.
  virtual void add_gram(Matrix& G, double alpha, const Columns& P) const = 0;

  /// Turns the Gram matrix of P and R together into that of P alone.
  void downdate(Matrix& G, const Columns& P, const Columns& R) const;

  /// The matrix itself, stored from now on at the latest; none where it is not to be stored.
  [[nodiscard]] virtual std::optional<MatrixView> dense() const { return std::nullopt; }

  /// Throws std::invalid_argument where a stored entry is not a finite number.
  virtual void check_entries() const {}

  /// For at least as many rows as columns.
  [[nodiscard]] virtual Reduction reduce(std::span<const double> y) const;

  /// Columns of another dictionary on some of the rows, weighted alike, where the rows are those of a dictionary.
  [[nodiscard]] virtual Matrix columns_of(const Dictionary& other, std::size_t first, std::size_t count) const;

  /// The same rows where they live on a device, which can then do more than answer.
  [[nodiscard]] virtual const class DeviceRows* on_device() const { return nullptr; }

  /// Whether directions of A are missing that may count once there are fewer columns.
  [[nodiscard]] virtual bool is_lossy() const { return false; }

  /// The same problem on the columns P alone, free of directions below `cut`·σ_max, if this can be had for less than
  /// a factorisation of M_P.
  [[nodiscard]] virtual std::optional<CompressedProblem> recompress(const Columns& /*P*/, double /*cut*/) const {
    return std::nullopt;
  }
};

/// All columns: 0, 1, …, count − 1.
Columns all_columns(std::size_t count);

/// A matrix that is stored.
class DenseRows : public RowSpace {
 public:
  /// Of somebody else's.
  explicit DenseRows(MatrixView M) : M_(M) {}
  explicit DenseRows(std::shared_ptr<const Matrix> M) : owned_(std::move(M)), M_(*owned_) {}
  explicit DenseRows(Matrix M) : DenseRows(std::make_shared<const Matrix>(std::move(M))) {}

  [[nodiscard]] std::size_t rows() const override { return M_.rows; }
  [[nodiscard]] std::size_t cols() const override { return M_.cols; }
  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override;
  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override;
  [[nodiscard]] std::vector<double> project_and_combine(const Columns& P, std::span<const double> z,
                                                        std::span<double> c) const override;
  void add_gram(Matrix& G, double alpha, const Columns& P) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override;
  [[nodiscard]] std::optional<MatrixView> dense() const override { return M_; }
  void check_entries() const override;

 private:
  std::shared_ptr<const Matrix> owned_;
  MatrixView M_;
};

/// A reduction as the rows of a problem of its own: its columns answer to their places in A.
class ReducedRows : public RowSpace {
 public:
  explicit ReducedRows(Reduction reduction);

  [[nodiscard]] std::size_t rows() const override { return stored_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return stored_.cols(); }
  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override;
  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override;
  [[nodiscard]] std::vector<double> project_and_combine(const Columns& P, std::span<const double> z,
                                                        std::span<double> c) const override;
  void add_gram(Matrix& G, double alpha, const Columns& P) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override;
  [[nodiscard]] Reduction reduce(std::span<const double> y) const override;

 private:
  [[nodiscard]] std::vector<std::size_t> places(std::span<const std::size_t> P) const;

  Reduction reduction_;
  std::vector<std::size_t> places_;  // Of A's columns in M.
  DenseRows stored_;
};

}  // namespace shrimp
