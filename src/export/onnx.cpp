// The graph works on all rows and all columns of a group at once: input l of every weight vector is gathered into a
// matrix of rows × vectors, and sums over inputs are sums of such matrices.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>

#include "data/json.hpp"
#include "export/formats.hpp"
#include "export/functions.hpp"
#include "export/onnx_graph.hpp"
#include "export/plan.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

using Value = std::string;  // By its name in the graph.

class OnnxWriter {
 public:
  explicit OnnxWriter(const Model& model) : model_(model), plan_(make_plan(model)) {}

  std::string write() {
    const Value y = plan_.inputs.empty() ? target(constant_rows()) : predicted();
    const Value flat = graph_.node("Squeeze", {y, index(1)});
    std::string file = graph_.file(flat, {.inputs = inputs(), .output = "y", .notes = notes()});
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();  // Of what readers of protobuf take.
    if (file.size() <= most) return file;
    throw OptionError(
        "the model exceeds the size limit of ONNX files, 2 GiB.\nFit fewer basis functions, or export to C.");
  }

 private:
  static constexpr const char* numbers = "X";  // Numbers and dates, in a matrix of their own …
  static constexpr const char* texts = "C";    // … as categories are.

  [[nodiscard]] static const char* matrix_of(const PlanSource& source) {
    return source.is_category() ? texts : numbers;
  }

  // A model of constants has to have one, to tell the number of rows.
  [[nodiscard]] std::vector<OnnxGraph::Input> inputs() const {
    const auto categories = static_cast<std::size_t>(std::ranges::count_if(plan_.sources, &PlanSource::is_category));
    std::vector<OnnxGraph::Input> list;
    if (plan_.sources.size() > categories) list.push_back({numbers, plan_.sources.size() - categories});
    if (categories > 0) list.push_back({texts, categories, true});
    return list;
  }

  [[nodiscard]] std::map<std::string, std::string> notes() const {
    Json names = Json::array();
    Json categories = Json::array();
    for (const PlanSource& source : plan_.sources) (source.is_category() ? categories : names).push_back(source.name);
    std::map<std::string, std::string> notes = {{"inputs", names.dump()}, {"target", model_.target}};
    if (!categories.empty()) notes["categories"] = categories.dump();
    if (!model_.classes.empty()) notes["classes"] = Json(model_.classes).dump();
    return notes;
  }

  Value add(const Value& a, const Value& b) { return graph_.node("Add", {a, b}); }
  Value subtract(const Value& a, const Value& b) { return graph_.node("Sub", {a, b}); }
  Value times(const Value& a, const Value& b) { return graph_.node("Mul", {a, b}); }
  Value between(const Value& value, const Value& lowest, const Value& highest) {
    return graph_.node("Max", {graph_.node("Min", {value, highest}), lowest});
  }
  Value index(std::int64_t value) { return graph_.indices(std::span(&value, 1)); }
  Value gather(const Value& columns, std::span<const std::int64_t> which) {
    return graph_.node("Gather", {columns, graph_.indices(which)}, {{"axis", 1}});
  }

  // One number of every input.
  template <typename Get>
  Value row_of(const Get& get) {
    std::vector<double> values;
    std::ranges::transform(plan_.inputs, std::back_inserter(values), get);
    return graph_.row(values);
  }

  // A model without inputs: the sum of its columns for every row.
  Value constant_rows() {
    const Value rows = graph_.node("Gather", {graph_.node("Shape", {inputs().front().name}), index(0)});
    const Value shape = graph_.node("Concat", {rows, index(1)}, {{"axis", 0}});
    return graph_.node("Expand", {graph_.number(plan_.constant), shape});
  }

  Value predicted() {
    const Value raw = plan_.takes_missing ? made_of_cells() : gather(numbers, raw_indices());
    const Value lacks = graph_.node("IsNaN", {raw});
    const Value nothing = graph_.number(std::numeric_limits<double>::quiet_NaN());
    Value Z = scaled(raw);
    if (plan_.takes_missing) Z = graph_.node("Where", {lacks, nothing, Z});
    const Value full = plan_.filled.empty() ? Z : graph_.node("Where", {lacks, graph_.row(plan_.filled), Z});
    Value sum = graph_.number(plan_.constant);
    for (const ColumnGroup& group : plan_.groups)
      sum = add(sum, group.is_kernel() ? sections(group, full) : functions(group, Z));
    if (plan_.takes_missing) return target(sum);
    // Limits and comparisons would lose a NaN.
    const Value missing = graph_.node("Cast", {lacks}, {{"to", OnnxGraph::int64_type}});
    const Value count = graph_.node("ReduceSum", {missing, index(1)});
    const Value any = graph_.node("Greater", {count, index(0)});
    return graph_.node("Where", {any, nothing, target(sum)});
  }

