// A smaller model of the same columns: fewer terms or columns, fitted again, with what that costs.
//
// Backward elimination (src/solvers/group_elimination.hpp): the terms or columns go whose loss raises the least of the
// fit's objective least, when all others are fitted again; magnitudes and shares do not tell which others can stand for
// them. A term on some inputs goes before those on fewer of them, since its columns carry their effects, too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/model.hpp"
#include "shrimp/update.hpp"

namespace shrimp {

/// Just one of the three.
struct SimplifyOptions {
  std::optional<std::size_t> terms;            ///< At most so many stay, those without columns counted; 1 … terms.
  std::optional<std::size_t> basis_functions;  ///< Largest number to keep; 1 … those of the model.
  std::vector<std::string> drop;  ///< Terms that go, as term_name has them, or their inputs joined by stars.
  int threads = 0;
};

struct Simplified {
  Model before;                    ///< All columns, fitted to the summary's rows.
  Model model;                     ///< Those that stay, fitted to the same rows.
  ModelSummary summary;            ///< Of the smaller model, as its own.
  std::vector<std::string> notes;  ///< Where a term that goes is carried in part by columns that stay.
};

/// Errors of both models are of the summary's rows, and of each fold by a fit to the others, which also chose what
/// stays. Shares of the smaller model's terms are those over inputs that are independent with the training rows'
/// values. Throws OptionError where an option is out of range or names no term, and as refit does.
[[nodiscard]] Simplified simplify(const Model& model, const ModelSummary& summary, const SimplifyOptions& options);

}  // namespace shrimp
