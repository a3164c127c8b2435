#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "data/target_form.hpp"
#include "intervals/factor.hpp"
#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "update/column_solver.hpp"
#include "update/summary_content.hpp"

namespace shrimp {
namespace {

struct FoldError {
  double mean = 0.0;
  double standard_error = 0.0;
};

TriangleSummary finite(TriangleSummary sums) {
  const double size = squared_norm({sums.R.data(), sums.R.rows() * sums.R.cols()}) + squared_norm(sums.b) + sums.rest;
  if (std::isfinite(size)) return sums;
  throw DataError("the sums over rows are too large to be solved with.\nLook for numbers of extreme size in the rows.");
}

/// Sums of all folds, of parts of them, and what is solved with them.
class SummedRows {
 public:
  SummedRows(const Model& model, const ModelSummary& summary)
      : content_(summary.content()),
        solver_(model, refit_rule(model, "the model")),
        total_(finite(content_.all())),
        unit_(content_.unit.value(total_.weight / static_cast<double>(total_.rows))),
        kept_((model.scaling.target_mean - content_.target_mean) / content_.target_scale) {}

  [[nodiscard]] const TriangleSummary& total() const { return total_; }
  [[nodiscard]] std::vector<double> solve() const { return solve(total_); }
  [[nodiscard]] std::optional<Posterior> posterior() const { return solver_.posterior(total_, unit_); }
  /// Of all rows, in units in which the ridge counts as for one row.
  [[nodiscard]] double count() const { return total_.weight / unit_; }

  /// Each fold's error by a fit to the others; none of one fold.
  [[nodiscard]] std::optional<FoldError> error_by_folds() const {
    std::vector<const TriangleSummary*> folds;
    for (const auto& [fold, own] : content_.sums) folds.push_back(&own);
    if (folds.size() < 2) return std::nullopt;
    // Sums of the folds after each; those before are summed up on the way.
    std::vector<TriangleSummary> after;
    after.emplace_back(content_.columns);
    for (std::size_t k = folds.size() - 1; k > 0; --k) {
      after.push_back(after.back());
      after.back().merge(*folds[k]);
    }
    TriangleSummary others(content_.columns);
    std::vector<double> squares;
    FoldError error;
    for (const TriangleSummary* fold : folds) {
      TriangleSummary rest = std::move(after.back());
      after.pop_back();
      rest.merge(others);
      squares.push_back(fold->squared_error(solve(rest)));
      error.mean += squares.back() / total_.weight;
      others.merge(*fold);
    }
    double variance = 0.0;
    for (std::size_t k = 0; k < folds.size(); ++k) {
      variance += std::pow((squares[k] - folds[k]->weight * error.mean) / total_.weight, 2);
    }
    const auto count = static_cast<double>(folds.size());
    error.standard_error = std::sqrt(variance * count / (count - 1.0));
    return error;
  }

 private:
  [[nodiscard]] std::vector<double> solve(const TriangleSummary& sums) const {
    return solver_.solve(sums, unit_, kept_);
  }

  const ModelSummary::Content& content_;
  ColumnSolver solver_;
  TriangleSummary total_;
  double unit_;
  double kept_;
};

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

// Sums give errors of what was fitted. Where that is the target's logarithm or root, errors of the target itself are of
// other coefficients and go.
void tell_errors(const SummedRows& rows, std::span<const double> c, const std::optional<FoldError>& error,
                 Model& model) {
  std::map<std::string, double>& results = model.results;
  const TriangleSummary& total = rows.total();
  for (const char* name : {"train_mse", "train_r2", "validation_mse", "validation_se", "validation_r2"}) {
    results.erase(name);
  }
  results["rows"] = static_cast<double>(total.rows);
  const double unit = model.scaling.target_scale * model.scaling.target_scale;
  const double variance = unit * (squared_norm(std::span(total.b).subspan(1)) + total.rest) / total.weight;
  const std::string prefix = model.scaling.target_form == TargetForm::identity ? "" : "form_";
  const auto tell = [&](const std::string& name, double value) {
    results[prefix + name + "_mse"] = value;
    if (variance > 0.0) results[prefix + name + "_r2"] = 1.0 - value / variance;
  };
  tell("train", unit * total.squared_error(c) / total.weight);
  if (error) {
    tell("validation", unit * error->mean);
    results[prefix + "validation_se"] = unit * error->standard_error;
    // The mean of a square is that of its root, squared, and the variance: that of rows left out.
    if (model.scaling.target_form == TargetForm::sqrt) model.scaling.target_correction = unit * error->mean;
  }
}

// Sums have no residuals, whose quantiles stay those of the rows that the columns were found on; how large they are,
// and how sure the coefficients, is told anew. A fit with the share h of free coefficients leaves σ²(1 − h) of the
// rows' own noise σ², and misses other rows by σ²/(1 − h).
void tell_uncertainty(const SummedRows& rows, std::span<const double> c, const std::optional<FoldError>& error,
                      Model& model) {
  constexpr double most = 0.9;
  if (!model.uncertainty) return;
  const std::optional<Posterior> posterior = rows.posterior();
  const double h = posterior ? std::min(most, (1.0 + posterior->degrees_of_freedom()) / rows.count()) : 0.0;
  const TriangleSummary& total = rows.total();
  const double variance = error ? error->mean * (1.0 - h) : total.squared_error(c) / total.weight / (1.0 - h);
  model.uncertainty->noise = std::sqrt(std::max(variance, std::pow(std::numeric_limits<double>::epsilon(), 2)));
  std::vector<float>& factor = model.uncertainty->factor;
  factor = posterior && !factor.empty() ? kept_factor(*posterior) : std::vector<float>();
  for (float& value : factor) value *= static_cast<float>(model.uncertainty->noise);
}

}  // namespace

// The factor that brings predictions of a logarithm to means stays: it is a mean over residuals, which sums do not
// have, and the rows that the columns were found on tell it well.
Model refit(const Model& model, const ModelSummary& summary) {
  if (!summary.is_of_columns_of(model)) throw DataError("the summary is one of other columns than the model's.");
  if (summary.rows() == 0) {
    throw DataError("there are no rows to fit: the summaries are of empty tables, or of weights that are all 0.");
  }
  const SummedRows rows(model, summary);
  const std::vector<double> c = rows.solve();
  Model result = model;
  result.coefficients.assign(c.begin() + 1, c.end());
  result.scaling.target_mean = summary.content().target_mean + model.scaling.target_scale * c[0];
  limit_target(result.scaling, model, summary.content());
  const std::optional<FoldError> error = rows.error_by_folds();
  tell_errors(rows, c, error, result);
  tell_uncertainty(rows, c, error, result);
  return result;
}

}  // namespace shrimp
