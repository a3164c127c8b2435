// Simplification: fewer terms or basis functions, refitted, with the change in error.
//
// Backward elimination (src/ridge/group_elimination.hpp) removes the terms or basis functions whose removal increases
// the objective least when all others are refitted. Coefficient magnitudes and fractions of variance do not show which
// others can replace them. An interaction is removed before terms of subsets of its inputs, since it contains their
// effects.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/model.hpp"
#include "shrimp/update.hpp"

namespace shrimp {

/// Exactly one of terms, basis_functions and drop must be set.
struct SimplifyOptions {
  std::optional<std::size_t> terms;  ///< Maximum number of terms, including contained main effects; 1 … terms.
  std::optional<std::size_t> basis_functions;  ///< Maximum number of basis functions; 1 … those of the model.
  std::vector<std::string> drop;               ///< Terms to remove, by term_name or by their inputs joined by stars.
  int threads = 0;
};

struct Simplified {
  Model before;                    ///< All basis functions, refitted to the given rows.
  Model model;                     ///< Remaining basis functions, refitted to the same rows.
  ModelSummary summary;            ///< Sufficient statistics of the smaller model.
  std::vector<std::string> notes;  ///< Notes on removed terms that remaining terms contain in part.
};

/// Errors of both models are over the rows of the sufficient statistics, and by cross-validation, which also selects
/// the terms. Fractions of variance of the smaller model are for independent inputs with the marginals of the training
/// rows. Throws OptionError if an option is out of range or names no term, and as refit does.
[[nodiscard]] Simplified simplify(const Model& model, const ModelSummary& summary, const SimplifyOptions& options);

/// Refits the smaller model under another loss than squared error: computes sufficient statistics at its fit and
/// refits, until the training loss stands still. Under squared error nothing changes.
void refine(Simplified& simplified, const std::function<ModelSummary(const Model& model)>& summarize);

}  // namespace shrimp
