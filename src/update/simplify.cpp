#include "shrimp/simplify.hpp"

#include <cmath>

#include "model/model_loss.hpp"
#include "model/terms.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"
#include "update/column_subset.hpp"
#include "update/fold_sums.hpp"
#include "update/simpler_columns.hpp"

namespace shrimp {
namespace {

void check(const Model& model, const SimplifyOptions& options) {
  const int given = (options.terms ? 1 : 0) + (options.basis_functions ? 1 : 0) + (options.drop.empty() ? 0 : 1);
  if (given != 1) throw OptionError("terms, basis-functions and drop exclude each other.\nGive one of them.");
  if (model.coefficients.empty()) throw OptionError("the model has no basis functions, so none can be removed.");
  if (model.marginals.empty()) {
    throw ModelFileError(
        "computing the terms needs the marginal distributions of the inputs, which the model was saved without.\nFit "
        "it again.");
  }
}

// The fit of some columns as one of all.
std::vector<double> spread(const std::vector<double>& c, const std::vector<std::size_t>& kept, std::size_t columns) {
  std::vector<double> all(columns + 1, 0.0);
  all[0] = c[0];
  for (std::size_t k = 0; k < kept.size(); ++k) all[kept[k] + 1] = c[k + 1];
  return all;
}

/// Which columns stay, by all rows and by parts of them.
using ChooseColumns = std::function<std::vector<std::size_t>(const TriangularSystem&)>;

ChooseColumns choice_of(const Model& model, const SimplifyOptions& options, const FoldSums& rows) {
  if (options.drop.empty()) {
    return [&rows, choice = ColumnChoice(model, options)](const TriangularSystem& sums) {
      return choice.choose(rows.problem(sums));
    };
  }
  return [kept = columns_without(model, terms_named(model, options.drop))](const TriangularSystem&) { return kept; };
}

void tell_terms(Model& model, const std::vector<Term>& before) {
  TermShares shares = terms_after_loss(model, before);
  model.terms = std::move(shares.terms);
  model.results.erase("covariance_fraction");  // Of rows, which sums do not have.
  model.results.erase("independence_p_value");
  model.results.erase("fraction_above_order_three");
  if (shares.above_three) model.results["fraction_above_order_three"] = *shares.above_three;
}

}  // namespace

Simplified simplify(const Model& model, const ModelSummary& summary, const SimplifyOptions& options) {
  check(model, options);
  const ThreadScope scope(options.threads);
  const std::size_t columns = model.coefficients.size();
  const FoldSums rows(model, summary);
  const ChooseColumns choice = choice_of(model, options, rows);
  const std::vector<std::size_t> kept = choice(rows.total());
  const auto fit_to_part = [&](const TriangularSystem& part) {
    const std::vector<std::size_t> chosen = choice(part);
    return spread(rows.solve(with_columns(model, chosen), with_columns(part, chosen)), chosen, columns);
  };
  const Model smaller = with_columns(model, kept);
  ModelSummary fewer = with_columns(summary, kept, smaller);
  Model fitted = refit(smaller, fewer, FoldSums(smaller, fewer), rows.error(fit_to_part));
  tell_terms(fitted, model.terms);
  fitted.results.emplace("simplified_from", static_cast<double>(columns));  // Where it was done before, the first time.
  fewer.set_model(fitted);
  return {refit(model, summary), std::move(fitted), std::move(fewer),
          notes_on_loss(model, terms_named(model, options.drop))};
}

// Cross-validation chose the basis functions, too: its error stays that of the choice.
void refine(Simplified& simplified, const std::function<ModelSummary(const Model& model)>& summarize) {
  constexpr int most_steps = 10;
  constexpr double precision = 1e-8;
  const Objective& objective = objective_of(loss_of(simplified.model));
  if (objective.loss == Loss::squared) return;
  const std::string key = "train_" + std::string(objective.metric.key);
  for (int step = 0; step < most_steps; ++step) {
    ModelSummary summary = summarize(simplified.model);
    Model next = refit(simplified.model, summary);
    for (const auto& [name, value] : simplified.model.results) {
      if (name.starts_with("validation_")) next.results[name] = value;
    }
    const double before = simplified.model.results[key];
    const double after = next.results[key];
    summary.set_model(next);
    simplified.model = std::move(next);
    simplified.summary = std::move(summary);
    if (!(std::abs(before - after) > precision * std::abs(after))) break;
  }
}

}  // namespace shrimp
