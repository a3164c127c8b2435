// A model in a few lines, before these are written down.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// One term.
struct ShortLine {
  std::size_t term = 0;  ///< Among the model's.
  std::string sum;       ///< " + 2*x1 - 3*cos(x2)", as formulas are written; "" where it has no short formula.
  std::string note;      ///< What else to say of it.
};

/// The target in its form: constant + Σ sums of the lines.
struct ShortFormula {
  std::string constant;
  std::vector<ShortLine> lines;  ///< Largest share first.
  std::size_t left_out = 0;      ///< So many terms more …
  double left_out_share = 0.0;   ///< … of this share.
};

/// What short_equation (shrimp/explain.hpp) writes; throws as it does.
ShortFormula short_formula(const Model& model, std::size_t terms, int digits);

}  // namespace shrimp
