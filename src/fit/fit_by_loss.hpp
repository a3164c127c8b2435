// The automatic method under another loss than squared error.
//
// Terms are selected and pruned for squared error of the working response near the best constant, and again near the
// fit if that lowers the leave-one-out loss clearly. The basis functions that remain are fitted under the loss
// (grow/finish_by_loss.hpp). A linear model, the terms, both, and a kernel with one length scale compete on rows that
// no search has seen; the same rows estimate the error.
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
