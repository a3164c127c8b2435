// The paper's test functions and their samples.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "shrimp/table.hpp"

namespace shrimp::experiments {

struct TestFunction {
  std::string_view name;  ///< "f4 (run)" is the function of the published numbers, "f4" the published formula.
  std::string_view formula;
  int order;          ///< q*
  double half_width;  ///< Inputs are uniform on [−h, h].
  double (*value)(std::span<const double> x);
};

/// f1 … f7, f4 and f5 twice.
[[nodiscard]] std::span<const TestFunction> table_functions();

/// By name, of all functions in the paper: those of the tables, f_a1 … f_a3, f_h1 … f_h3, f_s, f_k.
[[nodiscard]] const TestFunction& function_named(std::string_view name);

/// `rows` points of d inputs, without noise.
[[nodiscard]] Dataset sample(const TestFunction& function, std::size_t rows, std::size_t d, std::uint64_t seed);

/// `count` successive rows.
[[nodiscard]] Dataset rows_of(const Dataset& data, std::size_t first, std::size_t count);

struct TrainAndTest {
  Dataset train;
  Dataset test;
};

/// The first 70 % of the rows, and the others.
[[nodiscard]] TrainAndTest split_sample(const Dataset& data);

}  // namespace shrimp::experiments
