#include "export/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "export/onnx_graph.hpp"

namespace shrimp {
namespace {

// 1 − 2 sin²(t/2), as near as cos t itself: older runtimes have no cosine of doubles.
std::string cosine(OnnxGraph& graph, const std::string& t) {
  const std::string s = graph.node("Sin", {graph.node("Mul", {t, graph.number(0.5)})});
  const std::string twice_square = graph.node("Mul", {graph.node("Mul", {s, s}), graph.number(2.0)});
  return graph.node("Sub", {graph.number(1.0), twice_square});
}

std::string step(OnnxGraph& graph, const std::string& t) {
  return graph.node("Where", {graph.node("Greater", {t, graph.number(0.0)}), graph.number(1.0), graph.number(0.0)});
}

std::string level(OnnxGraph& graph, const std::string& t) {
  const std::string near = graph.node("Less", {graph.node("Abs", {t}), graph.number(0.5)});
  return graph.node("Where", {near, graph.number(1.0), graph.number(0.0)});
}

constexpr auto rows = std::to_array<FunctionInLanguages>({
    {Function::cos, "cos({})", "np.cos({})", "cos{}", cosine},
    {Function::sin, "sin({})", "np.sin({})", "sin{}",
     [](OnnxGraph& graph, const std::string& t) { return graph.node("Sin", {t}); }},
    // In SQL, max is an aggregate. (|t| + t)/2 is exact.
    {Function::relu, "fmax(0.0, {})", "np.maximum(0.0, {})", "((abs{0} + {0}) / 2e0)",
     [](OnnxGraph& graph, const std::string& t) { return graph.node("Relu", {t}); }},
    {Function::tanh, "tanh({})", "np.tanh({})", "tanh{}",
     [](OnnxGraph& graph, const std::string& t) { return graph.node("Tanh", {t}); }},
    {Function::identity, "{}", "{}", "{}", [](OnnxGraph&, const std::string& t) { return t; }},
    {Function::step, "({} > 0.0 ? 1.0 : 0.0)", "np.where({} > 0.0, 1.0, 0.0)",
     "(CASE WHEN {} > 0e0 THEN 1e0 ELSE 0e0 END)", step},
    {Function::level, "(fabs({}) < 0.5 ? 1.0 : 0.0)", "np.where(np.abs({}) < 0.5, 1.0, 0.0)",
     "(CASE WHEN abs{} < 0.5e0 THEN 1e0 ELSE 0e0 END)", level},
});

}  // namespace

const FunctionInLanguages& in_languages(Function function) {
  const auto* row = std::ranges::find(rows, function, &FunctionInLanguages::function);
  if (row != rows.end()) return *row;
  throw std::logic_error(fmt::format("function {} has no row in export/functions.cpp.", static_cast<int>(function)));
}

}  // namespace shrimp