  std::vector<std::int64_t> raw_indices() const {
    std::vector<std::int64_t> indices;
    for (const PlanInput& input : plan_.inputs) indices.push_back(static_cast<std::int64_t>(input.source));
    return indices;
  }

  // A column for each input, of the table's: codes of levels, parts of dates, whether a cell is missing.
  Value made_of_cells() {
    std::vector<Value> columns;
    for (const PlanInput& input : plan_.inputs) {
      const PlanSource& source = plan_.sources[input.source];
      const auto before = std::span(plan_.sources).first(input.source);
      const auto place = std::ranges::count(before, source.is_category(), &PlanSource::is_category);
      const Value cells = gather(matrix_of(source), std::array{static_cast<std::int64_t>(place)});
      columns.push_back(source.is_category() ? codes(cells, source) : part_of(cells, input.part));
    }
    return graph_.node("Concat", columns, {{"axis", 1}});
  }

  // In every case of their letters.
  static std::vector<std::string> missing_texts() {
    std::vector<std::string> texts = {"", "?"};
    for (const std::string_view word : {"na", "nan", "null"}) {
      for (unsigned upper = 0; upper < 1U << word.size(); ++upper) {
        std::string text(word);
        for (std::size_t k = 0; k < word.size(); ++k) {
          if ((upper >> k & 1U) != 0) text[k] = static_cast<char>(text[k] - 'a' + 'A');
        }
        texts.push_back(text);
      }
    }
    return texts;
  }

  // Text has no NaN: what stands for a missing cell in a table does here, too. No operator removes blanks around a
  // text.
  Value codes(const Value& cells, const PlanSource& source) {
    std::map<std::string, std::int64_t> known(source.codes.begin(), source.codes.end());
    for (const std::string& word : missing_texts()) {
      if (source.missing_code) known.try_emplace(word, *source.missing_code);
    }
    const Value code = graph_.codes(cells, known);
    const Value unknown = graph_.node("Less", {code, graph_.number(0.0)});
    return graph_.node("Where", {unknown, graph_.number(std::numeric_limits<double>::quiet_NaN()), code});
  }

  Value part_of(const Value& cells, InputColumn::Part part) {
    if (part == InputColumn::Part::missing) {
      return graph_.node("Cast", {graph_.node("IsNaN", {cells})}, {{"to", OnnxGraph::float64_type}});
    }
    if (part == InputColumn::Part::day_of_week) {
      const Value shifted = add(floor(cells), graph_.number(3.0));  // Monday is 0, and 1970-01-01 was a Thursday.
      return subtract(shifted, times(graph_.number(7.0), whole(shifted, 7.0)));
    }
    return part == InputColumn::Part::day_of_year ? day_of_year(cells) : cells;
  }

  Value floor(const Value& value) { return graph_.node("Floor", {value}); }
  Value whole(const Value& value, double unit) { return floor(graph_.node("Div", {value, graph_.number(unit)})); }

  // As in C, where the reasons stand.
  Value day_of_year(const Value& days) {
    const Value since = add(floor(days), graph_.number(719468.0));
    const Value day = subtract(since, times(graph_.number(146097.0), whole(since, 146097.0)));
    const Value without_leaps =
        subtract(add(subtract(day, whole(day, 1460.0)), whole(day, 36524.0)), whole(day, 146096.0));
    const Value year = whole(without_leaps, 365.0);
    const Value year_before = subtract(year, graph_.number(1.0));
    const auto begun = [&](double every) { return subtract(whole(year, every), whole(year_before, every)); };
    const Value before = subtract(add(times(graph_.number(365.0), year), whole(year, 4.0)), whole(year, 100.0));
    const Value march = subtract(day, before);
    const Value leap = add(subtract(begun(4.0), begun(100.0)), begun(400.0));
    const Value is_next = graph_.node("GreaterOrEqual", {march, graph_.number(306.0)});
    return graph_.node("Where",
                       {is_next, subtract(march, graph_.number(305.0)), add(add(march, graph_.number(60.0)), leap)});
  }

