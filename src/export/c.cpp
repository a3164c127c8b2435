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
    const bool has_categories = std::ranges::any_of(plan_.sources, &PlanSource::is_category);
    if (has_categories) text_ += "#include <string.h>\n";
    const bool has_ranks =
        std::ranges::any_of(plan_.inputs, [](const PlanInput& input) { return input.warp.kind == Warp::Kind::rank; });
    const bool has_limits = std::ranges::any_of(plan_.inputs, &PlanInput::limited);
    if (has_limits || model_.scaling.target_lowest) add(between_function);
    if (has_ranks) add(rank_function);
    if (has_part(InputColumn::Part::day_of_week)) add(day_of_week_function);
    if (has_part(InputColumn::Part::day_of_year)) add(day_of_year_function);
    if (has_categories) add_codes();
    const auto is_used_category = [](const PlanSource& source) { return source.is_category() && source.used; };
    if (std::ranges::any_of(plan_.sources, is_used_category)) add(level_function);
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) add_tables(g);
    if (!plan_.gamma.empty()) add_numbers("gamma", plan_.gamma);
    if (!plan_.filled.empty()) add_numbers("filled", plan_.filled);
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

  // Monday is 0, and 1970-01-01 was a Thursday.
  static constexpr const char* day_of_week_function = R"(
static double @_day_of_week(double days) {
  const double shifted = floor(days) + 3.0;
  return shifted - 7.0 * floor(shifted / 7.0);
}
)";

  // Years begin in March, so that the day that leap years have more is their last, and are counted from a multiple of
  // 400, after which the calendar repeats.
  static constexpr const char* day_of_year_function = R"(
static double @_begun(double years, double every) { return floor(years / every) - floor((years - 1.0) / every); }

static double @_day_of_year(double days) {
  const double since = floor(days) + 719468.0;
  const double day = since - 146097.0 * floor(since / 146097.0);
  const double year = floor((day - floor(day / 1460.0) + floor(day / 36524.0) - floor(day / 146096.0)) / 365.0);
  const double from_march = day - (365.0 * year + floor(year / 4.0) - floor(year / 100.0));
  const double leap = @_begun(year, 4.0) - @_begun(year, 100.0) + @_begun(year, 400.0);
  return from_march >= 306.0 ? from_march - 305.0 : from_march + 60.0 + leap;
}
)";

  // As the program reads a cell of a table: a level as it stands, or without the blanks around it, or a missing cell.
  static constexpr const char* find_function = R"(
static double @_find(const char *text, size_t length, const char *const *names, const unsigned *codes, size_t count) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    int order = strncmp(names[middle], text, length);
    if (order == 0 && names[middle][length] != '\0') order = 1;
    if (order == 0) return codes[middle];
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1.0;
}

static int @_is_missing(const char *text, size_t length) {
  static const char *const words[5] = {"", "na", "nan", "null", "\077"};
  for (size_t k = 0; k < 5; ++k) {
    size_t i = 0;
    for (; i < length && words[k][i] != '\0'; ++i) {
      const char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
      if (c != words[k][i]) break;
    }
    if (i == length && words[k][i] == '\0') return 1;
  }
  return 0;
}

static double @_cell(const char *text, const char *const *names, const unsigned *codes, size_t count) {
  size_t length = strlen(text);
  const double code = @_find(text, length, names, codes, count);
  if (code >= 0.0) return code;
  while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) --length;
  for (; length > 0 && strchr(" \t\r", *text) != NULL; --length) ++text;
  return @_is_missing(text, length) ? NAN : @_find(text, length, names, codes, count);
}
)";

  static constexpr const char* level_function = R"(
