#include "fit/merge_terms.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace shrimp {
namespace {

// Basis functions that all targets share. A factorisation of more takes seconds for each ridge and fold. Chosen by hand.
constexpr std::size_t most_merged_columns = 400;

// The columns of one term in the search for one target.
struct MergedColumns {
  std::size_t target = 0;
  std::vector<std::size_t> columns;
  double squares = 0.0;  // Of the coefficients of all targets.
};

std::map<Support, MergedColumns> merged_columns(std::span<const SelectedTerms> found) {
  std::map<Support, MergedColumns> terms;
  for (std::size_t t = 0; t < found.size(); ++t) {
    const Finished& pruned = found[t].pruned;
    std::map<Support, MergedColumns> own;
    for (std::size_t k = 0; k < pruned.dictionary.columns(); ++k) {
      const std::span<const std::uint32_t> support = pruned.dictionary.support(k);
      MergedColumns& term = own[Support(support.begin(), support.end())];
      term.target = t;
      term.columns.push_back(k);
      term.squares += pruned.coefficients[k] * pruned.coefficients[k];
    }
    for (auto& [support, term] : own) {
      MergedColumns& best = terms[support];
      term.squares += best.squares;
      if (term.columns.size() > best.columns.size()) {
        best = std::move(term);
      } else {
        best.squares = term.squares;
      }
    }
  }
  return terms;
}

// Keeps terms of the largest coefficients, at least one.
void drop_small_merged_terms(std::map<Support, MergedColumns>& terms, std::size_t most_terms) {
  std::vector<const std::pair<const Support, MergedColumns>*> order;
  for (const auto& entry : terms) order.push_back(&entry);
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto* entry) { return entry->second.squares; });
  std::set<Support> dropped;
  std::size_t kept = 0;
  std::size_t columns = 0;
  for (const auto* entry : order) {
    columns += entry->second.columns.size();
    const bool is_one_too_many = (most_terms > 0 && kept == most_terms) || columns > most_merged_columns;
    if (kept > 0 && is_one_too_many) {
      dropped.insert(entry->first);
      columns -= entry->second.columns.size();
    } else {
      ++kept;
    }
  }
  std::erase_if(terms, [&](const auto& entry) { return dropped.contains(entry.first); });
}

}  // namespace

MergedTerms merge_terms(std::span<const SelectedTerms> found, std::size_t most_terms) {
  std::map<Support, MergedColumns> terms = merged_columns(found);
  drop_small_merged_terms(terms, most_terms);
  MergedTerms merged;
  for (const auto& [support, term] : terms) {
    const SelectedTerms& own = found[term.target];
    merged.pruned.dictionary.append(own.pruned.dictionary.subset(term.columns));
    for (const std::size_t k : term.columns) merged.pruned.scales.push_back(own.pruned.scales[k]);
    for (const TermShape& shape : own.selected) {
      if (shape.variables == support) {
        merged.selected.push_back(shape);
      } else if (shape.linear() && std::ranges::includes(shape.variables, support)) {
        merged.selected.push_back({.variables = support, .scales = {}});  // One of several straight lines.
      }
    }
  }
  return merged;
}

}  // namespace shrimp