  Value held(const Value& raw) {
    if (!plan_.inputs.front().limited) return raw;  // All have limits, or none.
    const Value highest = row_of([](const PlanInput& input) { return input.highest; });
    const Value lowest = row_of([](const PlanInput& input) { return input.lowest; });
    return between(raw, lowest, highest);
  }

  Value scaled(const Value& raw) {
    const Value entered = warped(held(raw));
    const Value mean = row_of([](const PlanInput& input) { return input.mean; });
    const Value scale = row_of([](const PlanInput& input) { return input.scale; });
    return graph_.node("Div", {subtract(entered, mean), scale});
  }

  Value warped(const Value& X) {
    const std::size_t plain = plan_.unwarped();
    if (plain == plan_.inputs.size()) return X;
    std::vector<Value> parts;
    if (plain > 0) {
      std::vector<std::int64_t> first(plain);
      std::iota(first.begin(), first.end(), 0);
      parts.push_back(gather(X, first));
    }
    for (std::size_t place = plain; place < plan_.inputs.size(); ++place) {
      const Value x = gather(X, std::array{static_cast<std::int64_t>(place)});
      const PlanInput& input = plan_.inputs[place];
      parts.push_back(input.warp.kind == Warp::Kind::log ? logarithm(x, input) : rank(x, input));
    }
    return graph_.node("Concat", parts, {{"axis", 1}});
  }

  Value logarithm(const Value& x, const PlanInput& input) {
    const Value size = input.warp.negative ? graph_.node("Neg", {x}) : x;
    return graph_.node("Log", {graph_.node("Max", {size, graph_.number(smallest_for_log())})});
  }

  // Linear between the knots around x: those before it are counted.
  Value rank(const Value& x, const PlanInput& input) {
    const std::vector<double>& knots = input.warp.values;
    const std::size_t gaps = knots.size() - 1;
    const Value held =
        between(times(x, graph_.number(input.knot_unit)), graph_.number(knots.front()), graph_.number(knots.back()));
    std::vector<double> width;
    std::vector<double> rise;
    for (std::size_t k = 0; k < gaps; ++k) {
      width.push_back(knots[k + 1] - knots[k]);
      rise.push_back(input.warp.ranks[k + 1] - input.warp.ranks[k]);
    }
    const Value above = graph_.node("GreaterOrEqual", {held, graph_.row(std::span(knots).first(gaps))});
    const Value count =
        graph_.node("ReduceSum", {graph_.node("Cast", {above}, {{"to", OnnxGraph::int64_type}}), index(1)});
    const Value gap = subtract(count, index(1));
    const auto at_gap = [&](std::span<const double> values) {
      return graph_.node("Gather", {graph_.row(values), gap});
    };
    const Value share = graph_.node("Div", {subtract(held, at_gap(std::span(knots).first(gaps))), at_gap(width)});
    return add(at_gap(std::span(input.warp.ranks).first(gaps)), times(share, at_gap(rise)));
  }

  // Entry l of every vector: the inputs in a matrix of rows × vectors, and the weights.
  Value inputs_of(const ColumnGroup& group, const Value& Z, std::size_t l) {
    std::vector<std::int64_t> which;
    for (std::size_t k = 0; k < group.count(); ++k) which.push_back(group.inputs[k * group.size + l]);
    return gather(Z, which);
  }

  Value entries_of(const ColumnGroup& group, std::span<const double> table, std::size_t l) {
    std::vector<double> entries;
    for (std::size_t k = 0; k < group.count(); ++k) entries.push_back(table[k * group.size + l]);
    return graph_.row(entries);
  }

  // Not by MatMul: onnxruntime fuses that with the factors around it, which it then keeps in single precision.
  Value weighted(const Value& columns, std::span<const double> coefficients) {
    return graph_.node("ReduceSum", {times(columns, graph_.row(coefficients)), index(1)});
  }

