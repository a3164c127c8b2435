#include "grow/contained_effects.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

using Components = std::map<Support, std::vector<double>>;

// The standard error of a variance estimated from n rows is about √(2/n) of it: 9 %.
constexpr std::size_t enough_rows = 256;

Support subset(const Support& variables, unsigned mask) {
  Support some;
  for (std::size_t l = 0; l < variables.size(); ++l) {
    if ((mask >> l & 1U) != 0) some.push_back(variables[l]);
  }
  return some;
}

std::set<Support> own_effects(const std::vector<TermShape>& terms) {
  std::set<Support> own;
  for (const TermShape& term : terms) {
    own.insert(term.variables);
    if (!term.linear()) continue;
    for (const std::uint32_t variable : term.variables) own.insert({variable});
  }
  return own;
}

bool is_interaction(const TermShape& term) { return !term.is_fixed() && term.variables.size() > 1; }

class TermComponents {
 public:
  explicit TermComponents(const GrowingFit& fit) : fit_(fit) {
    const Rows& rows = fit.rows();
    const std::size_t count = std::min(rows.size(), enough_rows);
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < count; ++i) which.push_back(i * rows.size() / count);
    some_ = gather(rows, which);
    std::vector<bool> used(rows.X.cols(), false);
    for (const TermShape& term : fit.terms()) {
      for (const std::uint32_t variable : term.variables) used[variable] = true;
    }
    const std::vector<std::size_t> levels = rows.kinds ? rows.kinds->levels : std::vector<std::size_t>();
    marginals_ = std::make_shared<const std::vector<Marginal>>(marginals_of(rows.X, rows.weights, used, levels));
  }

  [[nodiscard]] Components of_term(std::size_t k) const {
    const TermShape& term = fit_.terms()[k];
    Dictionary dictionary = fit_.dictionary_of(k);
    dictionary.marginals = marginals_;
    const std::vector<double> c = fit_.coefficients_of(k);
    Components components;
    if (term.linear()) {
      const Matrix A = evaluate(dictionary, some_.X);
      for (std::size_t l = 0; l < c.size(); ++l) {
        std::vector<double>& values = components[{term.variables[l]}];
        values.assign(some_.size(), 0.0);
        add_scaled(values, c[l], A.col(l));
      }
      return components;
    }
    for (unsigned mask = 1; mask < 1U << term.variables.size(); ++mask) {
      std::vector<double> values = multiply(evaluate(dictionary, others_missing(term.variables, mask)), c);
      for (const auto& [variables, below] : components) {
        if (std::ranges::includes(subset(term.variables, mask), variables)) add_scaled(values, -1.0, below);
      }
      components[subset(term.variables, mask)] = std::move(values);
    }
    return components;
  }

  [[nodiscard]] double variance_of(std::span<const double> values) const {
    return weighted_variance(values, some_.weights);
  }

 private:
  // Features in rows that lack an input are averaged over its marginal: what is left is the conditional expectation.
  [[nodiscard]] Matrix others_missing(const Support& variables, unsigned mask) const {
    Matrix X(some_.X);
    for (std::size_t l = 0; l < variables.size(); ++l) {
      if ((mask >> l & 1U) == 0) std::ranges::fill(X.col(variables[l]), std::numeric_limits<double>::quiet_NaN());
    }
    return X;
  }

  const GrowingFit& fit_;
  Rows some_;
  std::shared_ptr<const std::vector<Marginal>> marginals_;
};

Components sum_over_terms(const GrowingFit& fit, const TermComponents& components) {
  std::vector<Components> of_terms(fit.terms().size());
  parallel_for(of_terms.size(), [&](std::size_t k) { of_terms[k] = components.of_term(k); });
  Components sums;
  for (const Components& of_term : of_terms) {
    for (const auto& [variables, values] : of_term) {
      std::vector<double>& sum = sums[variables];
      sum.resize(values.size(), 0.0);
      add_scaled(sum, 1.0, values);
    }
  }
  return sums;
}

}  // namespace

bool contains_effect(const TermShape& term, const Support& effect) {
  return !term.is_fixed() && effect.size() < term.variables.size() && std::ranges::includes(term.variables, effect);
}

std::vector<ContainedEffect> contained_effects(const GrowingFit& fit, double least_fraction) {
  const std::set<Support> own = own_effects(fit.terms());
  if (std::ranges::none_of(fit.terms(), is_interaction)) return {};
  const TermComponents components(fit);
  std::map<Support, double> variances;
  double total = 0.0;
  for (const auto& [variables, values] : sum_over_terms(fit, components)) {
    total += variances[variables] = components.variance_of(values);
  }
  std::vector<ContainedEffect> effects;
  for (const auto& [variables, variance] : variances) {
    if (!(variance >= least_fraction * total)) continue;
    ContainedEffect effect{variables, variance / total, own.contains(variables)};
    const auto contains = [&](const TermShape& term) { return contains_effect(term, variables); };
    if (std::ranges::any_of(fit.terms(), contains)) effects.push_back(std::move(effect));
  }
  std::ranges::stable_sort(effects, {}, [](const ContainedEffect& effect) { return effect.variables.size(); });
  return effects;
}

}  // namespace shrimp
