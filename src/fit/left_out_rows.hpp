// Rows that a fit did without, and how far off it was there.
#pragma once

#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct LeftOutRows {
  Matrix X;                     ///< In scaled units.
  std::vector<double> gaps;     ///< Target less prediction, in scaled units; the sign need not be right.
  std::vector<double> weights;  ///< Empty: every row counts 1.
  bool fitted = false;          ///< Whether the model's columns were fitted to them in the end.
};

}  // namespace shrimp
