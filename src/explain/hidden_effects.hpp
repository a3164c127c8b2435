// How large effects may be that noise hides: what was not found may still be there.
//
// The default method finds a term where rows speak clearly enough for it. A term of variance v, seen through K
// functions in m rows under noise of variance σ², has a statistic of noncentral χ² law with K degrees of freedom and
// noncentrality λ = m v/σ². It must exceed the c that chance exceeds once in 1/level searches through all sets of
// inputs. Where
//   K + λ − z √(2(K + 2λ)) ≥ c,   z = 1.645,
// it does so with a probability of 95 %. The smallest such λ bounds what may have been missed: v ≤ λ σ²/m.
#pragma once

#include "shrimp/sensitivity.hpp"

namespace shrimp {

/// The variances that a function of one input, and of two, may have and be missed, as parts of all variance.
struct HiddenShares {
  double of_one = 0.0;
  double of_two = 0.0;
};

/// Of a model of method auto that knows its noise, whose terms have this variance in scaled units.
[[nodiscard]] HiddenShares hidden_shares(const Model& model, double variance);

/// Raises the upper bounds of inputs that the model does not look at to what may be hidden. Models of other methods,
/// which do not search, are left as they are.
void make_room_for_hidden_effects(Sensitivity& found, const Model& model);

}  // namespace shrimp
