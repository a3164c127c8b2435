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
    text_ = header() + "\nimport numpy as np\n\nINPUTS = [\n";
    for (const PlanSource& source : plan_.sources) text_ += fmt::format("    {},\n", quoted_name(source.name));
    text_ += fmt::format("]\nTARGET = {}\n", quoted_name(model_.target));
    if (!model_.classes.empty()) text_ += fmt::format("CLASSES = [{}]\n", fmt::join(quoted(model_.classes), ", "));
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      if (plan_.sources[j].is_category()) add_codes(j);
    }
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) add_tables(g);
    if (!plan_.gamma.empty()) add_numbers("_gamma", plan_.gamma);
    if (!plan_.filled.empty()) add_numbers("_filled", plan_.filled);
    for (const PlanInput& input : plan_.inputs) {
      if (input.warp.kind != Warp::Kind::rank) continue;
      add_numbers(fmt::format("_knots_{}", input.index), input.warp.values);
      add_numbers(fmt::format("_ranks_{}", input.index), input.warp.ranks);
    }
    add_prediction();
    if (plan_.takes_missing) add_reading();
    return text_;
  }

 private:
  static std::vector<std::string> quoted(const std::vector<std::string>& texts) {
    std::vector<std::string> list;
    std::ranges::transform(texts, std::back_inserter(list), quoted_name);
    return list;
  }

  [[nodiscard]] std::string header() const {
    const std::string takes =
        plan_.takes_missing
            ? fmt::format(
                  "{}(X) takes a dataframe that has the columns INPUTS, or rows of such cells in this order: numbers, "
                  "text "
                  "for\ncategories, dates as text or as datetime, None or NaN where a cell is missing.",
                  name_)
            : fmt::format("{}(X) takes a table with a column for each of INPUTS, in this order.", name_);
    const std::string returns = model_.classes.empty() ? "one prediction of TARGET for each\nof its rows"
                                                       : "the probability that TARGET is CLASSES[1]\nfor each row";
    return fmt::format(
        "\"\"\"Predictions of a model that shrimp {} fitted.\n\n{} It returns {}{}. Needs NumPy alone.\n\"\"\"\n",
        version, takes, returns, plan_.takes_missing ? "" : ", NaN if an input that the model uses is NaN");
  }

  void add_codes(std::size_t j) {
    std::vector<std::string> items;
    for (const auto& [level, code] : plan_.sources[j].codes)
      items.push_back(fmt::format("{}: {}", quoted_name(level), code));
    text_ += fmt::format("\n_codes_{} = {{{}}}\n", j, item_lines(items));
  }

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
    if (!group.shifts.empty()) add_matrix<double>(fmt::format("_shifts_{}", g), group.shifts, group.size);
    if (!group.shrinks.empty()) add_matrix<double>(fmt::format("_shrinks_{}", g), group.shrinks, group.size);
    for (std::size_t f = 0; f < group.means.size(); ++f) {
      add_numbers(fmt::format("_mean_{}_{}", about(group.functions[f]).name, g), group.means[f]);
    }
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      add_numbers(fmt::format("_{}_{}", about(group.functions[f]).name, g), group.coefficients[f]);
    }
  }

  void add_prediction() {
    // Blocks keep the table of columns in cache, and memory small for any number of rows.
    text_ += fmt::format("\n\ndef {}(X):\n", name_);
    text_ +=
        plan_.takes_missing ? "    X = _as_numbers(X)\n" : "    X = np.asarray(X, dtype=float)\n" + shape_check("");
    text_ += R"(    y = np.empty(len(X))
    for first in range(0, len(X), 512):
        y[first : first + 512] = _predict_block(X[first : first + 512])
    return y


def _predict_block(X):
)";
    text_ += fmt::format("    Z = np.empty((len(X), {}))\n", plan_.inputs.size());
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) add_input(place);
    if (!plan_.filled.empty()) text_ += "    F = np.where(np.isnan(Z), _filled, Z)\n";
    text_ += fmt::format("    total = np.full(len(X), {})\n", exact_number(plan_.constant));
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      text_ += plan_.groups[g].is_kernel() ? kernel_sum(g) : function_sum(g);
    }
    add_target();
  }

  [[nodiscard]] std::string shape_check(const char* indent) const {
    return fmt::format(
        "{0}    if X.ndim != 2 or X.shape[1] != {1}:\n"
        "{0}        raise ValueError(\"X has to be a table of {1} columns, those of INPUTS.\")\n",
        indent, plan_.sources.size());
  }

  // From cells to numbers: codes of levels, days since 1970-01-01, NaN for what is missing.
  void add_reading() {
    text_ += R"(

def _as_numbers(X):
    if hasattr(X, "columns"):
        columns = [np.asarray(X[name], dtype=object) for name in INPUTS]
    else:
        X = np.asarray(X, dtype=object)
)" + shape_check("    ") +
             "        columns = X.T\n    numbers = np.empty((len(columns[0]), len(columns)))\n";
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      const PlanSource& source = plan_.sources[j];
      std::string cell = source.kind == ColumnKind::date ? "_days(cell)"
                         : source.only_missing           ? "np.nan if _is_missing(cell) else 0.0"
                                                         : "_number(cell)";
      if (source.is_category()) {
        const std::string missing = source.missing_code ? exact_number(*source.missing_code) : "np.nan";
        cell = fmt::format("_code(cell, _codes_{}, {})", j, missing);
      }
      text_ += fmt::format("    numbers[:, {0}] = [{1} for cell in columns[{0}]]\n", j, cell);
    }
    text_ += R"(    return numbers


