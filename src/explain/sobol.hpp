// Sobol' indices of one model for many coefficients: what depends on columns and laws alone is computed once.
#pragma once

#include <span>
#include <vector>

#include "explain/component_variance.hpp"
#include "explain/pair_sums.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp {

class SobolIndices {
 public:
  /// The model must outlive it. Throws as `sensitivity` does.
  SobolIndices(const Model& model, const std::vector<InputLaw>& laws);

  /// For each set of coefficients of the model's columns: values alone, no intervals. The first set to full precision,
  /// the others, which show how indices vary, to six digits at least.
  [[nodiscard]] std::vector<Sensitivity> of_each(const std::vector<std::vector<double>>& sets) const;

 private:
  /// A column for each set.
  [[nodiscard]] Matrix variances_of_components(const std::vector<std::vector<double>>& sets,
                                               const std::vector<std::vector<Complex>>& amplitudes) const;
  [[nodiscard]] Sensitivity add_up(std::span<const double> variances, const LargeComponents& large) const;

  const Model& model_;
  Separated separated_;
  std::vector<Component> components_;
  std::vector<std::size_t> wide_;  // Products with more components than are listed.
};

}  // namespace shrimp
