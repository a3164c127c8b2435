#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "data/target_form.hpp"
#include "intervals/factor.hpp"
#include "linalg/dense.hpp"
#include "model/model_loss.hpp"
#include "shrimp/errors.hpp"
#include "update/fold_sums.hpp"

namespace shrimp {
namespace {

// As a fit does: the range of the target, in the form that it is fitted in, and a margin on either side.
void limit_target(Scaling& scaling, const Model& model, const ModelSummary::Content& content) {
  const auto clip = model.options.find("clip");
  double margin = 0.0;
  if (!scaling.target_lowest || clip == model.options.end()) return;
  const std::string& text = clip->second;
  if (std::from_chars(text.data(), text.data() + text.size(), margin).ec != std::errc()) return;
  Scaling plain;
  plain.target_form = scaling.target_form;
  plain.target_correction = scaling.target_form == TargetForm::log ? 1.0 : 0.0;
  const double lowest = in_form(scaling.target_form, content.lowest);
  const double highest = in_form(scaling.target_form, content.highest);
  scaling.target_lowest = target_value(plain, lowest - margin * (highest - lowest));
  scaling.target_highest = target_value(plain, highest + margin * (highest - lowest));
}

// Squared errors of sums of working responses are twice the loss, to second order in the change of the fit.
void add_losses(const LossFunction& loss, const TriangularSystem& total, std::span<const double> c,
                const std::optional<FoldError>& by_folds, Model& model) {
  const Objective& objective = loss.objective();
  const bool is_scaled = objective.link == TargetForm::identity;
  const double unit = is_scaled ? std::pow(model.scaling.target_scale, objective.degree(loss.parameters())) : 1.0;
  const double factor = 0.5 * unit * objective.metric.factor;
  const std::string key(objective.metric.key);
  for (const char* kind : {"validation_", "train_"}) model.results.erase(kind + key);
  model.results.erase("validation_" + key + "_se");
  model.results["train_" + key] = factor * total.squared_error(c) / total.weight;
  if (!by_folds) return;
  model.results["validation_" + key] = factor * by_folds->mean;
  model.results["validation_" + key + "_se"] = factor * by_folds->standard_error;
}

// Sums give errors of what was fitted. Where that is the target's logarithm or root, errors of the target itself are of
// other coefficients and go.
void tell_errors(const TriangularSystem& total, std::span<const double> c, const std::optional<FoldError>& by_folds,
                 Model& model) {
  std::map<std::string, double>& results = model.results;
  for (const char* name : {"train_mse", "train_r2", "validation_mse", "validation_se", "validation_r2"}) {
    results.erase(name);
  }
  // Errors of other models are those of the rows of the fit.
  std::erase_if(results, [](const auto& result) {
    return result.first.starts_with("baseline_") || result.first.starts_with("readable_");
  });
  results.erase("rows_given");
  results["rows"] = static_cast<double>(total.rows);
  if (const LossFunction loss = loss_function_of(model); loss.kind() != Loss::squared) {
    return add_losses(loss, total, c, by_folds, model);
  }
  const double unit = model.scaling.target_scale * model.scaling.target_scale;
  const double variance = unit * (squared_norm(std::span(total.b).subspan(1)) + total.rest) / total.weight;
  const std::string prefix = model.scaling.target_form == TargetForm::identity ? "" : "transformed_";
  const auto tell = [&](const std::string& name, double error) {
    results[prefix + name + "_mse"] = error;
    if (variance > 0.0) results[prefix + name + "_r2"] = 1.0 - error / variance;
  };
  if (variance > 0.0) results[prefix + "baseline_mean_mse"] = variance;
  tell("train", unit * total.squared_error(c) / total.weight);
  if (by_folds) {
    tell("validation", unit * by_folds->mean);
    results[prefix + "validation_se"] = unit * by_folds->standard_error;
    // The mean of a square is that of its root, squared, and the variance: that of rows left out.
    if (model.scaling.target_form == TargetForm::sqrt) model.scaling.target_correction = unit * by_folds->mean;
  }
}

// Sums have no residuals, whose quantiles stay those of the rows that the columns were found on; how large they are,
// and how sure the coefficients, is told anew. A fit with the share h of free coefficients leaves σ²(1 − h) of the
// rows' own noise σ², and misses other rows by σ²/(1 − h).
void tell_uncertainty(const FoldSums& rows, std::span<const double> c, const std::optional<FoldError>& error,
                      Model& model) {
  constexpr double most = 0.9;
  if (loss_of(model) != Loss::squared) model.uncertainty.reset();  // Its rows had targets, and sums have responses.
  if (!model.uncertainty) return;
  const std::optional<Posterior> posterior = rows.posterior();
  const double h = posterior ? std::min(most, (1.0 + posterior->degrees_of_freedom()) / rows.count()) : 0.0;
  const TriangularSystem& total = rows.total();
  const double variance = error ? error->mean * (1.0 - h) : total.squared_error(c) / total.weight / (1.0 - h);
  model.uncertainty->noise = std::sqrt(std::max(variance, std::pow(std::numeric_limits<double>::epsilon(), 2)));
  std::vector<float>& factor = model.uncertainty->factor;
  factor = posterior && !factor.empty() ? kept_factor(*posterior) : std::vector<float>();
  for (float& value : factor) value *= static_cast<float>(model.uncertainty->noise);
}

// Sums of extreme size overflow in the coefficients or in what follows from them.
void require_finite(const Model& model) {
  const auto is_finite = [](auto value) { return std::isfinite(value); };
  const auto is_finite_result = [](const auto& result) { return std::isfinite(result.second); };
  const Scaling& scaling = model.scaling;
  bool finite = std::ranges::all_of(model.coefficients, is_finite) && is_finite(scaling.target_mean) &&
                is_finite(scaling.target_correction) && is_finite(scaling.target_lowest.value_or(0.0)) &&
                is_finite(scaling.target_highest.value_or(0.0)) && std::ranges::all_of(model.results, is_finite_result);
  if (model.uncertainty) {
    finite = finite && is_finite(model.uncertainty->noise) && std::ranges::all_of(model.uncertainty->factor, is_finite);
  }
  if (finite) return;
  throw DataError(
      "the sufficient statistics give coefficients or errors that are too large.\nCheck the rows for numbers of "
      "extreme size.");
}

}  // namespace

// The factor that brings predictions of a logarithm to means stays: it is a mean over residuals, which sums do not
// have, and the rows that the columns were found on tell it well.
Model refit(const Model& model, const ModelSummary& summary, const FoldSums& rows,
            const std::optional<FoldError>& by_folds) {
  const std::vector<double> c = rows.solve(rows.total());
  Model result = model;
  result.coefficients.assign(c.begin() + 1, c.end());
  result.scaling.target_mean = summary.content().target_mean + model.scaling.target_scale * c[0];
  limit_target(result.scaling, model, summary.content());
  tell_errors(rows.total(), c, by_folds, result);
  tell_uncertainty(rows, c, by_folds, result);
  require_finite(result);
  return result;
}

Model refit(const Model& model, const ModelSummary& summary) {
  const FoldSums rows(model, summary);
  return refit(model, summary, rows, rows.error([&](const TriangularSystem& sums) { return rows.solve(sums); }));
}

}  // namespace shrimp
