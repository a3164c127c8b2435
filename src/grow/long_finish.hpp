// From terms to a model where rows are too many to be kept: their columns are summed up in one pass, and what follows
// costs the same for any number of rows.
//
// With so many rows, more features of a term may be worth their place. Up to four times as many as the term was found
// with are summed up at once, those of fewer being among them; rows held out choose how many, the ridge and, along the
// path that drops the column whose loss costs least (ridge/elimination.hpp), the columns that stay.
#pragma once

#include <functional>

#include "grow/finish.hpp"
#include "grow/long_rows.hpp"

namespace shrimp {

struct LongFinished {
  Finished judged;         ///< Fitted without the rows that tell the error.
  Finished all;            ///< The same columns and ridge, fitted to all rows.
  double train_mse = 0.0;  ///< Of the latter on all rows.
};

/// `pruned` is the model of the rows searched: where its terms have very many features, its columns are those that are
/// fitted to all rows. `check` is called with every block; it may throw.
LongFinished finish_long(const LongRows& rows, const Grown& grown, const Finished& pruned, const FinishOptions& options,
                         const std::function<void()>& check);

}  // namespace shrimp
