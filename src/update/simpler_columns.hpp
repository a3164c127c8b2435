// Which columns of a model stay when it is to have fewer terms or columns.
#pragma once

#include <string>
#include <vector>

#include "ridge/group_elimination.hpp"
#include "shrimp/simplify.hpp"

namespace shrimp {

/// The terms of these names, each once. Throws OptionError.
std::vector<Term> terms_named(const Model& model, const std::vector<std::string>& names);

/// Columns on other inputs than those of the terms that go. Throws OptionError where nothing would be left, and where a
/// term that goes has no columns but some that stay carry it.
std::vector<std::size_t> columns_without(const Model& model, const std::vector<Term>& going);

/// A sentence for each term that goes while columns that stay look at its inputs, too.
std::vector<std::string> notes_on_loss(const Model& model, const std::vector<Term>& going);

/// Chooses by rows: the same goal for all of them, and for parts.
class ColumnChoice {
 public:
  /// Throws OptionError where the goal is out of range or cannot be reached.
  ColumnChoice(const Model& model, const SimplifyOptions& options);

  /// Ascending.
  [[nodiscard]] std::vector<std::size_t> choose(const RidgeProblem& rows) const;

 private:
  void require_reachable(const char* what) const;
  [[nodiscard]] std::vector<double> gains(const std::vector<bool>& left) const;
  [[nodiscard]] std::vector<std::size_t> carrying_groups(const std::vector<bool>& left) const;

  bool by_terms_;
  std::size_t goal_;
  ColumnGroups groups_;  // Columns that go together, …
  // … and which terms have all their inputs among those of the columns: these carry them. Where columns are to go, the
  // columns themselves.
  std::vector<std::vector<std::size_t>> carried_;
  std::size_t count_;  // Of terms, or columns, in all.
};

}  // namespace shrimp
