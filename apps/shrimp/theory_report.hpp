// How `shrimp theory` shows a statement: what it promises, under which conditions, by which constants.
#pragma once

#include <string>
#include <vector>

#include "shrimp/theory.hpp"

namespace shrimp::cli {

struct TheoryReport {
  std::string statement;                 ///< What is bounded, in a few words.
  std::vector<TheoryConstant> headline;  ///< The numbers one looks for.
  TheoryResult details;
  std::string note;  ///< What to keep in mind; may be empty.
};

/// Prints the report. If a condition does not hold, throws std::runtime_error naming it, after printing.
void show(const TheoryReport& report, bool json);

}  // namespace shrimp::cli
