// How each input is spread over the rows.
#pragma once

#include <span>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// The marginal of every column of X, row i counting weights[i] times (no weights: once). Up to 64 different values are
/// kept as they are, more are replaced by 64 quantiles, but for categories, whose levels all stay. Of very many rows,
/// some are looked at; missing cells do not count. Columns that are not `used` (if any are named) get no values.
/// `levels` has a number above 0 for each category; empty: there is none.
std::vector<Marginal> marginals_of(MatrixView X, std::span<const double> weights, const std::vector<bool>& used = {},
                                   std::span<const std::size_t> levels = {});

double mean_of(const Marginal& marginal);

/// The value below which the share 0 < p < 1 of the mass lies.
double quantile(const Marginal& marginal, double p);

/// From the inputs' own units to those in which features see them, limits and warps and all, and back. Values ascend
/// in either.
std::vector<Marginal> scale_marginals(std::vector<Marginal> marginals, const Scaling& scaling);
std::vector<Marginal> unscale_marginals(std::vector<Marginal> marginals, const Scaling& scaling);

}  // namespace shrimp
