// C99: tables of numbers, and one function with a loop for each table. Its name begins all others of the file.
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

class CWriter {
 public:
  CWriter(const Model& model, const std::string& name) : model_(model), name_(name), plan_(make_plan(model)) {}

  std::string write() {
    text_ = header() + "\n#include <float.h>\n#include <math.h>\n#include <stddef.h>\n";
    const bool has_ranks =
        std::ranges::any_of(plan_.inputs, [](const PlanInput& input) { return input.warp.kind == Warp::Kind::rank; });
    if (!model_.scaling.input_lowest.empty() || model_.scaling.target_lowest) add(between_function);
    if (has_ranks) add(rank_function);
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) add_tables(g);
    if (!plan_.gamma.empty()) add_numbers("gamma", plan_.gamma);
    add_prediction();
    return text_;
  }

 private:
  static constexpr const char* between_function = R"(
static double @_between(double value, double lowest, double highest) {
  return value < lowest ? lowest : value > highest ? highest : value;
}
)";

  // Linear between the knots, constant beyond them.
  static constexpr const char* rank_function = R"(
static double @_rank(double x, const double *knots, const double *ranks, size_t count) {
  size_t low = 0;
  size_t high = count - 1;
  double share;
  if (!(x > knots[low])) return ranks[low];
  if (x >= knots[high]) return ranks[high];
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (knots[middle] <= x) low = middle;
    else high = middle;
  }
  share = (x - knots[low]) / (knots[high] - knots[low]);
  return (1.0 - share) * ranks[low] + share * ranks[high];
}
)";

  // Code, with @ where the function's name goes.
  void add(std::string_view code) {
    for (const char c : code) {
      if (c == '@') {
        text_ += name_;
      } else {
        text_ += c;
      }
    }
  }

  [[nodiscard]] std::string header() const {
    std::string text = fmt::format("/* double {}(const double *x) takes these inputs, in this order:\n", name_);
    const InputRange range = clipping_range(model_);
    for (std::size_t j = 0; j < model_.inputs.size(); ++j) {
      const bool used = std::ranges::find(plan_.inputs, j, &PlanInput::index) != plan_.inputs.end();
      text += fmt::format(" *   x[{}]  {}", j, name_in_comment(model_.inputs[j]));
      if (!used) text += ", which the model does not look at";
      if (used && !model_.scaling.input_lowest.empty()) {
        text += fmt::format(", held between {} and {}", range.lowest[j], range.highest[j]);
      }
      text += "\n";
    }
    text += fmt::format(
        " * and returns the prediction of {}; NaN where an input that it looks at is NaN.\n"
        " * It keeps no state, so that threads can share it. Link with -lm.\n"
        " * Made by shrimp {} from a model of method {}. */\n",
        name_in_comment(model_.target), version, name_in_comment(model_.method));
    return text;
  }

  void add_numbers(const std::string& what, std::span<const double> values) {
    add(fmt::format("\nstatic const double @_{}[{}] = {{", what, values.size()));
    text_ += number_lines(values) + "};\n";
  }

  template <typename Number>
  void add_matrix(const char* type, const std::string& what, std::span<const Number> values, std::size_t columns) {
    add(fmt::format("\nstatic const {} @_{}[{}][{}] = {{", type, what, values.size() / columns, columns));
    text_ += matrix_lines(values, columns, "{}") + "};\n";
  }

  void add_tables(std::size_t g) {
    const ColumnGroup& group = plan_.groups[g];
    add_matrix<std::uint32_t>("unsigned", fmt::format("inputs_{}", g), group.inputs, group.size);
    add_matrix<double>("double", fmt::format("weights_{}", g), group.weights, group.size);
    if (!group.phases.empty()) add_numbers(fmt::format("phases_{}", g), group.phases);
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      add_numbers(fmt::format("{}_{}", about(group.functions[f]).name, g), group.coefficients[f]);
    }
  }

  void add_prediction() {
    for (const PlanInput& input : plan_.inputs) {
      if (input.warp.kind != Warp::Kind::rank) continue;
      add_numbers(fmt::format("knots_{}", input.index), input.warp.values);
      add_numbers(fmt::format("ranks_{}", input.index), input.warp.ranks);
    }
    add("\ndouble @(const double *x);\n\ndouble @(const double *x) {\n");
    if (!plan_.inputs.empty()) text_ += fmt::format("  double z[{}];\n", plan_.inputs.size());
    text_ += fmt::format("  double sum = {};\n", exact_number(plan_.constant));
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) add_input(place);
    if (plan_.inputs.empty()) text_ += "  (void)x;\n";
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      add(plan_.groups[g].is_kernel() ? kernel_loop(g) : function_loop(g));
    }
    add_target();
    text_ += "}\n";
  }

  void add_input(std::size_t place) {
    const PlanInput& input = plan_.inputs[place];
    std::string x = fmt::format("x[{}]", input.index);
    text_ += fmt::format("  if (isnan({0})) return {0};\n", x);
    if (input.limited) x = between(x, input.lowest, input.highest);
    if (input.warp.kind == Warp::Kind::log) {
      x = fmt::format("log(fmax({}{}, DBL_MIN))", input.warp.negative ? "-" : "", x);
    }
    if (input.warp.kind == Warp::Kind::rank) {
      if (input.knot_unit != 1.0) x = fmt::format("{} * {}", exact_number(input.knot_unit), x);
      x = fmt::format("@_rank({0}, @_knots_{1}, @_ranks_{1}, {2})", x, input.index, input.warp.values.size());
    }
    add(fmt::format("  z[{}] = ({} - {}) / {};\n", place, x, signed_number(input.mean), exact_number(input.scale)));
  }

  [[nodiscard]] static std::string between(const std::string& value, double lowest, double highest) {
    return fmt::format("@_between({}, {}, {})", value, exact_number(lowest), exact_number(highest));
  }

  [[nodiscard]] static std::string signed_number(double value) {
    return value < 0.0 ? "(" + exact_number(value) + ")" : exact_number(value);
  }

  [[nodiscard]] std::string function_loop(std::size_t g) const {
    const ColumnGroup& group = plan_.groups[g];
    std::string code = fmt::format("  for (size_t k = 0; k < {}; ++k) {{\n    double t = {};\n", group.count(),
                                   group.phases.empty() ? "0.0" : fmt::format("@_phases_{}[k]", g));
    code += fmt::format("    for (size_t l = 0; l < {0}; ++l) t += @_weights_{1}[k][l] * z[@_inputs_{1}[k][l]];\n",
                        group.size, g);
    for (const Function function : group.functions) {
      code += fmt::format("    sum += @_{}_{}[k] * {};\n", about(function).name, g,
                          fmt::format(fmt::runtime(in_languages(function).c), "t"));
    }
    return code + "  }\n";
  }

  // E_m ← E_m + κ E_{m−1}, input by input, or one product of all (features/kernel_section.hpp).
  [[nodiscard]] std::string kernel_loop(std::size_t g) const {
    const ColumnGroup& group = plan_.groups[g];
    const std::size_t degree = kernel_degree(model_, group);
    const bool whole = degree == group.size;
    const Law law = model_.dictionary.kernel_law;
    const bool leads = law == Law::student_t;
    const std::string value =
        leads ? fmt::format("(r <= {} ? lead * exp(-r) : 0.0)", exact_number(-least_exponent)) : "exp(-r)";
    const std::string start = fmt::format("double r = 0.0;{}\n", leads ? " double lead = 1.0;" : "");
    std::string code = fmt::format("  for (size_t k = 0; k < {}; ++k) {{\n", group.count());
    code += whole ? "    " + start : fmt::format("    double e[{}] = {{1.0}};\n", degree + 1);
    code += fmt::format("    for (size_t l = 0; l < {}; ++l) {{\n", group.size);
    code += fmt::format(
        "      const size_t j = @_inputs_{0}[k][l];\n      const double gap = z[j] - @_weights_{0}[k][l];\n", g);
    if (!whole) code += "      " + start;
    code += fmt::format("      const double own = @_gamma[j] * {};\n      r += own;\n",
                        law == Law::normal ? "gap * gap" : "fabs(gap)");
    if (leads) code += "      lead *= 1.0 + own;\n";
    if (!whole) {
      code += fmt::format("      const double kappa = {};\n", value);
      code += fmt::format("      for (size_t m = {}; m > 0; --m) e[m] += kappa * e[m - 1];\n", degree);
    }
    code +=
        fmt::format("    }}\n    sum += @_kernel_{}[k] * {};\n  }}\n", g, whole ? value : fmt::format("e[{}]", degree));
    return code;
  }

  void add_target() {
    const Scaling& scaling = model_.scaling;
    text_ +=
        fmt::format("  sum = {} + {} * sum;\n", exact_number(scaling.target_mean), exact_number(scaling.target_scale));
    const std::string correction = exact_number(scaling.target_correction);
    if (scaling.target_form == TargetForm::log) text_ += fmt::format("  sum = exp(sum) * {};\n", correction);
    if (scaling.target_form == TargetForm::logit) text_ += "  sum = 1.0 / (1.0 + exp(-sum));\n";
    if (scaling.target_form == TargetForm::sqrt)
      text_ += fmt::format("  sum = fmax(sum, 0.0) * fmax(sum, 0.0) + {};\n", correction);
    const std::string y =
        scaling.target_lowest ? between("sum", *scaling.target_lowest, *scaling.target_highest) : "sum";
    add(fmt::format("  return {};\n", y));
  }

  const Model& model_;
  const std::string& name_;
  Plan plan_;
  std::string text_;
};

}  // namespace

std::string to_c(const Model& model, const std::string& name) { return CWriter(model, name).write(); }

}  // namespace shrimp
