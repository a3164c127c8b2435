// Sobol' indices of one model for many coefficients: what depends on columns and laws alone is computed once.
#pragma once

#include <span>
#include <vector>

#include "explain/component_variance.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp {

class SobolIndices {
 public:
  /// The model must outlive it. Throws as `sensitivity` does.
  SobolIndices(const Model& model, const std::vector<InputLaw>& laws);

  /// For these coefficients of the model's columns: values alone, no intervals.
  [[nodiscard]] Sensitivity of(std::span<const double> coefficients) const;

 private:
  const Model& model_;
  Separated separated_;
  std::vector<Component> components_;
  std::vector<std::size_t> wide_;  // Products with more components than are listed.
};

}  // namespace shrimp
