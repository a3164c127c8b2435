// Scaling that brings inputs and target, or forms of them, to mean 0 and variance 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// Weighted means and standard deviations (1/m) of the data set; a constant column keeps scale 1, and a category mean 0
/// and scale 1. Missing cells do not count, and stay missing.
Scaling standardizing(const Dataset& data);

/// Has inputs enter by these warps, one per input, with the mean and scale of the warped ones; the data are those of
/// `standardizing`. Limits may be set before or after, better after: limit_inputs then widens the range of a logarithm,
/// where limits of before that cross zero are brought to the row that is nearest to it.
void warp_inputs(Scaling& scaling, const Dataset& data, std::vector<Warp> warps);

/// Has the target fitted in this form, which it can take (data/target_form.hpp), with the mean and scale of that, and
/// no correction.
void form_target(Scaling& scaling, const Dataset& data, TargetForm form);

/// Limits every input to its range in X, widened by `margin` of it on either side, that of an input by its logarithm in
/// logarithms. Limits that were set before are replaced.
void limit_inputs(Scaling& scaling, MatrixView X, double margin);

/// The variance (1/m); no weights: every value counts 1. 0 where no weight is above 0.
double weighted_variance(std::span<const double> values, std::span<const double> weights);

/// The standard deviation (1/m), or 1 where all values are the same.
double standard_deviation(std::span<const double> values);

/// That of every column.
std::vector<double> standard_deviations(MatrixView X);

/// One sentence for every constant input, and for a constant target.
std::vector<std::string> constant_column_warnings(const Dataset& data);

/// Input j, brought inside its limits and warped, in place: as features see it but for mean and scale.
void enter(std::span<double> x, const Scaling& scaling, std::size_t j);

Matrix scale_inputs(MatrixView X, const Scaling& scaling);

/// The target in its form, to mean 0 and scale 1.
std::vector<double> scale_target(std::span<const double> y, const Scaling& scaling);

}  // namespace shrimp
