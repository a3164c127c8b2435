// Finds the terms of a model without being told their order.
//
// Round by round, what the terms so far leave unexplained is screened for inputs, pairs and triples of inputs that
// score beyond chance (grow/screen.hpp). Each is tried with features of several scales and kept if it predicts rows
// better that it was not fitted to (ridge/leave_one_out_ridge.hpp). Then all terms move to the scales and sizes that
// make the target most probable (grow/shape_tuning.hpp), and terms that no longer help leave. It ends when nothing is
// found. No term needs another: a pair may come without its inputs' own effects. Effects of fewer inputs that the
// features of an interaction fit can get terms of their own afterwards (grow/contained_effects.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "grow/term_block.hpp"
#include "path/equations.hpp"
#include "ridge/leave_one_out_ridge.hpp"

namespace shrimp {

struct GrowOptions {
  std::size_t max_order = 3;      ///< 1 … 3.
  std::size_t max_terms = 0;      ///< 0: no limit.
  std::vector<Support> include;   ///< Terms that are there from the start and stay.
  std::vector<Support> exclude;   ///< Terms that never come; a single input never comes in any.
  std::optional<double> scale;    ///< σ of all weights; none: chosen for each term and input.
  std::optional<int> smoothness;  ///< Of all terms; none: chosen.
  std::optional<double> ridge;    ///< λ; none: chosen.
  double budget = 4e11;           ///< Operations after which nothing new is tried.
  double drop_deviations = 0.5;   ///< Terms leave that help by less than so many standard errors.
  std::uint64_t seed = 0;
  std::shared_ptr<Device> device = {};  ///< For the screening of very many inputs; null: the processor.
};

struct Grown {
  std::vector<TermShape> terms;
  double lambda = 1.0;
  RowErrors errors;                              ///< Leave-one-out (or leave-a-group-out), in the units of y².
  std::vector<double> deviations;                ///< Of the inputs: what scales are measured in.
  double work = 0.0;                             ///< Operations that were spent.
  std::shared_ptr<const InputKinds> kinds = {};  ///< Those of the rows.
  std::set<Support> own_effects = {};            ///< Terms that the interactions that contain them could stand for.
};

struct GrowObserver {
  /// After every round and every new term: what there is, and the share of the budget that is spent.
  std::function<void(const Grown&, std::size_t round, double spent)> on_change;
  std::function<bool()> is_over;  ///< Whether to end with what there is. It may throw, too.

  [[nodiscard]] bool wants_to_end() const { return is_over && is_over(); }
};

Grown grow(const Rows& rows, const GrowOptions& options, const GrowObserver& observer);

/// The terms found, with terms of their own for effects of fewer inputs that only interactions contain; interactions
/// that had nothing else are removed. None where nothing moves or where leave-one-out errors rise.
std::optional<Grown> move_effects_to_own_terms(const Rows& rows, const Grown& found, GrowOptions options,
                                               const GrowObserver& observer);

}  // namespace shrimp
