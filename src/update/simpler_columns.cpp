#include "update/simpler_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "data/names.hpp"
#include "features/supports.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

std::string joined_by_stars(const Model& model, const Term& term) {
  std::vector<std::string> names;
  for (const std::uint32_t variable : term.variables) names.push_back(model.inputs[variable]);
  return fmt::format("{}", fmt::join(names, "*"));
}

const Term& term_named(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  std::vector<const Term*> called_so;
  for (const Term& term : model.terms) {
    if (model.term_name(term) == name) return term;
    if (model.short_term_name(term) == name || joined_by_stars(model, term) == name) called_so.push_back(&term);
    names.push_back(model.short_term_name(term));
  }
  if (called_so.size() == 1) return *called_so.front();
  throw OptionError(fmt::format("drop names \"{}\", which is {}.\n{}", name,
                                called_so.empty() ? "not a term of the model" : "the short name of several terms",
                                called_so.empty() ? suggest_names(names, name, "terms") : "Give all of its inputs."));
}

bool is_proper_part(const std::vector<std::uint32_t>& part, const std::vector<std::uint32_t>& whole) {
  return part.size() < whole.size() && std::ranges::includes(whole, part);
}

// Terms with columns that stay and that look at all inputs of this one, and more.
std::vector<std::string> carriers(const Model& model, const Term& term, const std::vector<Term>& going) {
  std::vector<std::string> names;
  for (const Term& other : model.terms) {
    const bool goes = std::ranges::find(going, other.variables, &Term::variables) != going.end();
    if (other.basis_functions > 0 && !goes && is_proper_part(term.variables, other.variables)) {
      names.push_back(model.short_term_name(other));
    }
  }
  return names;
}

void require_range(const char* option, std::size_t goal, std::size_t most) {
  if (goal >= 1 && goal <= most) return;
  throw OptionError(fmt::format("{} {} is not allowed: the model has {}.\nGive a whole number from 1 to {}.", option,
                                goal, most, most));
}

// A ridge on kernel columns is one on their matrix: they go together.
ColumnGroups single_columns(const Model& model) {
  ColumnGroups groups;
  std::vector<std::size_t> kernel;
  for (std::size_t k = 0; k < model.coefficients.size(); ++k) {
    if (model.penalty && model.dictionary.functions[k] == Function::kernel) {
      kernel.push_back(k);
    } else {
      groups.push_back({k});
    }
  }
  if (!kernel.empty()) groups.push_back(std::move(kernel));
  return groups;
}

}  // namespace

std::vector<Term> terms_named(const Model& model, const std::vector<std::string>& names) {
  std::vector<Term> terms;
  for (const std::string& name : names) {
    const Term& term = term_named(model, name);
    if (std::ranges::find(terms, term.variables, &Term::variables) == terms.end()) terms.push_back(term);
  }
  return terms;
}

std::vector<std::size_t> columns_without(const Model& model, const std::vector<Term>& going) {
  for (const Term& term : going) {
    const std::vector<std::string> names =
        term.basis_functions > 0 ? std::vector<std::string>() : carriers(model, term, going);
    if (names.empty()) continue;
    throw OptionError(
        fmt::format("drop names \"{}\", which has no separate basis functions: those of {} contain it.\nDrop the terms "
                    "that contain it, too.",
                    model.short_term_name(term), list_names(names)));
  }
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < model.coefficients.size(); ++k) {
    const auto support = model.dictionary.support(k);
    const bool goes =
        std::ranges::any_of(going, [&](const Term& term) { return std::ranges::equal(term.variables, support); });
    if (!goes) kept.push_back(k);
  }
  if (kept.empty()) throw OptionError("drop names all terms that have basis functions.\nKeep at least one.");
  return kept;
}

std::vector<std::string> notes_on_loss(const Model& model, const std::vector<Term>& going) {
  std::vector<std::string> notes;
  for (const Term& term : going) {
    const std::vector<std::string> names = carriers(model, term, going);
    if (names.empty()) continue;
    notes.push_back(
        fmt::format("the basis functions of {} are removed, but those of {} depend on the same inputs and contain a "
                    "part of its effect. To remove it completely, drop both.",
                    model.short_term_name(term), list_names(names)));
  }
  return notes;
}

ColumnChoice::ColumnChoice(const Model& model, const SimplifyOptions& options)
    : by_terms_(options.terms.has_value()), goal_(by_terms_ ? *options.terms : *options.basis_functions) {
  if (!by_terms_) {
    groups_ = carried_ = single_columns(model);
    count_ = model.coefficients.size();
    require_reachable("basis-functions");
    return;
  }
  const auto columns = columns_by_support(model.dictionary);
  std::set<Support> terms;
  for (const Term& term : model.terms) terms.insert(term.variables);
  for (const auto& [variables, own] : columns) terms.insert(variables);
  for (const auto& [variables, own] : columns) {
    groups_.push_back(own);
    carried_.emplace_back();
    std::size_t k = 0;
    for (const Support& term : terms) {
      if (std::ranges::includes(variables, term)) carried_.back().push_back(k);
      ++k;
    }
  }
  count_ = terms.size();
  require_reachable("terms");
}

void ColumnChoice::require_reachable(const char* what) const {
  require_range(what, goal_, count_);
  std::size_t least = count_;
  for (const std::vector<std::size_t>& carried : carried_) least = std::min(least, carried.size());
  if (least <= goal_) return;
  throw OptionError(fmt::format(
      "{} {} is not possible: the smallest group of basis functions that is removed as a whole counts {}.\nGive {} or "
      "more.",
      what, goal_, least, least));
}

// How many of the groups that are left carry each term.
std::vector<std::size_t> ColumnChoice::carrying_groups(const std::vector<bool>& left) const {
  std::vector<std::size_t> groups(count_, 0);
  for (std::size_t g = 0; g < left.size(); ++g) {
    for (const std::size_t k : carried_[g]) groups[k] += left[g] ? 1 : 0;
  }
  return groups;
}

// The terms that nothing else carries go with a group. There are none where its inputs are among those of another: it
// must wait until that has gone. What goes beyond the goal is no gain. A group that carries more than may stay must go,
// and goes before any that could have stayed in its place.
std::vector<double> ColumnChoice::gains(const std::vector<bool>& left) const {
  const std::vector<std::size_t> groups = carrying_groups(left);
  const std::size_t size = count_ - static_cast<std::size_t>(std::ranges::count(groups, 0U));
  bool all_may_stay = true;
  for (std::size_t g = 0; g < left.size(); ++g) all_may_stay = all_may_stay && !(left[g] && carried_[g].size() > goal_);
  std::vector<double> gains(left.size(), 0.0);
  for (std::size_t g = 0; g < left.size() && size > goal_; ++g) {
    if (!all_may_stay && carried_[g].size() <= goal_) continue;
    const auto lost = static_cast<std::size_t>(
        std::ranges::count_if(carried_[g], [&](std::size_t k) { return left[g] && groups[k] == 1; }));
    if (lost < size) gains[g] = static_cast<double>(std::min(lost, size - goal_));
  }
  return gains;
}

std::vector<std::size_t> ColumnChoice::choose(const RidgeProblem& rows) const {
  const std::vector<bool> left =
      eliminate_groups(rows, groups_, [this](const std::vector<bool>& now) { return gains(now); });
  std::vector<std::size_t> kept;
  for (std::size_t g = 0; g < left.size(); ++g) {
    if (left[g]) kept.insert(kept.end(), groups_[g].begin(), groups_[g].end());
  }
  std::ranges::sort(kept);
  return kept;
}

}  // namespace shrimp
