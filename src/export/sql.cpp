// SQL: one expression of a table's columns. It takes cos, sin, tanh, exp, ln, abs and power, which SQLite has where it
// was built with its mathematical functions, as Debian's and Python's are.
//
// An expression cannot name a value to use it again, but a query within it can: inputs, as they enter, are the columns
// of a table of one row, (SELECT <sum> FROM (SELECT <input> AS "shrimp_0", …)), and where cells are more than numbers,
// these are made of the cells in a query further within. Sums are written as trees, since databases bound how deep
// expressions go.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/formats.hpp"
#include "export/functions.hpp"
#include "export/plan.hpp"
#include "export/sql_columns.hpp"
#include "export/words.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_characters = 1'000'000;

// So many at a time: databases bound both how deep sums of many go and how many brackets stand within each other.
constexpr std::size_t most_summands = 64;

std::string sum_of(std::span<const std::string> parts) {
  if (parts.size() <= most_summands) return parts.size() == 1 ? parts[0] : fmt::format("({})", fmt::join(parts, " + "));
  std::vector<std::string> sums;
  for (std::size_t k = 0; k < parts.size(); k += most_summands) {
    sums.push_back(sum_of(parts.subspan(k, std::min(most_summands, parts.size() - k))));
  }
  return sum_of(sums);
}

std::string product_of(std::span<const std::string> parts) { return fmt::format("{}", fmt::join(parts, " * ")); }

std::string between(const std::string& value, double lowest, double highest) {
  return fmt::format("CASE WHEN {0} < {1} THEN {1} WHEN {0} > {2} THEN {2} ELSE {0} END", value, sql_number(lowest),
                     sql_number(highest));
}

// Linear between knots first … last; the eighth in which x lies is found first.
std::string rank_between(const std::string& x, const Warp& warp, std::size_t first, std::size_t last) {
  if (last - first == 1) {
    return fmt::format("{} + ({} - {}) / {} * {}", sql_number(warp.ranks[first]), x, sql_number(warp.values[first]),
                       sql_number(warp.values[last] - warp.values[first]),
                       sql_number(warp.ranks[last] - warp.ranks[first]));
  }
  const std::size_t step = (last - first + 7) / 8;
  std::string cases;
  std::size_t from = first;
  for (; from + step < last; from += step) {
    cases += fmt::format(" WHEN {} < {} THEN {}", x, sql_number(warp.values[from + step]),
                         rank_between(x, warp, from, from + step));
  }
  const std::string rest = rank_between(x, warp, from, last);
  return cases.empty() ? rest : fmt::format("CASE{} ELSE {} END", cases, rest);
}

std::string rank(const std::string& x, const Warp& warp) {
  return fmt::format("CASE WHEN {0} <= {1} THEN {2} WHEN {0} >= {3} THEN {4} ELSE {5} END", x,
                     sql_number(warp.values.front()), sql_number(warp.ranks.front()), sql_number(warp.values.back()),
                     sql_number(warp.ranks.back()), rank_between(x, warp, 0, warp.values.size() - 1));
}

class SqlWriter {
 public:
  SqlWriter(const Model& model, const std::string& table) : model_(model), plan_(make_plan(model)) {
    for (const PlanSource& source : plan_.sources) {
      columns_.push_back(source.used ? (table.empty() ? "" : sql_name(table) + ".") + sql_name(source.name) : "");
    }
    for (std::size_t place = 0; place < plan_.inputs.size(); ++place) {
      names_.push_back(free_name(fmt::format("shrimp_{}", place)));
    }
  }

  std::string write() const {
    check_length();
    const std::string text =
        plan_.inputs.empty() ? target(sql_number(plan_.constant)) : finite_alone(target(column_sum()));
    if (text.size() > most_characters) refuse(static_cast<double>(text.size()));
    return text + "\n";
  }

