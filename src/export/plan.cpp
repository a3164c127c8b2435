#include "export/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "data/encode.hpp"
#include "data/marginals.hpp"
#include "data/name_index.hpp"
#include "data/warp.hpp"
#include "features/bases.hpp"
#include "features/missing_cells.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

bool has_endless_gap(const std::vector<double>& knots) {
  for (std::size_t k = 1; k < knots.size(); ++k) {
    if (!std::isfinite(knots[k] - knots[k - 1])) return true;
  }
  return false;
}

void add_levels(const InputColumn& column, PlanSource& source) {
  source.levels = static_cast<std::uint32_t>(column.levels.size());
  for (std::uint32_t code = 0; code < source.levels; ++code) source.codes.try_emplace(column.levels[code], code);
  for (const std::string& level : column.pooled) source.codes.try_emplace(level, source.levels - 1);
  if (const auto missing = source.codes.find(missing_level); missing != source.codes.end()) {
    source.missing_code = missing->second;
  }
}

const std::string& source_name(const Model& model, std::size_t input) {
  const bool own = model.columns.empty() || model.columns[input].column.empty();
  return own ? model.inputs[input] : model.columns[input].column;
}

// The table's columns, and for each input of the model the place of its own among them.
struct Sources {
  std::vector<PlanSource> list;
  std::vector<std::size_t> of_input;
};

Sources sources_of(const Model& model) {
  const std::vector<std::string> names = columns_of_table(model.inputs, model.columns);
  const NameIndex places(names);
  Sources sources;
  for (const std::string& name : names) sources.list.push_back({.name = name, .only_missing = true});
  for (std::size_t j = 0; j < model.inputs.size(); ++j) {
    sources.of_input.push_back(*places.find(source_name(model, j)));
    PlanSource& source = sources.list[sources.of_input[j]];
    if (model.columns.empty() || model.columns[j].part != InputColumn::Part::missing) source.only_missing = false;
    if (model.columns.empty() || model.columns[j].part != InputColumn::Part::value) continue;
    source.kind = model.columns[j].kind;
    if (source.is_category()) add_levels(model.columns[j], source);
  }
  return sources;
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
  explicit Grouping(const Model& model) : model_(model), W_(model.dictionary.weights), places_(model.inputs.size(), 0) {
    Sources sources = sources_of(model);
    plan_.sources = std::move(sources.list);
    plan_.inputs = used_inputs(model);
    plan_.takes_missing = !model.columns.empty();
    if (plan_.takes_missing && !model.dictionary.marginals && !plan_.inputs.empty()) {
      throw OptionError("the model has no values for missing inputs.\nFit it again.");
    }
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) {
      PlanInput& input = plan_.inputs[place];
      input.source = sources.of_input[input.index];
      plan_.sources[input.source].used = true;
      if (!model.columns.empty()) input.part = model.columns[input.index].part;
      places_[input.index] = static_cast<std::uint32_t>(place);
      if (!model.dictionary.has_kernels()) continue;
      plan_.gamma.push_back(model.dictionary.gamma[input.index]);
      if (plan_.takes_missing) plan_.filled.push_back(mean_of(marginal(input.index)));
    }
  }

  // Functions that differ in what they are where an input is missing go apart, and kernel sections with them.
  void add(std::size_t row, const Coefficients& own) {
    for (const Form form : {Form::wave, Form::line, Form::curve, Form::kernel}) {
      Coefficients alike = own;
      std::erase_if(alike, [&](const auto& one) { return about(one.first).form != form; });
      if (!alike.empty()) add_alike(row, alike);
    }
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
    if (plan_.takes_missing) add_means(row, group);
  }

  [[nodiscard]] const Marginal& marginal(std::size_t input) const { return (*model_.dictionary.marginals)[input]; }

  void add_means(std::size_t row, ColumnGroup& group) const {
    const Form form = about(group.functions.front()).form;
    if (form == Form::kernel) return;
    if (form == Form::curve) return add_means_of_curves(row, group);
    for (std::size_t l = 0; l < group.size; ++l) {
      const double w = W_.weights(row)[l];
      const Marginal& own = marginal(W_.support(row)[l]);
      const std::complex<double> wave = form == Form::wave ? wave_means(w, own).wave : 1.0;
      group.shifts.push_back(form == Form::wave ? std::arg(wave) : w * mean_of(own));
      group.shrinks.push_back(std::abs(wave));
    }
  }

  void add_means_of_curves(std::size_t row, ColumnGroup& group) const {
    if (group.size > 1) {
      throw OptionError(
          fmt::format("the model has a basis function {} of several inputs, whose mean over a missing input has no "
                      "closed form.\nFit with basis fourier, or to a table without missing cells and categories.",
                      about(group.functions.front()).name));
    }
    group.means.resize(group.functions.size());
    const Marginal& own = marginal(W_.support(row).front());
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      std::vector<double> t(own.values);
      for (double& value : t) value = phase_of(W_, row) + W_.weights(row).front() * value;
      about(group.functions[f]).apply(t);
      group.means[f].push_back(std::inner_product(t.begin(), t.end(), own.masses.begin(), 0.0));
    }
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

  const Model& model_;
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
  const std::vector<Coefficients> vectors = coefficients_by_vector(model);
  for (std::size_t row = 0; row < vectors.size(); ++row) {
    if (!vectors[row].empty()) grouping.add(row, vectors[row]);
  }
  return grouping.take();
}

std::size_t kernel_degree(const Model& model, const ColumnGroup& group) {
  return model.dictionary.kernel_order == 0 ? group.size : static_cast<std::size_t>(model.dictionary.kernel_order);
}

double smallest_for_log() { return std::numeric_limits<double>::min(); }

}  // namespace shrimp
