// What terms of one and two inputs do, over grids of their inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// Values that an input is drawn at: all it has in the training rows, where these are few, or even steps from `low` to
/// `high`, their range.
struct InputGrid {
  std::uint32_t input = 0;
  std::vector<double> values;
  double low = 0.0;
  double high = 0.0;
  bool few = false;                     ///< Between the values there is nothing.
  std::vector<std::string> names = {};  ///< Of the values of a category: its levels; empty: they are numbers.
  bool logarithmic = false;             ///< Even steps of the logarithm.
};

/// A main effect; its mean over the training rows is zero.
struct Curve {
  std::size_t term = 0;  ///< Index into the model's terms.
  InputGrid x;
  std::vector<double> values;    ///< In the units of term_values (shrimp/explain.hpp).
  std::vector<double> low = {};  ///< The band around the values; empty: the model has none.
  std::vector<double> high = {};
};

/// A term of two inputs.
struct Surface {
  std::size_t term = 0;
  InputGrid x;
  InputGrid y;
  std::vector<double> values;  ///< That of (x_i, y_k) at i + k·x.values.size().
};

/// The probability of bands and intervals on a page.
inline constexpr double band_level = 0.9;

/// The given terms, each of one input. The model has marginals.
[[nodiscard]] std::vector<Curve> curves_of(const Model& model, std::span<const std::size_t> terms, int threads);

/// The given terms, each of two inputs. The model has marginals.
[[nodiscard]] std::vector<Surface> surfaces_of(const Model& model, std::span<const std::size_t> terms, int threads);

}  // namespace shrimp::report
