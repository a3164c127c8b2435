// Scaling that brings inputs and target to mean 0 and variance 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// Weighted means and standard deviations (1/m) of the data set; a constant column keeps scale 1.
Scaling standardizing(const Dataset& data);

/// Limits every input to its range in X, widened by `margin` of it on either side.
void limit_inputs(Scaling& scaling, MatrixView X, double margin);

/// The variance (1/m); no weights: every value counts 1. 0 where no weight is above 0.
double weighted_variance(std::span<const double> values, std::span<const double> weights);

/// The standard deviation (1/m), or 1 where all values are the same.
double standard_deviation(std::span<const double> values);

/// That of every column.
std::vector<double> standard_deviations(MatrixView X);

/// One sentence for every constant input, and for a constant target.
std::vector<std::string> constant_column_warnings(const Dataset& data);

Matrix scale_inputs(MatrixView X, const Scaling& scaling);
std::vector<double> scale_target(std::span<const double> y, const Scaling& scaling);

}  // namespace shrimp
