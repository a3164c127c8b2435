// Hashes by which columns, coefficients and rows are known again. They are the same on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "shrimp/model.hpp"

namespace shrimp {

class Hash {
 public:
  void add(std::uint64_t bits) { state_ = std::rotl((state_ ^ bits) * 0x9E3779B97F4A7C15U, 29); }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // −0 is 0.
  void add(std::span<const double> values);
  void add(std::string_view text);

  /// Never 0, and with leading bits that depend on all that was added.
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0;
};

/// Of what the columns are made of: inputs, how they enter, the dictionary, and the form and scale of the target.
std::uint64_t hash_columns(const Model& model);

/// Of the coefficients and the constant.
std::uint64_t hash_coefficients(const Model& model);

}  // namespace shrimp
