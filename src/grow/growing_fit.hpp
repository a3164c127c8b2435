// The terms of a growing model and the ridge regression on their features: what the search for terms works on.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/smoother.hpp"
#include "grow/term_block.hpp"
#include "path/equations.hpp"

namespace shrimp {

class GrowingFit {
 public:
  GrowingFit(const Rows& rows, double lambda, std::uint64_t seed);

  [[nodiscard]] const std::vector<TermShape>& terms() const { return terms_; }
  [[nodiscard]] const Smoother& smoother() const { return smoother_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  /// Errors are in units of its square.
  [[nodiscard]] double target_deviation() const { return target_deviation_; }
  [[nodiscard]] const std::vector<double>& input_deviations() const { return input_deviations_; }
  /// Of the rows' weights; none: every row counts 1.
  [[nodiscard]] const std::vector<double>& roots() const { return roots_; }

  void add(const TermShape& term);
  void replace(std::size_t k, const TermShape& term);
  void remove(std::size_t k);
  void set(std::vector<TermShape> terms, double lambda);
  void tune_lambda();

  /// The term's features in the rows, as the smoother takes them.
  [[nodiscard]] Matrix block_of(const TermShape& term) const;

  /// By how much the evidence rises with the logarithms of a term's scales and of its amplitude; of no term where
  /// rounding left no evidence.
  struct Slopes {
    std::vector<double> scales;
    double amplitude = 0.0;
  };
  [[nodiscard]] std::vector<Slopes> evidence_slopes() const;

 private:
  /// The term's columns, scaled.
  [[nodiscard]] Matrix features_of(const TermShape& term, const Dictionary& drawn) const;
  [[nodiscard]] Condensed condensed_block_of(const TermShape& term, double lambda) const;
  [[nodiscard]] Slopes slopes_of(const TermShape& term, const Matrix& by_features) const;

  const Rows& rows_;
  std::uint64_t seed_;
  double target_deviation_;
  std::vector<double> input_deviations_;
  std::vector<double> roots_;
  Smoother smoother_;
  std::vector<TermShape> terms_;
  std::vector<Matrix> rotations_;  // From each term's features to its block.
  double lambda_of_blocks_;        // The largest for which a block was condensed.
};

}  // namespace shrimp
