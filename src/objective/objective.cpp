#include "objective/objective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {

extern const Objective squared_objective;
extern const Objective logistic_objective;
extern const Objective poisson_objective;
extern const Objective huber_objective;
extern const Objective gamma_objective;
extern const Objective tweedie_objective;
extern const Objective quantile_objective;
extern const Objective multinomial_objective;
extern const Objective custom_objective;

namespace {

constexpr std::array<const Objective*, 9> objectives = {&squared_objective,  &logistic_objective,    &poisson_objective,
                                                        &huber_objective,    &gamma_objective,       &tweedie_objective,
                                                        &quantile_objective, &multinomial_objective, &custom_objective};

// The constant of least loss where no formula gives it: Newton's method, halving steps that do not descend.
double constant_by_newton(const LossFunction& loss, std::span<const double> y, std::span<const double> weights,
                          double start) {
  constexpr int most_steps = 100;
  constexpr int most_halvings = 30;
  constexpr double precision = 1e-10;
  const auto at = [&](double f) { return mean_loss(loss, y, std::vector<double>(y.size(), f), weights); };
  double f = start;
  double value = at(f);
  for (int step = 0; step < most_steps; ++step) {
    double weight = 0.0;
    double response = 0.0;
    const std::vector<WorkingRow> rows = loss.working_rows(y, std::vector<double>(y.size(), f));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double own = rows[i].weight * (weights.empty() ? 1.0 : weights[i]);
      weight += own;
      response += own * rows[i].response;
    }
    double next = response / weight;
    double after = at(next);
    for (int halved = 0; halved < most_halvings && !(after <= value); ++halved) {
      next = 0.5 * (next + f);
      after = at(next);
    }
    if (!(after <= value)) break;
    const bool is_done = !(value - after > precision * std::abs(value));
    f = next;
    value = after;
    if (is_done) break;
  }
  return f;
}

double weighted_mean(std::span<const double> y, std::span<const double> weights) {
  const double sum = weights.empty() ? std::accumulate(y.begin(), y.end(), 0.0)
                                     : std::inner_product(y.begin(), y.end(), weights.begin(), 0.0);
  return sum / (weights.empty() ? static_cast<double>(y.size()) : std::accumulate(weights.begin(), weights.end(), 0.0));
}

WorkingRow row_of(const Derivatives& derivatives, double f, double least_weight) {
  const double weight = std::max(derivatives.second, least_weight);
  return {f - derivatives.first / weight, weight};
}

}  // namespace

extern const Objective custom_objective = {
    .loss = Loss::custom,
    .name = "custom",
    .help = "a loss function of the caller",
    .target = {any_number, "number", ""},
    .value = nullptr,
    .derivatives = nullptr,
    .largest_curvature = nullptr,
    .degree = [](const LossParameters&) { return 0.0; },
    .updates_by_steps = false,
    .metric = {"custom_loss", "custom loss", 1.0},
    .constant_model = "constant",
    .linear_model = "linear model",
    .prediction = "the minimiser of a custom loss",
};

double weighted_quantile(std::span<const double> y, std::span<const double> weights, double level) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (weights.empty()) {
    const auto place = static_cast<std::size_t>(level * static_cast<double>(y.size()));
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(place, y.size() - 1));
    std::ranges::nth_element(order, middle, {}, [&](std::size_t i) { return y[i]; });
    return y[*middle];
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return y[i]; });
  const double target = level * std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0.0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (below >= target) return y[i];
  }
  return y[order.back()];
}

double robust_standard_deviation(std::span<const double> y, std::span<const double> f,
                                 std::span<const double> weights) {
  constexpr double normal = 1.4826;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < y.size(); ++i) sizes.push_back(std::abs(y[i] - f[i]));
  return normal * weighted_quantile(sizes, weights, 0.5);
}

const Objective& objective_of(Loss loss) {
  return **std::ranges::find(objectives, loss, [](const Objective* row) { return row->loss; });
}

std::span<const Objective* const> all_objectives() { return std::span(objectives).first(objectives.size() - 1); }

bool has_link(Loss loss) {
  const Objective& objective = objective_of(loss);
  return objective.link != TargetForm::identity || objective.has_several_predictors;
}

std::string scale_key(const Objective& objective) { return std::string(objective.name) + "_scale"; }

std::string_view name_of(Loss loss) { return objective_of(loss).name; }

LossFunction::LossFunction(std::shared_ptr<const CustomLoss> custom, double offset, double unit)
    : objective_(&custom_objective), custom_(Custom{std::move(custom), offset, unit}) {}