def _is_missing(cell):
    if isinstance(cell, str):
        return cell.strip(" \t\r").lower() in ("", "na", "nan", "null", "?")
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell


def _number(cell):
    return np.nan if _is_missing(cell) else float(cell)
)";
    const auto is_date = [](const PlanSource& source) { return source.kind == ColumnKind::date; };
    if (std::ranges::any_of(plan_.sources, &PlanSource::is_category)) text_ += code_function;
    if (std::ranges::any_of(plan_.sources, is_date)) text_ += days_function;
    if (std::ranges::find(plan_.inputs, InputColumn::Part::day_of_year, &PlanInput::part) != plan_.inputs.end()) {
      text_ += day_of_year_function;
    }
  }

  static constexpr const char* code_function = R"(

def _code(cell, codes, missing):
    if isinstance(cell, str) and cell in codes:
        return codes[cell]
    if _is_missing(cell):
        return missing
    if isinstance(cell, str):
        cell = cell.strip(" \t\r")
        try:
            cell = float(cell.replace("_", "?"))
        except ValueError:
            return codes.get(cell, np.nan)
    is_whole = isinstance(cell, (float, np.floating)) and float(cell).is_integer()
    return codes.get(str(int(cell)) if is_whole else str(cell), np.nan)
)";

  static constexpr const char* days_function = R"(

def _days(cell):
    if _is_missing(cell):
        return np.nan
    day = np.datetime64(cell.strip(" \t\r").removesuffix("Z") if isinstance(cell, str) else cell, "us")
    return (day - np.datetime64(0, "us")) / np.timedelta64(1, "D")
)";

  static constexpr const char* day_of_year_function = R"(

def _day_of_year(days):
    days = np.floor(np.where(np.isnan(days), 0.0, days)).astype("datetime64[D]")
    return (days - days.astype("datetime64[Y]")).astype(float) + 1.0
)";

  // Of the table's column, before limits and forms.
  [[nodiscard]] static std::string taken(const PlanInput& input) {
    const std::string x = fmt::format("X[:, {}]", input.source);
    if (input.part == InputColumn::Part::missing) return fmt::format("np.isnan({}).astype(float)", x);
    if (input.part == InputColumn::Part::day_of_week) return fmt::format("((np.floor({}) + 3.0) % 7.0)", x);
    if (input.part == InputColumn::Part::day_of_year) {
      return fmt::format("np.where(np.isnan({0}), np.nan, _day_of_year({0}))", x);
    }
    return x;
  }

  void add_input(std::size_t place) {
    const PlanInput& input = plan_.inputs[place];
    std::string x = taken(input);
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
    if (!group.shifts.empty()) {
      code += shrinking_argument(g);
    } else {
      code += fmt::format("    for l in range({0}):\n        t = t + _weights_{1}[:, l] * Z[:, _inputs_{1}[:, l]]\n",
                          group.size, g);
    }
    for (const Function function : group.functions) {
      std::string value = fmt::format(fmt::runtime(in_languages(function).python), "t");
      if (!group.shifts.empty()) value = "(shrink * " + value + ")";
      if (!group.means.empty())
        value = fmt::format("np.where(np.isnan(t), _mean_{}_{}, {})", about(function).name, g, value);
      code += fmt::format("    total += {} @ _{}_{}\n", value, about(function).name, g);
    }
    return code;
  }

  [[nodiscard]] std::string shrinking_argument(std::size_t g) const {
    return fmt::format(
        "    shrink = 1.0\n"
        "    for l in range({0}):\n"
        "        own = Z[:, _inputs_{1}[:, l]]\n"
        "        t = t + np.where(np.isnan(own), _shifts_{1}[:, l], _weights_{1}[:, l] * own)\n"
        "        shrink = shrink * np.where(np.isnan(own), _shrinks_{1}[:, l], 1.0)\n",
        plan_.groups[g].size, g);
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
        "    for l in range({0}):\n        j = _inputs_{1}[:, l]\n        gap = {2}[:, j] - _weights_{1}[:, l]\n",
        group.size, g, plan_.filled.empty() ? "Z" : "F");
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
    std::ranges::transform(plan_.inputs, std::back_inserter(used), &PlanInput::source);
    if (!used.empty() && !plan_.takes_missing)
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
