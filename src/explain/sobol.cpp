#include "explain/sobol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "explain/hidden_effects.hpp"
#include "explain/share_intervals.hpp"
#include "intervals/factor.hpp"
#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/intervals.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

using Variables = std::vector<std::uint32_t>;

constexpr std::size_t largest_support_listed = 4;  // With all its components.
constexpr std::size_t most_inputs_of_a_curve = 3;
constexpr std::size_t most_sobol_components = 20000;
constexpr std::size_t draws_of_coefficients = 200;

bool is_wide(const Product& product) {
  return product.degree == product.inputs.size() && product.inputs.size() > largest_support_listed;
}

// All subsets of 1 … most inputs.
void list_subsets(std::span<const std::uint32_t> inputs, std::size_t most, Variables& current,
                  std::set<Variables>& list) {
  for (std::size_t l = 0; l < inputs.size(); ++l) {
    current.push_back(inputs[l]);
    list.insert(current);
    if (list.size() > most_sobol_components) {
      throw OptionError(
          fmt::format("the model has more than {} components, which are too many to take apart.\nFit it with a lower "
                      "order, or by method auto.",
                      most_sobol_components));
    }
    if (current.size() < most) list_subsets(inputs.subspan(l + 1), most, current, list);
    current.pop_back();
  }
}

std::set<Variables> listed_components(const Separated& model) {
  std::set<Variables> list;
  std::set<std::pair<Variables, std::size_t>> seen;
  const auto add = [&](const Variables& inputs, std::size_t most) {
    Variables none;
    if (seen.emplace(inputs, most).second) list_subsets(inputs, most, none, list);
  };
  for (const Product& product : model.products) add(product.inputs, is_wide(product) ? 2 : product.degree);
  for (const CurveGroup& group : model.curves) add(group.inputs, group.inputs.size());
  return list;
}

void refuse_wide_curves(const Separated& separated) {
  for (const CurveGroup& group : separated.curves) {
    if (group.inputs.size() <= most_inputs_of_a_curve) continue;
    throw OptionError(
        fmt::format("the model has columns of relu or tanh on {} inputs, which have no closed form.\nTake {} inputs or "
                    "fewer, or the basis fourier.",
                    group.inputs.size(), most_inputs_of_a_curve));
  }
}

SobolIndex index_of(double variance, double all) {
  const double share = all > 0.0 ? variance / all : 0.0;
  return {share, share, 0.0, {}, {}};
}

}  // namespace

SobolIndices::SobolIndices(const Model& model, const std::vector<InputLaw>& laws) : model_(model) {
  if (model.marginals.empty() && model.dictionary.columns() > 0) {
    throw std::invalid_argument(
        "this model was saved without its inputs' marginals, which indices are taken over.\nFit it again.");
  }
  if (laws.size() != model.inputs.size() && !laws.empty()) {
    throw std::invalid_argument(
        fmt::format("there are {} laws where the model has {} inputs.", laws.size(), model.inputs.size()));
  }
  separated_ = separate(model, laws.empty() ? std::vector<InputLaw>(model.inputs.size()) : laws);
  refuse_wide_curves(separated_);
  const std::set<Variables> listed = listed_components(separated_);
  components_.resize(listed.size());
  const std::vector<Variables> list(listed.begin(), listed.end());
  parallel_for(list.size(), [&](std::size_t k) { components_[k] = component_of(separated_, list[k]); });
  for (std::size_t p = 0; p < separated_.products.size(); ++p) {
    if (is_wide(separated_.products[p])) wide_.push_back(p);
  }
}

std::vector<Sensitivity> SobolIndices::of_each(const std::vector<std::vector<double>>& sets) const {
  std::vector<std::vector<Complex>> amplitudes(sets.size());
  for (std::size_t k = 0; k < sets.size(); ++k) {
    for (const Product& product : separated_.products) amplitudes[k].push_back(product.amplitude(sets[k]));
  }
  const Matrix variances = variances_of_components(sets, amplitudes);
  const std::vector<LargeComponents> large = large_components(separated_, wide_, amplitudes);
  std::vector<Sensitivity> found;
  for (std::size_t k = 0; k < sets.size(); ++k) found.push_back(add_up(variances.col(k), large[k]));
  return found;
}

