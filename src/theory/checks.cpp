#include "theory/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/memory.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

bool TheoryResult::holds() const { return std::ranges::all_of(conditions, &TheoryCondition::holds); }

double TheoryResult::value(std::string_view name) const {
  const auto found = std::ranges::find(constants, name, &TheoryConstant::name);
  if (found == constants.end()) throw std::out_of_range(fmt::format("there is no constant \"{}\".", name));
  return found->value;
}

std::string TheoryResult::unmet() const {
  std::string text;
  for (const TheoryCondition& condition : conditions) {
    if (condition.holds) continue;
    text += fmt::format("{}{}: {} requires {} {:.6g}, given {:.6g}.", text.empty() ? "" : "\n", condition.name,
                        condition.formula, condition.relation, condition.required, condition.given);
  }
  return text;
}

void require_positive(const std::string& name, double value) {
  if (!(value > 0.0 && std::isfinite(value))) {
    throw OptionError(fmt::format("{} {} is not a positive number.\nGive a number above 0.", name, value));
  }
}

void require_not_negative(const std::string& name, double value) {
  if (!(value >= 0.0 && std::isfinite(value))) {
    throw OptionError(fmt::format("{} {} is negative or not finite.\nGive 0 or a number above.", name, value));
  }
}

void require_positive(const std::string& name, const std::optional<double>& value) {
  if (value) require_positive(name, *value);
}

void require_not_negative(const std::string& name, const std::optional<double>& value) {
  if (value) require_not_negative(name, *value);
}

void require_between_0_and_1(const std::string& name, double value) {
  if (!(value > 0.0 && value < 1.0)) {
    throw OptionError(fmt::format("{} {} is not between 0 and 1.\nGive a number such as 0.05.", name, value));
  }
}

void require_count(const std::string& name, double value, double least) {
  if (!(value >= least && std::isfinite(value) && std::floor(value) == value)) {
    throw OptionError(
        fmt::format("{} {} is not a whole number of {} or more.\nGive a whole number.", name, value, least));
  }
}

void require_order(std::size_t q, std::size_t d) {
  if (q < 1) throw OptionError(fmt::format("q {} is less than 1.\nGive 1 or more.", q));
  if (q > d) {
    throw OptionError(fmt::format("q {} is above the number of inputs, {}.\nGive an order from 1 to {}.", q, d, d));
  }
}

void require_memory(double bytes) {
  const double free = available_memory(0.0);
  if (bytes > free) {
    throw OptionError(
        fmt::format("this needs about {} of memory, but {} may be used.\nGive fewer rows or fewer features.",
                    format_bytes(bytes), format_bytes(free)));
  }
}

namespace {

constexpr double rounding = 1e-12;

}  // namespace

TheoryCondition at_least(std::string name, std::string formula, double required, double given) {
  return {std::move(name), std::move(formula), "≥", required, given, given >= required - rounding * std::abs(required)};
}

TheoryCondition at_most(std::string name, std::string formula, double required, double given) {
  return {std::move(name), std::move(formula), "≤", required, given, given <= required + rounding * std::abs(required)};
}

TheoryCondition below(std::string name, std::string formula, double required, double given) {
  return {std::move(name), std::move(formula), "<", required, given, given < required};
}

double real_binomial(std::size_t d, std::size_t q) {
  if (q > d) return 0.0;
  double value = 1.0;
  for (std::size_t k = 1; k <= std::min(q, d - q); ++k) {
    value = value * static_cast<double>(d - std::min(q, d - q) + k) / static_cast<double>(k);
  }
  return std::isfinite(value) ? std::round(value) : value;
}

}  // namespace shrimp
