#include "export/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "data/warp.hpp"
#include "features/bases.hpp"

namespace shrimp {
namespace {

bool has_endless_gap(const std::vector<double>& knots) {
  for (std::size_t k = 1; k < knots.size(); ++k) {
    if (!std::isfinite(knots[k] - knots[k - 1])) return true;
  }
  return false;
}

PlanInput entering(const Scaling& scaling, std::size_t j) {
  PlanInput input{
      .index = j, .warp = warp_of(scaling, j), .mean = scaling.input_mean[j], .scale = scaling.input_scale[j]};
  if (!scaling.input_lowest.empty()) {
    input.limited = true;
    input.lowest = scaling.input_lowest[j];
    input.highest = scaling.input_highest[j];
  }
  if (has_endless_gap(input.warp.values)) {
    input.knot_unit = 0.5;
    for (double& knot : input.warp.values) knot *= input.knot_unit;
  }
  return input;
}

std::vector<PlanInput> used_inputs(const Model& model) {
  std::vector<bool> used(model.inputs.size(), false);
  for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
    for (const std::uint32_t j : model.dictionary.support(k)) used[j] = true;
  }
  std::vector<PlanInput> inputs;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j]) inputs.push_back(entering(model.scaling, j));
  }
  std::ranges::stable_partition(inputs, [](const PlanInput& input) { return input.warp.kind == Warp::Kind::none; });
  return inputs;
}

double phase_of(const FeatureWeights& W, std::size_t row) { return W.phases.empty() ? 0.0 : W.phases[row]; }

double value_without_inputs(Function function, double phase) {
  if (function == Function::kernel) return 1.0;  // The product of no factors.
  about(function).apply(std::span(&phase, 1));
  return phase;
}

// The coefficients of one weight vector, by function; those of the same one add up.
using Coefficients = std::map<Function, double>;

std::vector<Coefficients> coefficients_by_vector(const Model& model) {
  std::vector<Coefficients> vectors(model.dictionary.weights.size());
  for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
    vectors[model.dictionary.rows[k]][model.dictionary.functions[k]] += model.coefficients[k];
  }
  return vectors;
}

class Grouping {
 public:
  explicit Grouping(const Model& model) : W_(model.dictionary.weights), places_(model.inputs.size(), 0) {
    plan_.inputs = used_inputs(model);
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) {
      places_[plan_.inputs[place].index] = static_cast<std::uint32_t>(place);
      if (model.dictionary.has_kernels()) plan_.gamma.push_back(model.dictionary.gamma[plan_.inputs[place].index]);
    }
  }

  // Kernel sections, which are no functions of ⟨x,w⟩, go apart.
  void add(std::size_t row, Coefficients own) {
    if (const auto kernel = own.extract(Function::kernel)) add_alike(row, {{Function::kernel, kernel.mapped()}});
    if (!own.empty()) add_alike(row, own);
  }

  Plan take() { return std::move(plan_); }

 private:
  void add_alike(std::size_t row, const Coefficients& own) {
    if (W_.support(row).empty()) {
      for (const auto& [function, c] : own) plan_.constant += c * value_without_inputs(function, phase_of(W_, row));
      return;
    }
    ColumnGroup& group = group_for(W_.support(row).size(), own);
    for (const std::uint32_t j : W_.support(row)) group.inputs.push_back(places_[j]);
    group.weights.insert(group.weights.end(), W_.weights(row).begin(), W_.weights(row).end());
    if (!W_.phases.empty() && !group.is_kernel()) group.phases.push_back(W_.phases[row]);
    std::size_t f = 0;
    for (const auto& [function, c] : own) group.coefficients[f++].push_back(c);
  }

  ColumnGroup& group_for(std::size_t size, const Coefficients& own) {
    std::vector<Function> functions;
    for (const auto& [function, c] : own) functions.push_back(function);
    const auto same = std::ranges::find_if(
        plan_.groups, [&](const ColumnGroup& group) { return group.size == size && group.functions == functions; });
    if (same != plan_.groups.end()) return *same;
    const std::size_t count = functions.size();
    plan_.groups.push_back({.functions = std::move(functions), .size = size});
    plan_.groups.back().coefficients.resize(count);
    return plan_.groups.back();
  }

  const FeatureWeights& W_;
  std::vector<std::uint32_t> places_;  // In plan_.inputs, of each input of the model.
  Plan plan_;
};

}  // namespace

std::size_t Plan::unwarped() const {
  return static_cast<std::size_t>(
      std::ranges::count(inputs, Warp::Kind::none, [](const PlanInput& input) { return input.warp.kind; }));
}

Plan make_plan(const Model& model) {
  Grouping grouping(model);
  std::vector<Coefficients> vectors = coefficients_by_vector(model);
  for (std::size_t row = 0; row < vectors.size(); ++row) {
    if (!vectors[row].empty()) grouping.add(row, std::move(vectors[row]));
  }
  return grouping.take();
}

std::size_t kernel_degree(const Model& model, const ColumnGroup& group) {
  return model.dictionary.kernel_order == 0 ? group.size : static_cast<std::size_t>(model.dictionary.kernel_order);
}

double smallest_for_log() { return std::numeric_limits<double>::min(); }

}  // namespace shrimp
