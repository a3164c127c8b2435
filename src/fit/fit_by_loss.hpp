// The automatic method under another loss than the squared one.
//
// Terms are searched, as ever, on weighted rows of numbers: those that the loss makes near the best constant, where
// they are the residuals of the score. The terms' features are fitted under the loss, and terms are searched again on
// the rows that the loss makes near that fit, while rows without themselves have clearly less loss by it. Straight
// lines of all inputs, by themselves, are what these terms have to be clearly better than. Then columns are pruned
// (grow/finish_by_loss.hpp). A term of all inputs is not tried.
#pragma once

#include <memory>

#include "fit/selection.hpp"

namespace shrimp {

/// As grow_and_prune does it. Rows have their target as it is where the loss has a link (data/loss.hpp), else scaled.
Choice fit_by_loss(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
                   const FitObserver& observer);

/// Counts over their exposure, which becomes the rows' weight: a rate of so much weight has the Poisson loss of the
/// count. Data without exposure stay as they are.
Dataset rates_of(Dataset counts);

/// The name under which the rows' mean loss is told, and what it is told in units of: "log_loss", "deviance" (which is
/// twice the loss), "huber_loss".
struct LossName {
  const char* name;
  double factor;
};
LossName told_loss(Loss loss);

}  // namespace shrimp
