#include "features/bases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "features/cos_sin.hpp"

namespace shrimp {
namespace {

// t ← φ(t), number by number. The loop knows φ by its type, so that it is compiled into it.
template <typename Phi>
constexpr auto each(Phi) {
  return [](std::span<double> t) {
    for (double& value : t) value = Phi{}(value);
  };
}

constexpr std::complex<double> i(0.0, 1.0);

constexpr auto function_rows = std::to_array<FunctionRow>({
    {.function = Function::cos,
     .name = "cos",
     .form = Form::wave,
     .apply = cos_in_place,
     .slope = each([](double t) { return -std::sin(t); }),
     .formula = "cos({})",
     .amplitude = 1.0,
     .on_device = DeviceFunction::cos},
    {.function = Function::sin,
     .name = "sin",
     .form = Form::wave,
     .apply = sin_in_place,
     .slope = each([](double t) { return std::cos(t); }),
     .formula = "sin({})",
     .amplitude = -i,
     .on_device = DeviceFunction::sin},
    {.function = Function::relu,
     .name = "relu",
     .form = Form::curve,
     .apply = each([](double t) { return std::max(0.0, t); }),
     .slope = each([](double t) { return t > 0.0 ? 1.0 : 0.0; }),
     .formula = "max(0, {})",
     .on_device = DeviceFunction::relu},
    {.function = Function::tanh,
     .name = "tanh",
     .form = Form::curve,
     .apply = each([](double t) { return std::tanh(t); }),
     .slope = each([](double t) { return 1.0 - std::tanh(t) * std::tanh(t); }),
     .formula = "tanh({})",
     .on_device = DeviceFunction::tanh},
    {.function = Function::identity,
     .name = "identity",
     .form = Form::line,
     .apply = [](std::span<double>) {},
     .slope = each([](double) { return 1.0; }),
     .formula = "{}",
     .on_device = DeviceFunction::identity},
    {.function = Function::kernel, .name = "kernel", .form = Form::kernel},
    {.function = Function::step,
     .name = "step",
     .form = Form::curve,
     .apply = each([](double t) { return t > 0.0 ? 1.0 : 0.0; }),
     .slope = each([](double) { return 0.0; }),
     .formula = "step({})",
     .on_device = DeviceFunction::step},
    // Of codes of levels, which are whole numbers.
    {.function = Function::level,
     .name = "level",
     .form = Form::curve,
     .apply = each([](double t) { return std::abs(t) < 0.5 ? 1.0 : 0.0; }),
     .slope = each([](double) { return 0.0; }),
     .formula = "level({})"},
});

template <Function... functions>
constexpr Function makes[] = {functions...};

constexpr auto basis_rows = std::to_array<BasisRow>({
    {Basis::fourier, "fourier", Draws::weights, makes<Function::cos, Function::sin>},
    {Basis::cosine, "cos", Draws::weights_and_phase, makes<Function::cos>},
    {Basis::sine, "sin", Draws::weights_and_phase, makes<Function::sin>},
    {Basis::relu, "relu", Draws::weights, makes<Function::relu>},
    {Basis::tanh, "tanh", Draws::weights, makes<Function::tanh>},
    {Basis::identity, "identity", Draws::weights, makes<Function::identity>},
    {Basis::linear, "linear", Draws::nothing, makes<Function::identity>},
});

// Rows are found by their place.
template <typename Row, typename Name>
constexpr bool in_order(std::span<const Row> rows, Name Row::*name) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].*name != static_cast<Name>(k)) return false;
  }
  return true;
}

static_assert(in_order(std::span<const FunctionRow>(function_rows), &FunctionRow::function));
static_assert(in_order(std::span<const BasisRow>(basis_rows), &BasisRow::basis));

template <typename Row>
const Row& row_at(std::span<const Row> rows, std::size_t place, const char* kind) {
  if (place < rows.size()) return rows[place];
  throw std::logic_error(fmt::format("{} {} has no row in features/bases.cpp.", kind, place));
}

}  // namespace

std::span<const FunctionRow> all_functions() { return function_rows; }
std::span<const BasisRow> all_bases() { return basis_rows; }

const FunctionRow& about(Function function) {
  return row_at(all_functions(), static_cast<std::size_t>(function), "function");
}

const BasisRow& about(Basis basis) { return row_at(all_bases(), static_cast<std::size_t>(basis), "basis"); }

}  // namespace shrimp
