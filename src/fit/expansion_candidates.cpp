#include "fit/expansion_candidates.hpp"

#include <algorithm>

#include "data/present.hpp"
#include "data/split.hpp"
#include "grow/all_inputs.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

// Landmarks of a kernel under a loss. Chosen by hand.
constexpr std::size_t most_landmarks = 500;

}  // namespace

BasisExpansion ExpansionCandidates::expansion_of(CandidateKind kind, const Rows& rows,
                                                 const TermsToExpand& terms) const {
  if (kind == CandidateKind::terms) return BasisExpansion(terms.pruned);
  if (kind == CandidateKind::kernel) return BasisExpansion(levels_of(rows), features_of(rows));
  const bool has_terms = kind == CandidateKind::both;
  ScaledDictionary basis = has_terms ? terms.pruned : ScaledDictionary({}, {});
  const ScaledDictionary lines =
      dictionary_of(rows, lines_next_to(rows, has_terms ? terms.selected : std::vector<TermShape>()));
  basis.dictionary.append(lines.dictionary);
  basis.scales.insert(basis.scales.end(), lines.scales.begin(), lines.scales.end());
  return BasisExpansion(std::move(basis));
}

// Inputs without a linear function get one, all under one ridge, and categories their levels: each of many small
// effects may be too small to be selected by itself.
std::vector<TermShape> ExpansionCandidates::lines_next_to(const Rows& rows, const std::vector<TermShape>& terms) const {
  TermShape lines;
  std::vector<TermShape> others;
  for (std::uint32_t j = 0; j < rows.X.cols(); ++j) {
    const auto [lowest, highest] = range_of_present(rows.X.col(j));
    const bool excluded = std::ranges::find(grow_.exclude, Support{j}) != grow_.exclude.end();
    const bool has_one = std::ranges::any_of(terms, [&](const TermShape& term) {
      return (term.linear() || term.by_level()) && std::ranges::find(term.variables, j) != term.variables.end();
    });
    if (!(lowest < highest) || excluded || has_one) continue;
    if (rows.is_category(j)) {
      others.push_back({.variables = {j}, .scales = {}, .levels = rows.kinds->levels[j]});
    } else {
      lines.variables.push_back(j);
    }
  }
  if (!lines.variables.empty()) others.push_back(std::move(lines));
  return others;
}

ScaledDictionary ExpansionCandidates::dictionary_of(const Rows& rows, std::vector<TermShape> terms) const {
  Grown selected;
  selected.terms = std::move(terms);
  selected.deviations = kernel_units(rows.X);
  selected.kinds = rows.kinds;
  return ScaledDictionary(selected, grow_.seed);
}

// Categories of more than two levels have no place in a kernel: nothing says which levels are near each other.
ScaledDictionary ExpansionCandidates::levels_of(const Rows& rows) const {
  std::vector<TermShape> terms = lines_next_to(rows, {});
  std::erase_if(terms, [](const TermShape& term) { return !term.by_level() || term.levels <= 2; });
  return dictionary_of(rows, std::move(terms));
}

std::shared_ptr<const NystromFeatures> ExpansionCandidates::features_of(const Rows& rows) const {
  const std::vector<std::size_t> landmarks = sample_rows(rows, most_landmarks, grow_.seed);
  return std::make_shared<const NystromFeatures>(*kernel_, kernel_units(rows.X), gather_rows(rows.X, landmarks),
                                                 rows.kinds);
}

bool may_have_candidates(const GrowOptions& grow, const Rows& rows) {
  constexpr std::size_t most_inputs = 500;
  constexpr std::size_t fewest_units = 15;
  const std::size_t inputs = rows.X.cols();
  return grow.max_terms == 0 && inputs >= 2 && inputs <= most_inputs && count_units(rows) >= fewest_units;
}

std::size_t simplest_of_the_best(std::span<const CandidateKind> kinds, std::span<const RowErrors> losses) {
  constexpr double standard_errors = 0.5;
  constexpr double fraction_of_kernel = 0.97;
  std::size_t best = 0;
  for (std::size_t k = 1; k < losses.size(); ++k) {
    const double fraction = kinds[k] == CandidateKind::kernel ? fraction_of_kernel : 1.0;
    const bool is_better = losses[k].mean < fraction * losses[best].mean;
    if (is_better && losses[k].clearly_below(losses[best], standard_errors)) best = k;
  }
  return best;
}

}  // namespace shrimp
