// The terms of a growing model and the ridge regression on their features: what the search for terms works on.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/input_spread.hpp"
#include "grow/term_block.hpp"
#include "path/equations.hpp"
#include "ridge/leave_one_out_ridge.hpp"

namespace shrimp {

class GrowingFit {
 public:
  /// Rows of a group lie beside each other, from each of `starts` to the next; none: every row is by itself.
  GrowingFit(const Rows& rows, GroupStarts starts, double lambda, std::uint64_t seed);
  /// The same for some of its rows, in the same units, without terms.
  GrowingFit(const Rows& some_rows, const GrowingFit& all);

  [[nodiscard]] const std::vector<TermShape>& terms() const { return terms_; }
  [[nodiscard]] const LeaveOneOutRidge& smoother() const { return smoother_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  /// Errors are in units of its square.
  [[nodiscard]] double target_deviation() const { return target_deviation_; }
  [[nodiscard]] const std::vector<InputSpread>& spreads() const { return spreads_; }
  [[nodiscard]] const std::vector<double>& input_deviations() const { return input_deviations_; }
  [[nodiscard]] const GroupStarts& starts() const { return starts_; }
  /// Of the rows' weights; none: every row counts 1.
  [[nodiscard]] const std::vector<double>& roots() const { return roots_; }

  void add(const TermShape& term);
  void remove(std::size_t k);
  void set(std::vector<TermShape> terms, double lambda);
  void tune_lambda();

  /// The terms' features in the rows, as the smoother takes them.
  [[nodiscard]] std::vector<Matrix> blocks_of(std::span<const TermShape> terms) const;
  [[nodiscard]] Matrix block_of(const TermShape& term) const { return std::move(blocks_of({&term, 1}).front()); }

  [[nodiscard]] const Dictionary& dictionary_of(std::size_t k) const { return drawn_[k].dictionary; }
  /// The ridge regression's coefficients of a term's features.
  [[nodiscard]] std::vector<double> coefficients_of(std::size_t k) const;

  /// Degrees of freedom of the ridge regression on a term alone, the trace of its hat matrix.
  [[nodiscard]] double degrees_of_freedom(const TermShape& term) const;

  /// Operations done so far.
  [[nodiscard]] double work() const { return smoother_.work() + work_; }

  /// By how much the evidence rises with the logarithms of a term's scales and of its amplitude; of no term where
  /// rounding left no evidence.
  struct Slopes {
    std::vector<double> scales;
    double amplitude = 0.0;
  };
  [[nodiscard]] std::vector<Slopes> evidence_slopes() const;

 private:
  /// A term with its block, and what the block was made of.
  struct Drawn {
    Dictionary dictionary;
    Matrix features;  ///< Its columns, scaled, rows times the roots of their weights.
    Condensed block;
  };
  [[nodiscard]] Drawn draw(const TermShape& term, double lambda) const;
  void count_draw(const TermShape& term) const;
  struct Place {
    std::size_t weight;
    std::size_t input;  ///< Among those of the weight vector.
  };
  [[nodiscard]] double slope_with_missing(const Drawn& drawn, const Matrix& by_features, Place at,
                                          std::span<const double> by_phase) const;
  [[nodiscard]] Slopes slopes_of(const TermShape& term, const Drawn& drawn, const Matrix& by_features) const;

  const Rows& rows_;
  GroupStarts starts_;
  std::uint64_t seed_;
  double target_deviation_;
  std::vector<InputSpread> spreads_;
  std::vector<double> input_deviations_;
  std::vector<double> roots_;
  LeaveOneOutRidge smoother_;
  std::vector<TermShape> terms_;
  std::vector<Drawn> drawn_;  // Of each term, but for its block's columns, which the smoother has.
  double lambda_of_blocks_;   // The largest for which a block was condensed.
  mutable double work_ = 0.0;
};

}  // namespace shrimp
