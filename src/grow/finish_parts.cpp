#include "grow/finish_parts.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"

namespace shrimp {
namespace {

// Not clearly worse: by less than the standard error of the difference over the rows, though by no more than a
// hundredth, since few rows see little; or by half of that, however sure it is, for that much nobody feels. Both shares
// were chosen by the columns and errors of 80 splits of noisy tables and functions together. With `one_standard_error`:
// within the standard error of the best one's own error, which is much more.
bool is_good_enough(const RowErrors& step, const RowErrors& best, bool one_standard_error) {
  constexpr double most_worse = 0.01;
  constexpr double not_felt = 0.005;
  if (one_standard_error) return step.mean <= best.mean + best.standard_error();
  const double worse = (step.mean - best.mean) / best.mean;
  return worse <= not_felt || (worse <= most_worse && !best.clearly_below(step, 1.0));
}

}  // namespace

void sort_columns(Finished& model) {
  std::vector<std::size_t> order = all_columns(model.dictionary.columns());
  std::ranges::stable_sort(
      order, {}, [&](std::size_t k) { return std::pair(model.dictionary.functions[k], model.dictionary.rows[k]); });
  std::vector<double> coefficients;
  Dictionary sorted = model.dictionary.subset(order);
  for (const std::size_t k : order) coefficients.push_back(model.coefficients[k]);
  std::vector<double> scales;
  for (std::size_t k = 0; k < model.scales.size(); ++k) scales.push_back(model.scales[order[k]]);
  model.dictionary = std::move(sorted);
  model.coefficients = std::move(coefficients);
  model.scales = std::move(scales);
}

ScaledDictionary::ScaledDictionary(const Grown& grown, std::uint64_t seed, std::size_t factor) {
  for (const TermShape& term : grown.terms) {
    const std::size_t count = weights_of(term) * (term.is_fixed() ? 1 : factor);
    const Dictionary drawn = draw_term(term, count, grown.deviations, seed, grown.kinds);
    scales.insert(scales.end(), drawn.columns(), column_scale(term, count));
    dictionary.append(drawn);
  }
}

Matrix ScaledDictionary::evaluate_at(MatrixView X) const {
  Matrix A = evaluate(dictionary, X);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    for (double& value : A.col(j)) value *= scales[j];
  }
  return A;
}

void set_model(Finished& result, const ScaledDictionary& drawn, double constant, std::span<const std::size_t> columns,
               std::span<const double> coefficients) {
  result.features_drawn = drawn.dictionary.weights.size();
  result.basis_functions_drawn = drawn.dictionary.columns();
  result.dictionary = drawn.dictionary.subset(columns);
  result.constant = constant;
  result.coefficients.assign(coefficients.begin(), coefficients.end());
  result.scales.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    result.scales.push_back(drawn.scales[columns[k]]);
    result.coefficients[k] *= result.scales.back();
  }
  sort_columns(result);
}

Equations centred(Matrix A, const Rows& rows, const Centring& centring) {
  Equations equations;
  A = centring.apply(std::move(A));
  equations.y = centring.apply(rows.y);
  equations.total_weight = rows.total_weight();
  if (!rows.weights.empty()) {
    for (const double weight : rows.weights) equations.roots.push_back(std::sqrt(weight));
    scale_rows(A, equations.roots);
    for (std::size_t i = 0; i < rows.size(); ++i) equations.y[i] *= equations.roots[i];
  }
  equations.A = std::make_shared<DenseRows>(std::move(A));
  return equations;
}

PathRecord record_of(std::size_t index, const RidgeFit& fit) {
  return {index, PathStep{fit.columns, {}, fit.rank, fit.train_mse, fit.lambda}};
}

std::vector<bool> columns_to_keep(const Dictionary& dictionary, const std::vector<Support>& include,
                                  const std::set<Support>& own_effects) {
  std::vector<bool> kept;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const Support support(dictionary.support(k).begin(), dictionary.support(k).end());
    kept.push_back(std::ranges::find(include, support) != include.end() || own_effects.contains(support));
  }
  return kept;
}

bool is_good_enough(const RowErrors& errors, const RowErrors& best) { return is_good_enough(errors, best, false); }

std::size_t choose_step(const std::vector<RowErrors>& errors, std::span<const double> fitted, bool one_standard_error) {
  const auto may_be = [&](std::size_t k) { return fitted[k] <= errors[k].mean; };
  std::size_t best = 0;
  for (std::size_t k = 1; k < errors.size(); ++k) {
    if (may_be(k) && errors[k].mean < errors[best].mean) best = k;
  }
  std::size_t chosen = best;
  for (std::size_t k = best + 1; k < errors.size(); ++k) {
    if (may_be(k) && is_good_enough(errors[k], errors[best], one_standard_error)) chosen = k;
  }
  return chosen;
}

}  // namespace shrimp