  Value functions(const ColumnGroup& group, const Value& Z) {
    Value t = group.phases.empty() ? graph_.number(0.0) : graph_.row(group.phases);
    Value shrink = graph_.number(1.0);
    for (std::size_t l = 0; l < group.size; ++l) {
      const Value own = inputs_of(group, Z, l);
      Value product = times(own, entries_of(group, group.weights, l));
      if (!group.shifts.empty()) {
        const Value lacks = graph_.node("IsNaN", {own});
        product = graph_.node("Where", {lacks, entries_of(group, group.shifts, l), product});
        const Value factor = graph_.node("Where", {lacks, entries_of(group, group.shrinks, l), graph_.number(1.0)});
        shrink = times(shrink, factor);
      }
      t = add(t, product);
    }
    Value sum = graph_.number(0.0);
    for (std::size_t f = 0; f < group.functions.size(); ++f) {
      Value values = in_languages(group.functions[f]).onnx(graph_, t);
      if (!group.shifts.empty()) values = times(values, shrink);
      if (!group.means.empty()) {
        values = graph_.node("Where", {graph_.node("IsNaN", {t}), graph_.row(group.means[f]), values});
      }
      sum = add(sum, weighted(values, group.coefficients[f]));
    }
    return sum;
  }

  // γ (x − z)², or γ |x − z|, of entry l.
  Value distance(const ColumnGroup& group, const Value& Z, std::size_t l) {
    const Value gap = subtract(inputs_of(group, Z, l), entries_of(group, group.weights, l));
    const bool normal = model_.dictionary.kernel_law == Law::normal;
    std::vector<double> gamma;
    for (std::size_t k = 0; k < group.count(); ++k) gamma.push_back(plan_.gamma[group.inputs[k * group.size + l]]);
    return times(normal ? times(gap, gap) : graph_.node("Abs", {gap}), graph_.row(gamma));
  }

  // exp(−distance), times Π(1 + r) for student_t, of the inputs `distances`.
  Value falling(std::span<const Value> distances) {
    Value total = distances[0];
    for (const Value& own : distances.subspan(1)) total = add(total, own);
    Value product = graph_.node("Exp", {graph_.node("Neg", {total})});
    if (model_.dictionary.kernel_law != Law::student_t) return product;
    for (const Value& own : distances) product = times(product, add(own, graph_.number(1.0)));
    return product;
  }

  Value sections(const ColumnGroup& group, const Value& Z) {
    return weighted(kernel(group, Z), group.coefficients.front());
  }

  Value kernel(const ColumnGroup& group, const Value& Z) {
    std::vector<Value> distances;
    for (std::size_t l = 0; l < group.size; ++l) distances.push_back(distance(group, Z, l));
    const std::size_t degree = kernel_degree(model_, group);
    if (degree == group.size) return falling(distances);
    // E_m ← E_m + κ E_{m−1}, input by input, highest m first (features/kernel_section.hpp); E_m = 0 before input m.
    std::vector<Value> E = {graph_.number(1.0)};
    for (const Value& own : distances) {
      const Value kappa = falling(std::span(&own, 1));
      if (E.size() <= degree) E.push_back(graph_.number(0.0));
      for (std::size_t m = E.size() - 1; m > 0; --m) E[m] = add(E[m], times(kappa, E[m - 1]));
    }
    return E[degree];
  }

  Value target(const Value& sum) {
    const Scaling& scaling = model_.scaling;
    const Value z = add(times(sum, graph_.number(scaling.target_scale)), graph_.number(scaling.target_mean));
    Value y = z;
    const Value correction = graph_.number(scaling.target_correction);
    if (scaling.target_form == TargetForm::log) y = times(graph_.node("Exp", {z}), correction);
    if (scaling.target_form == TargetForm::logit) y = graph_.node("Sigmoid", {z});
    if (scaling.target_form == TargetForm::sqrt) {
      const Value root = graph_.node("Max", {z, graph_.number(0.0)});
      y = add(times(root, root), correction);
    }
    if (!scaling.target_lowest) return y;
    return between(y, graph_.number(*scaling.target_lowest), graph_.number(*scaling.target_highest));
  }

  const Model& model_;
  Plan plan_;
  OnnxGraph graph_;
};

}  // namespace

std::string to_onnx(const Model& model) { return OnnxWriter(model).write(); }

}  // namespace shrimp
