// The factors of kernel columns on one support, an input each: κ_j on rows, and μ_j, its mean over the marginal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

class KernelFactors {
 public:
  /// Of the given columns, which look at `inputs`, a permutation of their support; the spans must outlive it.
  KernelFactors(const Dictionary& dictionary, std::span<const std::uint32_t> inputs,
                std::span<const std::size_t> columns, const std::vector<Marginal>& marginals);

  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  /// μ of each input, for the k-th of the columns.
  [[nodiscard]] std::span<const double> means(std::size_t k) const { return means_.col(k); }
  /// κ − μ of input l and the k-th of the columns on a block of rows (features/kernel_section.hpp).
  void centred(std::size_t l, std::size_t k, const double* block, double* values) const;

 private:
  const Dictionary& dictionary_;
  std::span<const std::uint32_t> inputs_;
  std::span<const std::size_t> columns_;
  Matrix centres_;  // Input by column.
  Matrix means_;
};

}  // namespace shrimp