LossFunction LossFunction::with_scale(double scale) const {
  LossFunction other = *this;
  other.parameters_.scale = scale;
  return other;
}

LossFunction LossFunction::with_scale_in(const std::map<std::string, double>& results, double unit) const {
  const auto scale = results.find(scale_key(*objective_));
  return scale == results.end() ? *this : with_scale(scale->second / unit);
}

LossFunction LossFunction::reported() const {
  constexpr double negligible = 1e-9;
  return objective_->is_smoothed ? with_scale(negligible * parameters_.scale) : *this;
}

double LossFunction::mean(double f) const {
  if (objective_->link == TargetForm::logit) return 1.0 / (1.0 + std::exp(-bounded_log(f)));
  return objective_->link == TargetForm::log ? exp_bounded(f) : f;
}

double LossFunction::link(double mean) const {
  constexpr double smallest = 1e-6;
  if (objective_->link == TargetForm::log) return std::log(std::max(mean, smallest));
  if (objective_->link != TargetForm::logit) return mean;
  const double p = std::clamp(mean, smallest, 1.0 - smallest);
  return std::log(p / (1.0 - p));
}

LossFunction::CustomRows LossFunction::evaluate_custom(std::span<const double> y, std::span<const double> f) const {
  std::vector<double> own_y(y.size());
  std::vector<double> own_f(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    own_y[i] = custom_->offset + custom_->unit * y[i];
    own_f[i] = custom_->offset + custom_->unit * f[i];
  }
  CustomRows rows{std::vector<double>(y.size()), std::vector<double>(y.size()), std::vector<double>(y.size())};
  custom_->loss->evaluate(own_y, own_f, rows.values, rows.gradient, rows.curvature);
  return rows;
}

std::vector<double> LossFunction::values(std::span<const double> y, std::span<const double> f) const {
  if (custom_) return evaluate_custom(y, f).values;
  std::vector<double> values(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) values[i] = objective_->value(y[i], f[i], parameters_);
  return values;
}

std::vector<WorkingRow> LossFunction::working_rows(std::span<const double> y, std::span<const double> f,
                                                   double smallest) const {
  std::vector<WorkingRow> rows(y.size());
  if (!custom_) {
    const double least = smallest * objective_->largest_curvature(parameters_);
    for (std::size_t i = 0; i < y.size(); ++i) {
      rows[i] = row_of(objective_->derivatives(y[i], f[i], parameters_), f[i], least);
    }
    return rows;
  }
  const CustomRows own = evaluate_custom(y, f);
  double largest = 0.0;
  for (const double curvature : own.curvature) largest = std::max(largest, curvature);
  // Rows without any curvature still have a gradient.
  const double least = smallest * (largest > 0.0 ? largest : 1.0);
  const double unit = custom_->unit;
  for (std::size_t i = 0; i < y.size(); ++i) {
    rows[i] = row_of({unit * own.gradient[i], unit * unit * own.curvature[i]}, f[i], unit * unit * least);
  }
  return rows;
}

double best_constant(const LossFunction& loss, std::span<const double> y, std::span<const double> weights) {
  const Objective& objective = loss.objective();
  if (objective.constant != nullptr) return objective.constant(y, weights, loss.parameters());
  const double linked = loss.link(weighted_mean(y, weights));
  return objective.value == nullptr ? constant_by_newton(loss, y, weights, linked) : linked;
}

double unit_of_target(const LossFunction& loss, std::span<const double> y, std::span<const double> weights) {
  if (loss.objective().has_scale) return loss.parameters().scale;
  if (loss.objective().link != TargetForm::log) return 1.0;
  const double mean = weighted_mean(y, weights);
  return mean > 0.0 ? mean : 1.0;  // Some rows of counts may all be 0.
}

double metric_of_means(const LossFunction& loss, std::span<const double> y, std::span<const double> means) {
  const double unit = unit_of_target(loss, y, {});
  const LossFunction reported = (loss.objective().has_scale ? loss.with_scale(1.0) : loss).reported();
  std::vector<double> targets;
  std::vector<double> predictors;
  for (std::size_t i = 0; i < y.size(); ++i) {
    targets.push_back(y[i] / unit);
    predictors.push_back(loss.link(means[i] / unit));
  }
  const Objective& objective = loss.objective();
  return objective.metric.factor * std::pow(unit, objective.degree(loss.parameters())) *
         mean_loss(reported, targets, predictors, {});
}

double mean_loss(const LossFunction& loss, std::span<const double> y, std::span<const double> f,
                 std::span<const double> weights) {
  return weighted_mean(loss.values(y, f), weights);
}

}  // namespace shrimp
