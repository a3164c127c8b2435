// How a model's coefficients follow from its columns and rows.
#pragma once

#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

struct RefitRule {
  enum class Constant {
    fitted,  ///< Beside the columns.
    mean,    ///< Of the target.
    kept,    ///< The model's.
  };
  Constant constant = Constant::fitted;
  double ridge = 0.0;          ///< 0: least squares, the shortest solution.
  std::vector<double> scales;  ///< Of the columns where the ridge counts.
  double rank_tolerance = 0.0;
};

/// Throws as require_refit does.
RefitRule refit_rule(const Model& model, const std::string& source);

}  // namespace shrimp
