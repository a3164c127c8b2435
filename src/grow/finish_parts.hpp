// Shared by the final fits: features of the terms, columns that must stay.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "grow/finish.hpp"
#include "path/equations.hpp"
#include "ridge/intercept.hpp"

namespace shrimp {

/// A model that is read from its file has its columns function by function; the same order gives the same sums.
void sort_columns(Finished& model);

/// The grown terms' features with the scales of their columns: `factor` times as many of curves and surfaces as the
/// terms were found with.
struct ScaledDictionary {
  Dictionary dictionary;
  std::vector<double> scales;

  ScaledDictionary(Dictionary columns, std::vector<double> column_scales)
      : dictionary(std::move(columns)), scales(std::move(column_scales)) {}
  ScaledDictionary(const Grown& grown, std::uint64_t seed, std::size_t factor = 1);

  [[nodiscard]] Matrix evaluate_at(MatrixView X) const;
};

/// The model of these columns' coefficients, which are of scaled columns.
void set_model(Finished& result, const ScaledDictionary& drawn, double constant, std::span<const std::size_t> columns,
               std::span<const double> coefficients);

/// A c ≈ y, centred, with rows multiplied by the square roots of their weights.
Equations centred(Matrix A, const Rows& rows, const Centring& centring);

/// Row of the reported path, without errors on other rows.
PathRecord record_of(std::size_t index, const RidgeFit& fit);

/// Which columns belong to terms that must stay: those included, and effects of their own that interactions could
/// stand for.
std::vector<bool> columns_to_keep(const Dictionary& dictionary, const std::vector<Support>& include,
                                  const std::set<Support>& own_effects = {});

/// Whether errors are not clearly above those of the best: by at most 0.5 % of the best, or by at most 1 % and less
/// than the standard error of the difference over the rows.
bool is_good_enough(const RowErrors& errors, const RowErrors& best);

/// The smallest model of a path that is good enough beside the best. Folds prune paths of their own: a step whose error
/// on the rows that it was `fitted` to is above that of the folds is not what they judged.
std::size_t choose_step(const std::vector<RowErrors>& errors, std::span<const double> fitted, bool one_standard_error);

}  // namespace shrimp