Matrix SobolIndices::variances_of_components(const std::vector<std::vector<double>>& sets,
                                             const std::vector<std::vector<Complex>>& amplitudes) const {
  Matrix variances(components_.size(), sets.size());
  std::vector<std::size_t> one_by_one;
  std::vector<std::size_t> at_once;
  for (std::size_t u = 0; u < components_.size(); ++u) {
    const bool cheaper = sets.size() > 1 && has_cheaper_pairs(separated_, components_[u]);
    (cheaper ? at_once : one_by_one).push_back(u);
  }
  parallel_for(at_once.size(), [&](std::size_t n) {
    const std::size_t u = at_once[n];
    const std::vector<double> own = component_variances(separated_, components_[u], amplitudes);
    for (std::size_t k = 0; k < sets.size(); ++k) variances(u, k) = own[k];
  });
  std::vector<std::vector<double>> curves(separated_.curves.size());
  for (std::size_t k = 0; k < sets.size(); ++k) {
    parallel_for(curves.size(), [&](std::size_t g) {
      curves[g] = curve_values(separated_, model_.dictionary, separated_.curves[g], sets[k]);
    });
    const std::size_t count = k == 0 ? components_.size() : one_by_one.size();
    parallel_for(count, [&](std::size_t n) {
      const std::size_t u = k == 0 ? n : one_by_one[n];
      variances(u, k) = component_variance(separated_, components_[u], amplitudes[k], curves);
    });
  }
  return variances;
}

Sensitivity SobolIndices::add_up(std::span<const double> variances, const LargeComponents& large) const {
  double all = std::max(0.0, large.variance);
  for (const double variance : variances) all += variance;

  constexpr double negligible = 1e-12;
  Sensitivity result;
  result.variance = all * model_.scaling.target_scale * model_.scaling.target_scale;
  result.unlisted = index_of(std::max(0.0, large.variance), all).value;
  std::vector<double> totals = large.by_input;
  std::vector<double> firsts(model_.inputs.size(), 0.0);
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const Variables& variables = components_[k].variables;
    for (const std::uint32_t j : variables) totals[j] += variances[k];
    if (variables.size() == 1) firsts[variables.front()] = variances[k];
    if (variances[k] > negligible * all) result.terms.push_back({variables, index_of(variances[k], all)});
  }
  std::ranges::stable_sort(result.terms, std::greater<>(),
                           [](const TermSensitivity& term) { return term.fraction.value; });
  for (std::uint32_t j = 0; j < model_.inputs.size(); ++j) {
    result.inputs.push_back({j, index_of(firsts[j], all), index_of(totals[j], all)});
  }
  return result;
}

Sensitivity sensitivity(const Model& model, const std::vector<InputLaw>& laws, int threads) {
  const ThreadScope scope(threads);
  const SobolIndices indices(model, laws);
  if (!knows_coefficients(model)) return std::move(indices.of_each({model.coefficients}).front());
  const Matrix F = factor_of_curves(model);
  std::vector<std::vector<double>> sets = {model.coefficients};
  for (const std::vector<double>& z : draw_coordinates(draws_of_coefficients, F.cols())) {
    const std::vector<double> change = multiply(F, z);  // That of the constant first, which no index depends on.
    sets.push_back(model.coefficients);
    add_scaled(sets.back(), 1.0, std::span(change).subspan(1));
  }
  std::vector<Sensitivity> draws = indices.of_each(sets);
  const Sensitivity centre = std::move(draws.front());
  draws.erase(draws.begin());
  Sensitivity found = centre;
  set_intervals(found, centre, draws);
  make_room_for_hidden_effects(found, model);
  return found;
}

}  // namespace shrimp
