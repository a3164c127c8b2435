#include "grow/kernel_shape.hpp"

#include <cmath>

#include "features/missing_cells.hpp"
#include "shrimp/kernels.hpp"

namespace shrimp {

Dictionary sections_of(const KernelShape& shape, std::span<const double> deviations, MatrixView centres,
                       const std::shared_ptr<const InputKinds>& kinds) {
  std::vector<double> gamma(centres.cols, 1.0);
  for (std::size_t l = 0; l < shape.variables.size(); ++l) {
    const std::uint32_t variable = shape.variables[l];
    const double scale = shape.scales[l] / deviations[variable];
    switch (shape.law) {
      case Law::cauchy:
        gamma[variable] = scale;
        break;
      case Law::student_t:
        gamma[variable] = std::sqrt(3.0) * scale;
        break;
      default:
        gamma[variable] = 0.5 * scale * scale;
    }
  }
  if (!kinds) return kernel_sections_on(centres, shape.variables, std::move(gamma), shape.law);
  Dictionary sections =
      kernel_sections_on(at_means(centres, kinds->marginals), shape.variables, std::move(gamma), shape.law);
  sections.marginals = {kinds, &kinds->marginals};
  return sections;
}

}  // namespace shrimp
