#include "fit/p_values.hpp"

#include <algorithm>
#include <cmath>

#include "data/present.hpp"
#include "data/split.hpp"
#include "fit/fit_by_loss.hpp"
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
std::size_t most_rows_to_draw(std::size_t columns) {
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

// Rows in the order of their groups, and no more than can be tested in little time; empty: all rows as they are.
Rows rows_to_test(const ModelFrame& frame, std::size_t columns) {
  const std::size_t most = most_rows_to_draw(columns);
  Rows rows;
  if (frame.rows.size() > most) rows = gather(frame.rows, sample_rows(frame.rows, most, frame.options.seed));
  const GroupOrder grouped(rows.size() > 0 ? rows.groups : frame.rows.groups);
  if (!grouped.starts) return rows;
  return gather(rows.size() > 0 ? rows : frame.rows, grouped.order);
}

// The last weighted least squares under the loss.
WorkingRows least_squares_of(const Model& model, const ModelFrame& frame, const Choice& choice, const Rows& rows) {
  std::vector<double> sums(rows.size(), 0.0);
  if (!model.coefficients.empty()) sums = multiply(evaluate(model.dictionary, rows.X), model.coefficients);
  for (double& sum : sums) sum += choice.constant;
  return working_rows(rows, loss_function(frame).with_scale_in(choice.results, frame.target_unit), sums);
}

}  // namespace

void add_p_values(Model& model, const ModelFrame& frame, const Choice& choice) {
  const bool selects_terms = method_named(frame.options.method).candidates == nullptr;
  const bool has_noise = choice.ridge > 0.0;
  if (!selects_terms || !has_noise || model.coefficients.empty() || model.dictionary.has_kernels()) return;
  const Rows some = rows_to_test(frame, model.coefficients.size());
  const Rows& rows = some.size() > 0 ? some : frame.rows;
  const bool is_squared = frame.options.loss == Loss::squared;
  const WorkingRows working = is_squared ? WorkingRows() : least_squares_of(model, frame, choice, rows);
  const double part = rows.total_weight() / choice.fitted_weight.value_or(frame.rows.total_weight());
  const FitToTest fit{.rows = is_squared ? rows : working.rows,
                      .starts = GroupOrder(rows.groups).starts,
                      .dictionary = model.dictionary,
                      .scales = choice.scales,
                      .ridge = part * choice.ridge / working.mean_weight,
                      .seed = frame.options.seed};
  const std::vector<Term> terms = model.terms;
  const TermTests tests(fit, terms);
  if (is_squared && !(tests.unexplained_fraction() > hardly_any_noise)) return;
  parallel_for(terms.size(), [&](std::size_t k) {
    const std::size_t order = terms[k].variables.size();
    if (order > highest_order) return;
    const std::optional<double> p = tests.p_value(terms[k]);
    // Šidák: the smallest of so many p-values.
    if (p) model.terms[k].p_value = *p < 1.0 ? -std::expm1(count_candidates(frame, order) * std::log1p(-*p)) : 1.0;
  });
}

}  // namespace shrimp