static double @_level(double code, double missing, double count) {
  if (isnan(code)) return missing;
  return code >= 0.0 && code < count ? floor(code) : NAN;
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

  [[nodiscard]] bool has_part(InputColumn::Part part) const {
    return std::ranges::find(plan_.inputs, part, &PlanInput::part) != plan_.inputs.end();
  }

  [[nodiscard]] std::string header() const {
    std::string text = fmt::format("/* double {}(const double *x) takes these inputs, in this order:\n", name_);
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      const PlanSource& source = plan_.sources[j];
      text += fmt::format(" *   x[{}]  {}", j, name_in_comment(source.name));
      text += source.used ? about_source(j) : ", which the model does not use";
      text += "\n";
    }
    const std::string what = model_.classes.empty()
                                 ? fmt::format("the prediction of {}", name_in_comment(model_.target))
                                 : fmt::format("the probability that {} is {}", name_in_comment(model_.target),
                                               name_in_comment(model_.classes.back()));
    text += fmt::format(
        " * and returns {}; {}.\n", what,
        plan_.takes_missing ? "NaN inputs are treated as missing" : "NaN if an input that the model uses is NaN");
    text += fmt::format(
        " * It keeps no state, so that threads can share it. Link with -lm.\n"
        " * Made by shrimp {} from a model of method {}. */\n",
        version, name_in_comment(model_.method));
    return text;
  }

  [[nodiscard]] std::string about_source(std::size_t j) const {
    const PlanSource& source = plan_.sources[j];
    if (source.is_category()) {
      return fmt::format(", a category: {}_code({}, {}) for one of its {} levels", name_, j,
                         name_in_comment(source.codes.begin()->first), source.levels);
    }
    std::string text = source.kind == ColumnKind::date ? ", a date: days since 1970-01-01" : "";
    const auto is_it = [&](const PlanInput& input) {
      return input.source == j && input.part == InputColumn::Part::value;
    };
    const auto own = std::ranges::find_if(plan_.inputs, is_it);
    if (own == plan_.inputs.end() || !own->limited) return text;
    const InputRange range = clipping_range(model_);
    return text + fmt::format(", clipped to {} … {}", range.lowest[own->index], range.highest[own->index]);
  }

  // Names of levels in their order by bytes, to be looked for by halves.
  void add_codes() {
    add(find_function);
    std::string cases;
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      const PlanSource& source = plan_.sources[j];
      if (!source.is_category()) continue;
      std::vector<std::string> names;
      std::vector<std::string> codes;
      for (const auto& [level, code] : source.codes) {
        names.push_back(c_text(level));
        codes.push_back(fmt::format("{}", code));
      }
      add(fmt::format("\nstatic const char *const @_names_{}[{}] = {{", j, names.size()));
      text_ += item_lines(names) + "};\n";
      add(fmt::format("\nstatic const unsigned @_codes_{}[{}] = {{", j, codes.size()));
      text_ += item_lines(codes) + "};\n";
      cases +=
          fmt::format("  if (input == {0}) return @_cell(text, @_names_{0}, @_codes_{0}, {1});\n", j, names.size());
    }
    add("\n/* What x[input] is for a text: NaN for NULL, \"\", NA, NaN, null and \"?\", in any case, which are "
        "missing, "
        "and -1 for\n"
        " * levels that the model has not seen, which take the mean effect. Blanks around a text do not count. */\n"
        "double @_code(size_t input, const char *text);\n\ndouble @_code(size_t input, const char *text) {\n"
        "  if (text == NULL) return NAN;\n" +
        cases + "  return -1.0;\n}\n");
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
    if (!group.shifts.empty()) add_matrix<double>("double", fmt::format("shifts_{}", g), group.shifts, group.size);
    if (!group.shrinks.empty()) add_matrix<double>("double", fmt::format("shrinks_{}", g), group.shrinks, group.size);
    for (std::size_t f = 0; f < group.means.size(); ++f) {
      add_numbers(fmt::format("mean_{}_{}", about(group.functions[f]).name, g), group.means[f]);
    }
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
    if (!plan_.filled.empty()) text_ += fmt::format("  double full[{}];\n", plan_.inputs.size());
    if (plan_.takes_missing && !plan_.inputs.empty()) text_ += "  double value;\n";
    text_ += fmt::format("  double sum = {};\n", exact_number(plan_.constant));
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) add_input(place);
    if (plan_.inputs.empty()) text_ += "  (void)x;\n";
    if (!plan_.filled.empty()) {
      add(fmt::format("  for (size_t j = 0; j < {}; ++j) full[j] = isnan(z[j]) ? @_filled[j] : z[j];\n",
                      plan_.inputs.size()));
    }
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      add(plan_.groups[g].is_kernel() ? kernel_loop(g) : function_loop(g));
    }
    add_target();
    text_ += "}\n";
  }

  // Of the table's column, before limits and forms.
  [[nodiscard]] std::string taken(const PlanInput& input) const {
    const std::string x = fmt::format("x[{}]", input.source);
    const PlanSource& source = plan_.sources[input.source];
    if (input.part == InputColumn::Part::missing) return fmt::format("isnan({}) ? 1.0 : 0.0", x);
    if (input.part == InputColumn::Part::day_of_week) return fmt::format("@_day_of_week({})", x);
    if (input.part == InputColumn::Part::day_of_year) return fmt::format("@_day_of_year({})", x);
    if (!source.is_category()) return x;
    const std::string missing = source.missing_code ? exact_number(*source.missing_code) : "NAN";
    return fmt::format("@_level({}, {}, {})", x, missing, exact_number(source.levels));
  }

  void add_input(std::size_t place) {
    const PlanInput& input = plan_.inputs[place];
    std::string x = fmt::format("x[{}]", input.source);
    if (plan_.takes_missing) {
      add(fmt::format("  value = {};\n", taken(input)));
      x = "value";
    } else {
      text_ += fmt::format("  if (isnan({0})) return {0};\n", x);
    }
    if (input.limited) x = between(x, input.lowest, input.highest);
    if (input.warp.kind == Warp::Kind::log) {
      x = fmt::format("log(fmax({}{}, DBL_MIN))", input.warp.negative ? "-" : "", x);
    }
    if (input.warp.kind == Warp::Kind::rank) {
      if (input.knot_unit != 1.0) x = fmt::format("{} * {}", exact_number(input.knot_unit), x);
      x = fmt::format("@_rank({0}, @_knots_{1}, @_ranks_{1}, {2})", x, input.index, input.warp.values.size());
    }
    add(fmt::format("  z[{}] = {}({} - {}) / {};\n", place, plan_.takes_missing ? "isnan(value) ? NAN : " : "", x,
                    signed_number(input.mean), exact_number(input.scale)));
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
    if (!group.shifts.empty()) {
      code += shrinking_argument(g);
    } else {
      code += fmt::format("    for (size_t l = 0; l < {0}; ++l) t += @_weights_{1}[k][l] * z[@_inputs_{1}[k][l]];\n",
                          group.size, g);
    }
    for (const Function function : group.functions) {
      std::string value = fmt::format(fmt::runtime(in_languages(function).c), "t");
      if (!group.shifts.empty()) value = "shrink * " + value;
      if (!group.means.empty())
        value = fmt::format("(isnan(t) ? @_mean_{}_{}[k] : {})", about(function).name, g, value);
      code += fmt::format("    sum += @_{}_{}[k] * {};\n", about(function).name, g, value);
    }
    return code + "  }\n";
  }

  [[nodiscard]] std::string shrinking_argument(std::size_t g) const {
    return fmt::format(
        "    double shrink = 1.0;\n"
        "    for (size_t l = 0; l < {0}; ++l) {{\n"
        "      const double own = z[@_inputs_{1}[k][l]];\n"
        "      t += isnan(own) ? @_shifts_{1}[k][l] : @_weights_{1}[k][l] * own;\n"
        "      if (isnan(own)) shrink *= @_shrinks_{1}[k][l];\n"
        "    }}\n",
        plan_.groups[g].size, g);
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
        "      const size_t j = @_inputs_{0}[k][l];\n      const double gap = {1}[j] - @_weights_{0}[k][l];\n", g,
        plan_.filled.empty() ? "z" : "full");
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
