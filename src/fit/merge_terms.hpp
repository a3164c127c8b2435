// One dictionary of the terms that searches for several targets selected.
#pragma once

#include <span>
#include <vector>

#include "grow/finish.hpp"
#include "grow/finish_parts.hpp"
#include "grow/grow.hpp"

namespace shrimp {

/// The selected terms of one target, before and after pruning.
struct SelectedTerms {
  std::vector<TermShape> selected;
  Finished pruned;
};

struct MergedTerms {
  std::vector<TermShape> selected;
  ScaledDictionary pruned{{}, {}};
};

/// Terms of the same inputs are merged: the one with the most basis functions stays, the first of equals. With
/// `most_terms` > 0, or beyond 400 basis functions, terms of the smallest coefficients over all targets are left out.
MergedTerms merge_terms(std::span<const SelectedTerms> found, std::size_t most_terms);

}  // namespace shrimp
