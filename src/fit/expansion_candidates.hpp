// Sets of basis functions that compete under a loss: a linear model, the selected terms, both, and a kernel.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/finish_by_loss.hpp"
#include "grow/grow.hpp"
#include "grow/kernel_shape.hpp"
#include "ridge/row_errors.hpp"

namespace shrimp {

enum class CandidateKind {
  linear,  ///< A linear function of each number, and the levels of categories.
  terms,   ///< The selected terms.
  both,    ///< The selected terms, and the linear functions and levels of inputs without such terms.
  kernel,  ///< One kernel of all inputs with Nyström features, and levels of categories.
};

/// The terms of a search before and after pruning.
struct TermsToExpand {
  const std::vector<TermShape>& selected;
  const ScaledDictionary& pruned;
};

class ExpansionCandidates {
 public:
  /// `grow` must outlive it.
  explicit ExpansionCandidates(const GrowOptions& grow) : grow_(grow) {}

  /// The kernel of the kernel candidate.
  void set_kernel(const KernelShape& kernel) { kernel_ = std::make_shared<const KernelShape>(kernel); }

  [[nodiscard]] BasisExpansion expansion_of(CandidateKind kind, const Rows& rows, const TermsToExpand& terms) const;

 private:
  [[nodiscard]] std::vector<TermShape> lines_next_to(const Rows& rows, const std::vector<TermShape>& terms) const;
  [[nodiscard]] ScaledDictionary dictionary_of(const Rows& rows, std::vector<TermShape> terms) const;
  [[nodiscard]] ScaledDictionary levels_of(const Rows& rows) const;
  [[nodiscard]] std::shared_ptr<const NystromFeatures> features_of(const Rows& rows) const;

  const GrowOptions& grow_;
  std::shared_ptr<const KernelShape> kernel_;
};

/// Whether candidates other than the terms are worth fitting, given the options and the numbers of rows and inputs.
bool may_have_candidates(const GrowOptions& grow, const Rows& rows);

/// The best candidate, simpler ones first. Another one must be clearly better than a simpler one. A kernel, which is
/// harder to read, must be better by 3 %, as with squared error.
std::size_t simplest_of_the_best(std::span<const CandidateKind> kinds, std::span<const RowErrors> losses);

}  // namespace shrimp
