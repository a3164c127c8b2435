// What the statements share: refusing senseless values, writing conditions down.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "shrimp/theory.hpp"

namespace shrimp {

/// Throw OptionError.
void require_positive(const std::string& name, double value);
void require_not_negative(const std::string& name, double value);
void require_positive(const std::string& name, const std::optional<double>& value);
void require_not_negative(const std::string& name, const std::optional<double>& value);
void require_between_0_and_1(const std::string& name, double value);
void require_count(const std::string& name, double value, double least = 1.0);
void require_order(std::size_t q, std::size_t d);

/// Throws OptionError if that many bytes are not free.
void require_memory(double bytes);

/// `given` may fall short by rounding.
TheoryCondition at_least(std::string name, std::string formula, double required, double given);
TheoryCondition at_most(std::string name, std::string formula, double required, double given);
TheoryCondition below(std::string name, std::string formula, double required, double given);

/// C(d,q) without the limits of an integer.
double real_binomial(std::size_t d, std::size_t q);

}  // namespace shrimp
