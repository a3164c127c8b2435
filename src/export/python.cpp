// A Python module: tables of numbers, and one function that works on all rows of a block at once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/formats.hpp"
#include "export/functions.hpp"
#include "export/plan.hpp"
#include "export/tables.hpp"
#include "export/words.hpp"
#include "features/bases.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace {

class PythonWriter {
 public:
  PythonWriter(const Model& model, const std::string& name) : model_(model), name_(name), plan_(make_plan(model)) {}

  std::string write() {
    std::vector<std::string> inputs(model_.inputs.size());
    std::ranges::transform(model_.inputs, inputs.begin(), quoted_name);
    text_ = fmt::format(
        "\"\"\"Predictions of a model that shrimp {0} fitted.\n\n"
        "{1}(X) takes a table with a column for each of INPUTS, in this order, and returns one prediction of TARGET "
        "for\n"
        "each of its rows, NaN where an input that the model looks at is NaN. Needs NumPy alone.\n\"\"\"\n\n"
        "import numpy as np\n\nINPUTS = [\n    {2},\n]\nTARGET = {3}\n",
        version, name_, fmt::join(inputs, ",\n    "), quoted_name(model_.target));
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) add_tables(g);
    if (!plan_.gamma.empty()) add_numbers("_gamma", plan_.gamma);
    for (const PlanInput& input : plan_.inputs) {
      if (input.warp.kind != Warp::Kind::rank) continue;
      add_numbers(fmt::format("_knots_{}", input.index), input.warp.values);
      add_numbers(fmt::format("_ranks_{}", input.index), input.warp.ranks);
    }
    add_prediction();
    return text_;
  }

 private:
  void add_numbers(const std::string& what, std::span<const double> values) {
    text_ += fmt::format("\n{} = np.array([{}])\n", what, number_lines(values));
  }

  template <typename Number>
  void add_matrix(const std::string& what, std::span<const Number> values, std::size_t columns) {
    text_ += fmt::format("\n{} = np.array([{}])\n", what, matrix_lines(values, columns, "[]"));
  }

  void add_tables(std::size_t g) {
    const ColumnGroup& group = plan_.groups[g];
    add_matrix<std::uint32_t>(fmt::format("_inputs_{}", g), group.inputs, group.size);
    add_matrix<double>(fmt::format("_weights_{}", g), group.weights, group.size);
    if (!group.phases.empty()) add_numbers(fmt::format("_phases_{}", g), group.phases);
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      add_numbers(fmt::format("_{}_{}", about(group.functions[f]).name, g), group.coefficients[f]);
    }
  }

  void add_prediction() {
    // Blocks keep the table of columns in cache, and memory small for any number of rows.
    text_ += fmt::format(R"(

def {}(X):
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != {}:
        raise ValueError("X has to be a table of {} columns, those of INPUTS.")
    y = np.empty(len(X))
    for first in range(0, len(X), 512):
        y[first : first + 512] = _predict_block(X[first : first + 512])
    return y


def _predict_block(X):
)",
                         name_, model_.inputs.size(), model_.inputs.size());
    text_ += fmt::format("    Z = np.empty((len(X), {}))\n", plan_.inputs.size());
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) add_input(place);
    text_ += fmt::format("    total = np.full(len(X), {})\n", exact_number(plan_.constant));
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      text_ += plan_.groups[g].is_kernel() ? kernel_sum(g) : function_sum(g);
    }
    add_target();
  }

  void add_input(std::size_t place) {
    const PlanInput& input = plan_.inputs[place];
    std::string x = fmt::format("X[:, {}]", input.index);
    if (input.limited) x = clip(x, input.lowest, input.highest);
    if (input.warp.kind == Warp::Kind::log) {
      x = fmt::format("np.log(np.maximum({}{}, {}))", input.warp.negative ? "-" : "", x,
                      exact_number(smallest_for_log()));
    }
    if (input.warp.kind == Warp::Kind::rank) {
      if (input.knot_unit != 1.0) x = fmt::format("{} * {}", exact_number(input.knot_unit), x);
      x = fmt::format("np.interp({0}, _knots_{1}, _ranks_{1})", x, input.index);
    }
    text_ +=
        fmt::format("    Z[:, {}] = ({} - {}) / {}\n", place, x, exact_number(input.mean), exact_number(input.scale));
  }

  [[nodiscard]] static std::string clip(const std::string& value, double lowest, double highest) {
    return fmt::format("np.clip({}, {}, {})", value, exact_number(lowest), exact_number(highest));
  }

  [[nodiscard]] std::string function_sum(std::size_t g) const {
    const ColumnGroup& group = plan_.groups[g];
    std::string code = fmt::format("    t = {}\n", group.phases.empty() ? "0.0" : fmt::format("_phases_{}", g));
    code += fmt::format("    for l in range({0}):\n        t = t + _weights_{1}[:, l] * Z[:, _inputs_{1}[:, l]]\n",
                        group.size, g);
    for (const Function function : group.functions) {
      code += fmt::format("    total += {} @ _{}_{}\n", fmt::format(fmt::runtime(in_languages(function).python), "t"),
                          about(function).name, g);
    }
    return code;
  }

  // E_m ← E_m + κ E_{m−1}, input by input, or one product of all (features/kernel_section.hpp).
  [[nodiscard]] std::string kernel_sum(std::size_t g) const {
    const ColumnGroup& group = plan_.groups[g];
    const std::size_t degree = kernel_degree(model_, group);
    const bool whole = degree == group.size;
    const Law law = model_.dictionary.kernel_law;
    const bool leads = law == Law::student_t;
    const std::string limit = exact_number(-least_exponent);
    // No factor is infinite where exp is not nothing.
    const std::string value = leads ? fmt::format("np.where(r <= {0}, lead, 0.0) * np.exp(-r)", limit) : "np.exp(-r)";
    const std::string start = leads ? "r, lead = 0.0, 1.0" : "r = 0.0";
    std::string code = whole ? "    " + start + "\n" : fmt::format("    E = [1.0] + [0.0] * {}\n", degree);
    code += fmt::format(
        "    for l in range({0}):\n        j = _inputs_{1}[:, l]\n        gap = Z[:, j] - _weights_{1}[:, l]\n",
        group.size, g);
    if (!whole) code += "        " + start + "\n";
    code += fmt::format("        own = _gamma[j] * {}\n        r = r + own\n",
                        law == Law::normal ? "gap * gap" : "np.abs(gap)");
    if (leads) code += "        lead = lead * (1.0 + own)\n";
    if (!whole) {
      code += fmt::format(
          "        kappa = {}\n        for m in range({}, 0, -1):\n            E[m] = E[m] + kappa * E[m - 1]\n", value,
          degree);
    }
    return code + fmt::format("    total += ({}) @ _kernel_{}\n", whole ? value : fmt::format("E[{}]", degree), g);
  }

  void add_target() {
    const Scaling& scaling = model_.scaling;
    const std::string correction = exact_number(scaling.target_correction);
    text_ +=
        fmt::format("    y = {} + {} * total\n", exact_number(scaling.target_mean), exact_number(scaling.target_scale));
    if (scaling.target_form == TargetForm::log) text_ += fmt::format("    y = np.exp(y) * {}\n", correction);
    if (scaling.target_form == TargetForm::logit) text_ += "    y = 1.0 / (1.0 + np.exp(-y))\n";
    if (scaling.target_form == TargetForm::sqrt)
      text_ += fmt::format("    y = np.maximum(y, 0.0) ** 2 + {}\n", correction);
    if (scaling.target_lowest) text_ += "    y = " + clip("y", *scaling.target_lowest, *scaling.target_highest) + "\n";
    std::vector<std::size_t> used;
    std::ranges::transform(plan_.inputs, std::back_inserter(used), &PlanInput::index);
    if (!used.empty())
      text_ += fmt::format("    y[np.isnan(X[:, [{}]]).any(axis=1)] = np.nan\n", fmt::join(used, ", "));
    text_ += "    return y\n";
  }

  const Model& model_;
  const std::string& name_;
  Plan plan_;
  std::string text_;
};

}  // namespace

std::string to_python(const Model& model, const std::string& name) { return PythonWriter(model, name).write(); }

}  // namespace shrimp
