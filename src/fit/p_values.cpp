#include "fit/p_values.hpp"

#include <algorithm>
#include <cmath>

#include "data/loss.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "fit/term_tests.hpp"
#include "grow/finish_by_loss.hpp"
#include "linalg/dense.hpp"
#include "methods/method.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Beyond it, what is left is the error of an approximation, which is no noise.
constexpr double hardly_any_noise = 1e-4;

constexpr std::size_t highest_order = 3;

// Rows that are tested, at most: their Gram matrix takes 2e10 operations or fewer, but for 4000 rows.
std::size_t most_rows(std::size_t columns) {
  const double rows = 1e10 / std::max(1.0, std::pow(static_cast<double>(columns), 2));
  return static_cast<std::size_t>(std::clamp(rows, 4000.0, 50000.0));
}

// Candidates of a term's order, times the orders that are searched.
double count_candidates(const ModelFrame& frame, std::size_t order) {
  std::size_t inputs = 0;
  for (std::size_t j = 0; j < frame.rows.X.cols(); ++j) {
    const auto [lowest, highest] = range_of_present(frame.rows.X.col(j));
    inputs += lowest < highest ? 1 : 0;
  }
  const auto given = static_cast<std::size_t>(frame.options.terms.max_order);
  const std::size_t orders = std::min({inputs, highest_order, given == 0 ? highest_order : given});
  return static_cast<double>(std::max<std::size_t>(1, orders)) *
         static_cast<double>(std::max<std::uint64_t>(1, binomial(inputs, order)));
}

// The last weighted least squares of a loss, whose mean weight is 1, and its ridge.
struct LeastSquares {
  Rows rows;
  double ridge = 0.0;
};

LeastSquares least_squares_of(const Model& model, const ModelFrame& frame, const Choice& choice, Rows rows) {
  const double weight = choice.fitted_weight.value_or(frame.rows.total_weight());
  const double ridge = choice.ridge * rows.total_weight() / weight;
  const Loss kind = frame.options.loss;
  if (kind == Loss::squared) return {std::move(rows), ridge};
  std::vector<double> sums(rows.size(), 0.0);
  if (!model.coefficients.empty()) sums = multiply(evaluate(model.dictionary, rows.X), model.coefficients);
  for (double& sum : sums) sum += choice.constant;
  const auto scale = choice.results.find("huber_scale");
  const LossFunction loss(kind, scale == choice.results.end() ? 1.0 : scale->second / frame.scaling.target_scale);
  WorkingRows working = working_rows(rows, loss, sums);
  return {std::move(working.rows), ridge / working.mean_weight};
}

Rows rows_to_test(const ModelFrame& frame, std::size_t columns) {
  const std::size_t most = most_rows(columns);
  Rows rows = frame.rows.size() > most ? gather(frame.rows, sample_rows(frame.rows, most, frame.options.seed))
                                       : gather(frame.rows, all_columns(frame.rows.size()));
  const GroupOrder grouped(rows.groups);
  return grouped.starts ? gather(rows, grouped.order) : std::move(rows);
}

}  // namespace

void add_p_values(Model& model, const ModelFrame& frame, const Choice& choice) {
  const bool selects_terms = method_named(frame.options.method).candidates == nullptr;
  const bool has_noise = choice.ridge > 0.0;
  if (!selects_terms || !has_noise || model.coefficients.empty() || model.dictionary.has_kernels()) return;
  const LeastSquares fitted =
      least_squares_of(model, frame, choice, rows_to_test(frame, model.coefficients.size()));
  const FitToTest fit{fitted.rows,    GroupOrder(fitted.rows.groups).starts,
                      model.dictionary, choice.scales,
                      fitted.ridge,   frame.options.seed};
  const std::vector<Term> terms = model.terms;
  const TermTests tests(fit, terms);
  const bool is_exact = frame.options.loss == Loss::squared && !(tests.unexplained_fraction() > hardly_any_noise);
  if (is_exact) return;
  parallel_for(terms.size(), [&](std::size_t k) {
    const std::size_t order = terms[k].variables.size();
    if (order > highest_order) return;
    const std::optional<double> p = tests.p_value(terms[k]);
    // Šidák: the smallest of so many p-values.
    if (p) model.terms[k].chance = *p < 1.0 ? -std::expm1(count_candidates(frame, order) * std::log1p(-*p)) : 1.0;
  });
}

}  // namespace shrimp
