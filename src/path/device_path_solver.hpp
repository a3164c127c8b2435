// The steps of a prune path on a device: c = A_P† y on ever smaller column sets P.
//
// Wide (at least as many columns as rows): G = A_P A_Pᵀ, down-dated by the dropped columns; c = A_Pᵀ G⁻¹ y.
// Tall: H = A_Pᵀ A_P, of which the next step's is a part; c = H⁻¹ A_Pᵀ y.
// Both have the square of A_P's condition number. The residual is taken with A_P itself and corrected for, and how fast
// the corrections shrink tells whether the factor can be trusted, as in PathSolver::solve_by_gram. The first step that
// cannot be trusted goes to a PathSolver on the host, with all that follow: of wide A_P it asks the device for
// products, of tall A_P it gets the triangle of a Householder QR made on the device. So does a step that the device has
// no room for.
//
// A ridge λ is added to the diagonals of G and H.
#pragma once

#include "linalg/device.hpp"
#include "path/device_rows.hpp"
#include "path/path_engine.hpp"

namespace shrimp {

class DevicePathSolver : public PathEngine {
 public:
  /// A is on a device; options without spectrum and without ridge_by_gcv.
  DevicePathSolver(std::shared_ptr<const RowSpace> A, std::span<const double> y, const PathOptions& options);

  [[nodiscard]] std::unique_ptr<PathEngine> clone() const override;
  PathSolution solve(const Columns& P) override;
  [[nodiscard]] std::optional<Reduction> with_rows(const RowSpace* more, std::span<const double> y,
                                                   const Columns& P) const override;
  void use_shelf(GramShelf* /*shelf*/, bool /*record*/) override {}

  /// Whether the host has taken over.
  [[nodiscard]] bool is_on_host() const { return host_ != nullptr; }

 private:
  [[nodiscard]] const DeviceRows& rows() const { return *A_->on_device(); }
  [[nodiscard]] Device& device() const { return rows().device(); }
  [[nodiscard]] bool is_wide(const Columns& P) const { return P.size() >= A_->rows(); }
  // Bring P and the Gram matrix to these columns.
  void keep_columns(const Columns& P);
  void keep_wide(Columns P);
  void keep_tall(Columns P);
  // None where the Gram matrix is not to be trusted.
  [[nodiscard]] std::optional<PathSolution> solve_on_device() const;
  [[nodiscard]] DeviceMatrix residual(const DeviceMatrix& c) const;
  [[nodiscard]] DeviceMatrix correction(const DeviceMatrix& L, const DeviceMatrix& gap, const DeviceMatrix& c,
                                        DeviceMatrix& z) const;
  void hand_over(const Columns& P);

  std::shared_ptr<const RowSpace> A_;
  std::vector<double> y_;
  DeviceMatrix y_on_device_;
  PathOptions options_;
  DeviceColumns columns_;  // P of the Gram matrix; none before the first step.
  DeviceMatrix gram_;      // Of rows where P is wide, of columns where it is tall. Never written to once it is shared.
  bool gram_is_wide_ = false;
  std::unique_ptr<PathEngine> host_;  // Once it has taken over.
  Columns host_columns_;              // What it knows as 0, 1, …; empty: the columns of A.
};

}  // namespace shrimp
