// The automatic method under the multinomial loss.
//
// Terms are selected for each class against the rest, as under the logistic loss: for squared error of the working
// response near the best constant, then pruned. The union of the selected terms is one dictionary that all classes
// share. It is fitted under the multinomial loss (grow/class_expansion.hpp). A linear model, the terms, both, and a
// kernel with one length scale compete on rows that no search has seen. The same rows estimate the error.
#pragma once

#include <memory>

#include "fit/selection.hpp"

namespace shrimp {

/// Targets of rows are classes 0 … K − 1.
FitResult fit_by_classes(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation,
                         const FitObserver& observer);

}  // namespace shrimp
