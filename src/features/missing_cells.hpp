// Columns in rows that lack some of their inputs.
//
// Such a row has the column's mean over what the missing inputs may be, each by its marginal and by itself. Of a wave
// that is a product: E cos(a + w x) = Re(exp(ia) E exp(iwx)), one characteristic function for each missing input.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

class MissingCells {
 public:
  /// Both must outlive it. Throws DataError if an input that a column looks at is missing and there are no marginals.
  MissingCells(MatrixView X, const Dictionary& dictionary);

  [[nodiscard]] bool any() const { return !rows_.empty(); }
  /// Puts the means of column k, which is no kernel's, into the rows that lack an input of it.
  void average(std::size_t k, std::span<double> column) const;

 private:
  [[nodiscard]] double mean_of_wave(std::size_t k, std::size_t row, std::span<const std::complex<double>> means) const;
  [[nodiscard]] double mean_of_curve(std::size_t k, std::size_t row) const;
  [[nodiscard]] double phase(std::size_t k) const;

  MatrixView X_;
  const Dictionary& dictionary_;
  std::vector<std::size_t> rows_;  // That lack anything a column looks at.
};

/// E exp(iwx), and E x exp(iwx), over a marginal.
struct WaveMeans {
  std::complex<double> wave = 0.0;
  std::complex<double> times_x = 0.0;
};
WaveMeans wave_means(double w, const Marginal& marginal);

/// The mean of its marginal in the place of every missing input.
Matrix at_means(MatrixView X, const std::vector<Marginal>& marginals);

}  // namespace shrimp
