// All there is to know about each basis and about the function of a column, a row each. Whoever has to tell them apart
// asks the row; there is no other place to go through when one is added.
//
// Kernel columns are no function of ⟨x,w⟩ and are handled apart: their row has a name and no more. Their values are in
// features/kernel_section.hpp, those of one input in features/kernel_law.hpp, slopes in model/gradient.cpp, components
// in model/kernel_components.hpp, the formula in model/equation.cpp.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string_view>

#include "linalg/device.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

/// What kind of function φ of t = ⟨x,w⟩ + b a column is. It decides how its ANOVA components are found.
enum class Form {
  wave,    ///< Re(amplitude · exp(it)): products of the marginals' characteristic functions.
  line,    ///< t: sums over the inputs, in components as in equations.
  curve,   ///< Any other function of t: averages of it over the marginals.
  kernel,  ///< No function of t.
};

struct FunctionRow {
  Function function;
  const char* name;  ///< Under which model files have the coefficient; none of "variables", "weights" and "phase".
  Form form;
  void (*apply)(std::span<double> t) = nullptr;  ///< t ← φ(t)
  void (*slope)(std::span<double> t) = nullptr;  ///< t ← φ'(t); at a kink, the slope below it.
  std::string_view formula = {};                 ///< φ as equations write it, {} where its argument goes.
  std::complex<double> amplitude = 0.0;          ///< Of a wave.
  std::optional<DeviceFunction> on_device = {};  ///< What a device calls it; none: it cannot compute it.
};

/// What is drawn for each weight vector.
enum class Draws {
  weights,
  weights_and_phase,  ///< b uniform on [0, 2π) as well.
  nothing,            ///< One unit vector for every input instead.
};

struct BasisRow {
  Basis basis;
  std::string_view name;  ///< As options spell it.
  Draws draws;
  std::span<const Function> functions;  ///< Of the columns that a weight vector makes.
};

/// In the order of the enumerations. That of functions is the order in which a model file's columns are read.
[[nodiscard]] std::span<const FunctionRow> all_functions();
[[nodiscard]] std::span<const BasisRow> all_bases();

/// Throws std::logic_error where the enumeration names something that has no row.
[[nodiscard]] const FunctionRow& about(Function function);
[[nodiscard]] const BasisRow& about(Basis basis);

}  // namespace shrimp
