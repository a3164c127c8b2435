// Terms that are too weak for the rows that were searched, found on more rows.
//
// The growth sees at most some thousand rows, for it solves systems of their size. What its terms leave of all rows in
// memory is screened once more. A set that scores beyond chance there is fitted to what is left by itself, with
// features of several scales and sizes, and kept if rows of other folds are predicted clearly better. All terms are
// then fitted together, and so on until nothing is found.
#pragma once

#include "grow/grow.hpp"

namespace shrimp {

/// Adds what it finds to the terms.
void add_weak_terms(Grown& grown, const Rows& rows, const GrowOptions& options, const GrowObserver& observer);

}  // namespace shrimp
