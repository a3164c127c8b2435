// Nyström features of a kernel term (Williams and Seeger 2001).
//
// With landmarks z_1 … z_n among the rows and L Lᵀ = k(z, z), the features k(x, z) L⁻ᵀ have independent coefficients of
// prior variance 1, as ridge regression assumes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/kernel_shape.hpp"
#include "linalg/cholesky.hpp"

namespace shrimp {

class NystromFeatures {
 public:
  /// `deviations`: standard deviations of all inputs.
  NystromFeatures(const KernelShape& shape, std::vector<double> deviations, Matrix landmarks,
                  std::shared_ptr<const InputKinds> kinds);

  [[nodiscard]] std::size_t size() const { return landmarks_.rows(); }
  [[nodiscard]] const KernelShape& shape() const { return shape_; }
  [[nodiscard]] const Matrix& landmarks() const { return landmarks_; }
  [[nodiscard]] const Cholesky& factor() const { return L_; }

  /// k(x, z): rows x, columns z.
  [[nodiscard]] Matrix kernel_at(MatrixView X) const;
  /// The features of a row x in each column: L⁻¹ k(z, x).
  [[nodiscard]] Matrix transposed_at(MatrixView X) const;

  /// The sections x ↦ k(x, z) without their amplitude.
  [[nodiscard]] const Dictionary& sections() const { return sections_; }
  /// Coefficients of the sections, for coefficients `unit`·c of the features.
  [[nodiscard]] std::vector<double> section_coefficients(std::span<const double> c, double unit) const;

 private:
  [[nodiscard]] Cholesky factorize() const;

  KernelShape shape_;
  Matrix landmarks_;
  Dictionary sections_;
  double variance_;
  Cholesky L_;
};

}  // namespace shrimp