 private:
  [[nodiscard]] static std::string entered(const PlanInput& input, const std::string& column) {
    std::string x = input.limited ? between(column, input.lowest, input.highest) : column;
    if (input.warp.kind == Warp::Kind::log) {
      const std::string size = input.warp.negative ? fmt::format("(-({}))", x) : fmt::format("({})", x);
      const std::string least = sql_number(smallest_for_log());
      x = fmt::format("ln(CASE WHEN {0} > {1} THEN {0} ELSE {1} END)", size, least);
    }
    if (input.warp.kind == Warp::Kind::rank) {
      // Limits do nothing that the ranks beyond the outermost knots would not do.
      x = rank(input.knot_unit == 1.0 ? column : fmt::format("({} * {})", sql_number(input.knot_unit), column),
               input.warp);
    }
    return fmt::format("((({}) - {}) / {})", x, sql_number(input.mean), sql_number(input.scale));
  }

  [[nodiscard]] static std::string as_double(const std::string& column) {
    return fmt::format("CAST({} AS DOUBLE PRECISION)", column);
  }

  // A name that no input has, whatever the case of its letters: a database might take one for the other.
  [[nodiscard]] std::string free_name(std::string name) const {
    const auto same = [&](const std::string& other) {
      return std::ranges::equal(name, other, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    };
    while (std::ranges::any_of(plan_.sources, same, &PlanSource::name)) name += '_';
    return sql_name(name);
  }

  // Without the quote at its end, for names that begin with it.
  [[nodiscard]] std::string free_prefix(const std::string& name) const {
    std::string prefix = "shrimp_" + name;
    const auto begins = [&](const PlanSource& source) {
      return source.name.size() >= prefix.size() &&
             std::ranges::equal(prefix, source.name.substr(0, prefix.size()),
                                [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    };
    while (std::ranges::any_of(plan_.sources, begins)) prefix += '_';
    return "\"" + prefix;
  }

  [[nodiscard]] std::string with_inputs(const std::string& expression) const {
    std::vector<std::string> inputs;
    for (std::size_t place = 0; place < names_.size(); ++place) {
      const PlanInput& input = plan_.inputs[place];
      const std::string value =
          plan_.takes_missing ? entered_cell(input) : entered(input, as_double(columns_[input.source]));
      inputs.push_back(fmt::format("{} AS {}", value, names_[place]));
    }
    return fmt::format("(SELECT {} FROM (SELECT {}{}) AS {})", expression, fmt::join(inputs, ", "),
                       plan_.takes_missing ? " FROM " + cells() : "", free_name("shrimp_inputs"));
  }

  // The columns that are looked at as numbers, by names of their own.
  [[nodiscard]] std::string cells() const {
    std::vector<std::string> list;
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      if (!plan_.sources[j].used) continue;
      list.push_back(
          fmt::format("{} AS {}", sql_number_of(plan_.sources[j], columns_[j], free_prefix("date_")), cell(j)));
    }
    return fmt::format("(SELECT {}) AS {}", fmt::join(list, ", "), free_name("shrimp_cells"));
  }

  [[nodiscard]] std::string cell(std::size_t source) const { return free_name(fmt::format("shrimp_cell_{}", source)); }

  // Of its cell; NULL where that is, unless it is what the input tells.
  [[nodiscard]] std::string entered_cell(const PlanInput& input) const {
    const std::string own = cell(input.source);
    if (input.part == InputColumn::Part::missing) {
      return entered(input, fmt::format("(CASE WHEN {} IS NULL THEN 1e0 ELSE 0e0 END)", own));
    }
    std::string value = own;
    if (input.part == InputColumn::Part::day_of_week) value = sql_day_of_week(own);
    if (input.part == InputColumn::Part::day_of_year) value = sql_day_of_year(own, free_prefix("year_"));
    return fmt::format("CASE WHEN {} IS NOT NULL THEN {} END", own, entered(input, value));
  }

  [[nodiscard]] std::string column_sum() const {
    std::vector<std::string> parts = {sql_number(plan_.constant)};
    for (const ColumnGroup& group : plan_.groups) {
      for (std::size_t k = 0; k < group.count(); ++k) add_columns(group, k, parts);
    }
    return with_inputs(sum_of(parts));
  }

  // NULL where an input is no finite number, and where it is NULL unless that says that it is missing: comparisons
  // would take it for some number.
  [[nodiscard]] std::string finite_alone(const std::string& y) const {
    std::vector<std::string> tests;
    for (std::size_t j = 0; j < plan_.sources.size(); ++j) {
      if (!plan_.sources[j].used) continue;
      const std::string number = as_double(columns_[j]);
      tests.push_back(plan_.takes_missing ? sql_test_of(plan_.sources[j], columns_[j])
                                          : fmt::format("{0} - {0} = 0", number));
    }
    std::erase(tests, "");
    return tests.empty() ? y : fmt::format("CASE WHEN {} THEN {} END", fmt::join(tests, " AND "), y);
  }

  // From below, before anything long is made.
  void check_length() const {
    constexpr double least_of_factor = 30.0;
    double length = 0.0;
    for (const ColumnGroup& group : plan_.groups) {
      const double ways =
          group.is_kernel() ? static_cast<double>(binomial(group.size, kernel_degree(model_, group))) : 1.0;
      length += least_of_factor * ways * static_cast<double>(group.count());
    }
    if (length > static_cast<double>(most_characters)) refuse(length);
  }

  [[noreturn]] static void refuse(double length) {
    throw OptionError(
        fmt::format("as SQL this model would have at least {:.0f} characters, more than the limit of {} for "
                    "databases.\nExport it to C, Python or ONNX, or fit a model with fewer basis functions.",
                    length, most_characters));
  }

  void add_columns(const ColumnGroup& group, std::size_t k, std::vector<std::string>& parts) const {
    const std::string value = group.is_kernel() ? section(group, k) : argument(group, k);
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      std::string phi =
          group.is_kernel() ? value : fmt::format(fmt::runtime(in_languages(group.functions[f]).sql), value);
      if (!group.means.empty()) {
        phi = fmt::format("(CASE WHEN {} IS NULL THEN {} ELSE {} END)", names_[group.inputs[k]],
                          sql_number(group.means[f][k]), phi);
      }
      parts.push_back(fmt::format("{} * {}{}", sql_number(group.coefficients[f][k]), phi, shrinking(group, k)));
    }
  }

  [[nodiscard]] bool may_lack(std::size_t place) const {
    return plan_.takes_missing && plan_.inputs[place].part != InputColumn::Part::missing;
  }

  [[nodiscard]] std::string shrinking(const ColumnGroup& group, std::size_t k) const {
    std::string factors;
    for (std::size_t l = k * group.size; l < (k + 1) * group.size && !group.shrinks.empty(); ++l) {
      if (!may_lack(group.inputs[l]) || group.shrinks[l] == 1.0) continue;
      factors += fmt::format(" * CASE WHEN {} IS NULL THEN {} ELSE 1e0 END", names_[group.inputs[l]],
                             sql_number(group.shrinks[l]));
    }
    return factors;
  }

  [[nodiscard]] std::string argument(const ColumnGroup& group, std::size_t k) const {
    std::vector<std::string> parts;
    if (!group.phases.empty()) parts.push_back(sql_number(group.phases[k]));
    for (std::size_t l = k * group.size; l < (k + 1) * group.size; ++l) {
      const std::string product = fmt::format("{} * {}", sql_number(group.weights[l]), names_[group.inputs[l]]);
      const bool shifts = may_lack(group.inputs[l]) && !group.shifts.empty();
      parts.push_back(shifts ? fmt::format("coalesce({}, {})", product, sql_number(group.shifts[l])) : product);
    }
    return parts.size() == 1 ? "(" + parts.front() + ")" : sum_of(parts);
  }

  [[nodiscard]] std::string distance(const ColumnGroup& group, std::size_t l) const {
    const std::size_t place = group.inputs[l];
    const std::string input = may_lack(place)
                                  ? fmt::format("coalesce({}, {})", names_[place], sql_number(plan_.filled[place]))
                                  : names_[place];
    const std::string gap = fmt::format("({} - {})", input, sql_number(group.weights[l]));
    const bool normal = model_.dictionary.kernel_law == Law::normal;
    return fmt::format(fmt::runtime(normal ? "{} * power({}, 2e0)" : "{} * abs{}"), sql_number(plan_.gamma[place]),
                       gap);
  }

  // Π κ of some inputs, by their distances.
  [[nodiscard]] std::string falling(std::span<const std::string> distances) const {
    std::vector<std::string> factors = {fmt::format("exp(-({}))", sum_of(distances))};
    if (model_.dictionary.kernel_law == Law::student_t) {
      for (const std::string& own : distances) factors.push_back(fmt::format("(1e0 + {})", own));
    }
    return product_of(factors);
  }

  // E_m = Σ_j κ_j E_{m−1} of the inputs behind j.
  [[nodiscard]] std::string symmetric(std::span<const std::string> kappas, std::size_t degree) const {
    if (degree == 1) return sum_of(kappas);
    if (degree == kappas.size()) return product_of(kappas);
    std::vector<std::string> parts;
    for (std::size_t j = 0; j + degree <= kappas.size(); ++j) {
      parts.push_back(fmt::format("{} * {}", kappas[j], symmetric(kappas.subspan(j + 1), degree - 1)));
    }
    return sum_of(parts);
  }

  [[nodiscard]] std::string section(const ColumnGroup& group, std::size_t k) const {
    std::vector<std::string> distances;
    for (std::size_t l = k * group.size; l < (k + 1) * group.size; ++l) distances.push_back(distance(group, l));
    const std::size_t degree = kernel_degree(model_, group);
    if (degree == group.size) return falling(distances);
    std::vector<std::string> kappas;
    for (const std::string& own : distances) kappas.push_back(falling(std::span(&own, 1)));
    return symmetric(kappas, degree);
  }

  [[nodiscard]] std::string target(const std::string& sum) const {
    const Scaling& scaling = model_.scaling;
    const std::string z =
        fmt::format("{} + {} * {}", sql_number(scaling.target_mean), sql_number(scaling.target_scale), sum);
    const std::string correction = sql_number(scaling.target_correction);
    std::string y = z;
    if (scaling.target_form == TargetForm::log) y = fmt::format("exp({}) * {}", z, correction);
    if (scaling.target_form == TargetForm::logit) y = fmt::format("1e0 / (1e0 + exp(-({})))", z);
    if (scaling.target_form == TargetForm::sqrt) {
      y = named(z, [&](const std::string& root) {
        return fmt::format("power((abs({0}) + {0}) / 2e0, 2e0) + {1}", root, correction);
      });
    }
    if (!scaling.target_lowest) return y;
    return named(y,
                 [&](const std::string& own) { return between(own, *scaling.target_lowest, *scaling.target_highest); });
  }

  // What `use` makes of the name that the value gets.
  template <typename Use>
  [[nodiscard]] std::string named(const std::string& value, const Use& use) const {
    const std::string name = free_name("shrimp_value");
    return fmt::format("(SELECT {} FROM (SELECT {} AS {}) AS {})", use(name), value, name, free_name("shrimp_values"));
  }

  const Model& model_;
  Plan plan_;
  std::vector<std::string> columns_;  // Of the table.
  std::vector<std::string> names_;    // Of the same as they enter the sum.
};

}  // namespace

std::string to_sql(const Model& model, const std::string& table) { return SqlWriter(model, table).write(); }

}  // namespace shrimp
