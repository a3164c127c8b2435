// How sure a fitted model is (shrimp/model.hpp: Uncertainty).
//
// Rows that the fit did without, or a fold of it, tell how far targets lie from predictions.
#pragma once

#include <optional>

#include "fit/left_out_rows.hpp"
#include "fit/selection.hpp"
#include "intervals/posterior.hpp"

namespace shrimp {

struct FittedRows {
  const Rows& rows;            ///< Those that the coefficients were fitted to, or a part of them, in scaled units.
  double weight = 0.0;         ///< Of all that they were fitted to.
  bool with_constant = false;  ///< Whether the constant was fitted beside the columns.
  double mean_square = 0.0;    ///< Of what the coefficients leave of these rows, where that is known.
  bool least_squares = false;  ///< Whether coefficients are those of least squares or of the ridge.
  std::optional<RidgePenalty> penalty = {};  ///< Its ridge; none: least squares.
};

/// One scale for all basis functions of a weight vector; all 1 if none are given. None without a ridge.
std::optional<RidgePenalty> penalty_of(const Dictionary& dictionary, double ridge, std::span<const double> scales);

/// The posterior of the coefficients, in units of the noise variance of a row of weight 1. None if the rows do not
/// determine it.
std::optional<Posterior> posterior_of(const Model& model, const FittedRows& fitted);

/// Some of the rows, drawn at random, if they are more than `most`.
Rows some_rows(const Rows& rows, std::size_t most);
LeftOutRows some_rows(const LeftOutRows& rows, std::size_t most);

/// Rows that calibrate intervals, at most: quantiles of more rows are hardly more precise. Chosen by hand.
inline constexpr std::size_t enough_to_calibrate = 4000;

/// Variances of the sums at left-out rows from those of the fit to all rows, both in units of the noise variance. A
/// row's variance is h/(1 − w h) without the row, if it is h with it and w is its weight.
std::vector<double> leave_out(std::vector<double> variances, const LeftOutRows& rows);

/// Standard deviation of the sums over the rows.
double spread_of(const Model& model, const Rows& all);

/// The factor of the posterior as the model keeps it. Empty if single precision changes variances at these columns.
std::vector<float> precise_factor(const Posterior& posterior, const Matrix& columns, std::span<const double> variances);

/// None where nothing tells.
std::optional<Uncertainty> uncertainty_of(const Model& model, const FittedRows& fitted, const LeftOutRows& left_out);

}  // namespace shrimp
