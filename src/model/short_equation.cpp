// A model in a few lines: each of its largest terms by few functions.
//
// Columns of opposite signs cancel, and those on several inputs have their part in several terms, so that a formula
// from which small columns are dropped says little. Here a term, a component of the functional ANOVA
// (model/components.hpp), is fitted anew by least squares at points spread as its inputs are: by a plain form alone if
// that will do, which is a polynomial of one input up to the fifth power, or the product of several, with a line in
// each; where it is long or will not do, by the plain functions and those that the model's columns are of these inputs,
// one more at a time, the one most like what is left (orthogonal matching pursuit), until the digits can show no more.
// Functions are rounded before they are fitted: what is printed is what was fitted. They are functions of inputs as
// these enter, by rank or logarithm where the model has them so. A category has no function but the indicators of its
// levels, [x = level], which multiply functions of the term's other inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "data/marginals.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "features/bases.hpp"
#include "features/kernel_law.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "model/formula.hpp"
#include "model/short_equation.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/explain.hpp"

namespace shrimp {
namespace {

constexpr std::size_t points = 256;
constexpr std::size_t most_inputs = 4;  // Of a term: supports of more are not taken apart.
constexpr std::size_t most_functions = 8;
constexpr unsigned highest_power = 5;
constexpr double most_missed = 0.1;  // Of a term, where a line is still worth reading.
constexpr std::size_t most_candidates = 3000;
constexpr std::size_t most_levels = 12;  // Of a category: those of most points.

struct Rounded {
  double value = 0.0;
  std::string size;  // Its absolute value as text.
};

Rounded round_to_digits(double value, double digits) {
  if (!(digits >= 1.0)) return {0.0, "0"};
  const std::string text = formula_number(std::abs(value), static_cast<int>(std::min(digits, 17.0)));
  Rounded rounded;
  std::from_chars(text.data(), text.data() + text.size(), rounded.value);
  rounded.size = fmt::format("{}", rounded.value);  // 3500, not 3.5e+03.
  if (value < 0.0) rounded.value = -rounded.value;
  return rounded;
}

// To the decimal place that about tells numbers apart that differ by `resolution`.
Rounded round_to(double value, double resolution) {
  return round_to_digits(value, std::floor(std::log10(std::abs(value))) - std::round(std::log10(resolution)) + 1.0);
}

// " - 2" or " + 2" or nothing.
std::string signed_term(const Rounded& number) {
  return number.value == 0.0 ? "" : fmt::format(" {} {}", number.value < 0.0 ? '-' : '+', number.size);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void centre(std::span<double> values) {
  const double mean = mean_of(values);
  for (double& value : values) value -= mean;
}

double root_mean_square(std::span<const double> values) {
  return std::sqrt(squared_norm(values) / static_cast<double>(values.size()));
}

// Rows that are spread as each input is, in the inputs' own units.
Matrix spread_points(const Model& model) {
  Matrix X(points, model.inputs.size());
  for (std::size_t j = 0; j < X.cols(); ++j) {
    if (j >= model.marginals.size() || model.marginals[j].values.empty()) continue;
    const std::vector<std::size_t> order = permutation(points, j);
    for (std::size_t i = 0; i < points; ++i) {
      X(i, j) = quantile(model.marginals[j], (static_cast<double>(order[i]) + 0.5) / points);
    }
  }
  return X;
}

Matrix entered(const Matrix& rows, const Scaling& scaling) {
  Matrix X(rows);
  for (std::size_t j = 0; j < X.cols(); ++j) enter(X.col(j), scaling, j);
  return X;
}

/// A function of some inputs, by its text and its values at the points.
struct PlainFunction {
  std::string text;
  std::vector<double> values;
};

/// Writes the functions that columns are of some of their inputs, the others at rest.
class Functions {
 public:
  Functions(const Model& model, const Matrix& X, int digits) : model_(model), X_(X), fine_(std::pow(10.0, 1 - digits)) {
    for (std::size_t j = 0; j < X.cols(); ++j) {
      const double mean = mean_of(X.col(j));
      double spread = 0.0;
      for (const double x : X.col(j)) spread = std::max(spread, std::abs(x - mean));
      means_.push_back(mean);
      spreads_.push_back(spread > 0.0 ? spread : 1.0);
      names_.push_back(formula_input(model, j));
    }
  }

  /// What is tried before the functions of columns: powers of one number; of several, their product, and each; the
  /// indicators of categories, by themselves and with these.
  [[nodiscard]] std::vector<PlainFunction> plain(std::span<const std::uint32_t> inputs) const {
    const std::vector<std::uint32_t> numbers = numbers_of(inputs);
    std::vector<PlainFunction> functions = numbers.empty() ? std::vector<PlainFunction>() : of_numbers(numbers);
    const std::vector<PlainFunction> levels = indicators(inputs);
    std::vector<PlainFunction> all = levels;
    for (PlainFunction& function : functions) {
      for (const PlainFunction& level : levels) all.push_back(times(level, function));
      all.push_back(std::move(function));
    }
    return all;
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers_of(std::span<const std::uint32_t> inputs) const {
    std::vector<std::uint32_t> numbers;
    std::ranges::copy_if(inputs, std::back_inserter(numbers), [&](std::uint32_t j) { return !is_category(j); });
    return numbers;
  }

  /// Of the levels of the categories among the inputs, and of every combination of levels; none without a category.
  [[nodiscard]] std::vector<PlainFunction> indicators(std::span<const std::uint32_t> inputs) const {
    std::vector<PlainFunction> all;
    for (const std::uint32_t j : inputs) {
      if (!is_category(j)) continue;
      const std::vector<PlainFunction> own = levels_of(j);
      const std::size_t before = all.size();
      all.insert(all.end(), own.begin(), own.end());
      for (std::size_t k = 0; k < before; ++k) {
        for (const PlainFunction& level : own) all.push_back(times(all[k], level));
      }
    }
    return all;
  }

  [[nodiscard]] static PlainFunction times(const PlainFunction& a, const PlainFunction& b) {
    PlainFunction product{a.text + "*" + b.text, a.values};
    for (std::size_t i = 0; i < points; ++i) product.values[i] *= b.values[i];
    return product;
  }

  /// How far the argument of a column goes from its middle, over these inputs.
  [[nodiscard]] double angle(std::size_t row, std::span<const std::uint32_t> inputs) const {
    double angle = 0.0;
    for (const std::uint32_t j : inputs) {
      angle += std::abs(weight(row, j)) / model_.scaling.input_scale[j] * spreads_[j];
    }
    return angle;
  }

  /// φ(Σ a_j x_j + b), j among the inputs.
  [[nodiscard]] PlainFunction of_column(std::size_t row, const FunctionRow& phi,
                                        std::span<const std::uint32_t> inputs) const {
    return phi.form == Form::kernel ? section(row, inputs) : ridge(row, phi, inputs);
  }

 private:
  [[nodiscard]] bool is_category(std::uint32_t input) const {
    return !model_.columns.empty() && model_.columns[input].is_category();
  }

  [[nodiscard]] std::vector<PlainFunction> of_numbers(std::span<const std::uint32_t> inputs) const {
    std::vector<PlainFunction> functions = {product(inputs)};
    if (inputs.size() > 1) {
      for (std::size_t l = 0; l < inputs.size(); ++l) functions.push_back(product(inputs.subspan(l, 1)));
      return functions;
    }
    const Rounded shift = round_to(-means_[inputs[0]], fine_ * spreads_[inputs[0]]);
    for (unsigned power = 2; power <= highest_power; ++power) {
      PlainFunction& function = functions.emplace_back(fmt::format("{}^{}", shifted(inputs[0], shift), power));
      for (const double x : X_.col(inputs[0])) function.values.push_back(std::pow(x + shift.value, power));
    }
    return functions;
  }

  // [x = level] of the levels of most points, by their codes.
  [[nodiscard]] std::vector<PlainFunction> levels_of(std::uint32_t input) const {
    const std::vector<std::string>& levels = model_.columns[input].levels;
    std::vector<std::size_t> order(levels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto count = [&](std::size_t code) { return std::ranges::count(X_.col(input), static_cast<double>(code)); };
    std::ranges::stable_sort(order, std::greater(), count);
    order.resize(std::min(order.size(), most_levels));
    std::ranges::sort(order);
    std::vector<PlainFunction> functions;
    for (const std::size_t code : order) {
      PlainFunction& own = functions.emplace_back(level_indicator(model_, input, code));
      for (const double x : X_.col(input)) own.values.push_back(x == static_cast<double>(code) ? 1.0 : 0.0);
    }
    return functions;
  }

  // "x" or "(x - 2)"
  [[nodiscard]] std::string shifted(std::uint32_t input, const Rounded& shift) const {
    return shift.value == 0.0 ? names_[input] : fmt::format("({}{})", names_[input], signed_term(shift));
  }

  // Π (x_j − mean); x_j itself for one input.
  [[nodiscard]] PlainFunction product(std::span<const std::uint32_t> inputs) const {
    PlainFunction product{"", std::vector<double>(points, 1.0)};
    std::vector<std::string> factors;
    for (const std::uint32_t j : inputs) {
      // Nothing makes up for a shift that is off: it gets a digit more.
      const Rounded shift = inputs.size() == 1 ? Rounded{} : round_to(-means_[j], 0.1 * fine_ * spreads_[j]);
      factors.push_back(shifted(j, shift));
      for (std::size_t i = 0; i < points; ++i) product.values[i] *= X_(i, j) + shift.value;
    }
    product.text = fmt::format("{}", fmt::join(factors, "*"));
    return product;
  }

  [[nodiscard]] double weight(std::size_t row, std::uint32_t input) const {
    const auto support = model_.dictionary.weights.support(row);
    return model_.dictionary.weights.weights(row)[std::ranges::find(support, input) - support.begin()];
  }

  [[nodiscard]] PlainFunction ridge(std::size_t row, const FunctionRow& phi,
                                    std::span<const std::uint32_t> inputs) const {
    const std::vector<double>& phases = model_.dictionary.weights.phases;
    // A wave and its mirror image are as good: cosine and sine are both tried.
    const double side = phi.form == Form::wave && weight(row, inputs[0]) < 0.0 ? -1.0 : 1.0;
    double at_rest = phases.empty() ? 0.0 : side * phases[row];
    PlainFunction function{"", std::vector<double>(points, 0.0)};
    std::string argument;
    for (const std::uint32_t j : inputs) {
      const Rounded slope = round_to(side * weight(row, j) / model_.scaling.input_scale[j], fine_ / spreads_[j]);
      at_rest -= slope.value * model_.scaling.input_mean[j];
      add_scaled(function.values, slope.value, X_.col(j));
      const std::string sign = argument.empty() ? (slope.value < 0.0 ? "-" : "") : slope.value < 0.0 ? " - " : " + ";
      if (slope.value != 0.0) argument += fmt::format("{}{}*{}", sign, slope.size, names_[j]);
    }
    const Rounded offset = round_to(at_rest, fine_);
    for (double& t : function.values) t += offset.value;
    phi.apply(function.values);
    function.text = fmt::format(fmt::runtime(phi.formula), argument + signed_term(offset));
    return function;
  }

  [[nodiscard]] PlainFunction section(std::size_t row, std::span<const std::uint32_t> inputs) const {
    const Law law = model_.dictionary.kernel_law;
    PlainFunction function{"", std::vector<double>(points, 1.0)};
    std::string leads;
    for (const std::uint32_t j : inputs) {
      const double scale = model_.scaling.input_scale[j];
      const double gamma = model_.dictionary.gamma[j] / (law == Law::normal ? scale * scale : scale);
      const Rounded rate = round_to(gamma, gamma * fine_);
      const Rounded shift = round_to(-(model_.scaling.input_mean[j] + scale * weight(row, j)), fine_ * spreads_[j]);
      for (std::size_t i = 0; i < points; ++i) {
        function.values[i] *= kernel_factor(law, rate.value, X_(i, j) + shift.value);
      }
      const std::string distance = law == Law::normal
                                       ? fmt::format("{}*{}^2", rate.size, shifted(j, shift))
                                       : fmt::format("{}*abs({}{})", rate.size, names_[j], signed_term(shift));
      if (law == Law::student_t) leads += fmt::format("(1 + {})*", distance);
      function.text += (function.text.empty() ? "-" : " - ") + distance;
    }
    function.text = leads + "exp(" + function.text + ")";
    return function;
  }

  const Model& model_;
  const Matrix& X_;
  double fine_;  // Radians, and shares of an input's spread, that digits can tell apart.
  std::vector<double> means_;
  std::vector<double> spreads_;
  std::vector<std::string> names_;
};

/// One column as a function of some of a term's inputs that are numbers.
struct Candidate {
  std::size_t row = 0;
  const FunctionRow* phi = nullptr;
  std::vector<std::uint32_t> inputs;
};

// A wave of fewer inputs has another phase: it takes a cosine and a sine.
std::vector<const FunctionRow*> functions_like(const FunctionRow& phi) {
  if (phi.form == Form::line) return {};  // The product of one input.
  if (phi.form != Form::wave) return {&phi};
  std::vector<const FunctionRow*> waves;
  for (const FunctionRow& row : all_functions()) {
    if (row.form == Form::wave) waves.push_back(&row);
  }
  return waves;
}

bool looks_at_all(std::span<const std::uint32_t> support, const std::vector<std::uint32_t>& variables) {
  return std::ranges::includes(support, variables);
}

std::vector<Candidate> candidates_for(const std::vector<std::uint32_t>& variables,
                                      std::span<const std::uint32_t> numbers, std::size_t most,
                                      const Dictionary& dictionary) {
  std::vector<Candidate> candidates;
  std::vector<bool> seen(dictionary.weights.size(), false);
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const FunctionRow& phi = about(dictionary.functions[k]);
    const bool again = seen[dictionary.rows[k]] && phi.form == Form::wave;
    if (again || !looks_at_all(dictionary.support(k), variables)) continue;
    seen[dictionary.rows[k]] = true;
    for (unsigned mask = 1; mask < 1U << numbers.size(); ++mask) {
      std::vector<std::uint32_t> inputs;
      for (std::size_t l = 0; l < numbers.size(); ++l) {
        if ((mask >> l & 1U) != 0) inputs.push_back(numbers[l]);
      }
      for (const FunctionRow* own : functions_like(phi)) candidates.push_back({dictionary.rows[k], own, inputs});
    }
  }
  if (candidates.size() <= most) return candidates;
  std::vector<Candidate> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(candidates[k * candidates.size() / most]);
  return some;
}

/// A sum of functions that stands for a term.
struct ShortSum {
  std::vector<PlainFunction> functions;
  std::vector<Rounded> coefficients;
  double constant = 0.0;
  double error = 1.0;  ///< Root mean square of what is left of the term, as a share of its own.
};

// Of a term: what the digits can show.
double allowed_error(int digits) { return std::pow(10.0, 1 - digits); }

// The functions with the coefficients that come nearest to the values, rounded.
ShortSum fit_functions(std::vector<PlainFunction> functions, std::span<const double> values, int digits) {
  ShortSum sum{std::move(functions), {}, mean_of(values), 1.0};
  std::vector<double> rest(values.begin(), values.end());
  centre(rest);
  const double size = root_mean_square(rest);
  Matrix A(points, sum.functions.size());
  std::vector<double> reach;  // How much each function varies.
  for (std::size_t k = 0; k < A.cols(); ++k) {
    std::ranges::copy(sum.functions[k].values, A.col(k).begin());
    centre(A.col(k));
    reach.push_back(root_mean_square(A.col(k)));
    if (!(reach.back() > 0.0)) return sum;
    for (double& value : A.col(k)) value /= reach.back();
  }
  const HouseholderQr qr{Matrix(A)};
  std::vector<double> c = rest;
  qr.apply_transposed(c);
  c.resize(A.cols());
  const Matrix R = qr.R();
  constexpr double singular = 1e-5;
  if (triangle_rcond(R) < singular) return sum;
  solve_triangle(R, c, false);
  for (std::size_t k = 0; k < c.size(); ++k) {
    // What is large beside the sum, because others cancel it, needs more digits, and what is small fewer.
    const double more = std::ceil(std::log10(std::abs(c[k]) / size) - 0.1);
    sum.coefficients.push_back(round_to_digits(c[k] / reach[k], digits + more));
    add_scaled(rest, -sum.coefficients.back().value * reach[k], A.col(k));
    sum.constant -= sum.coefficients.back().value * mean_of(sum.functions[k].values);
  }
  sum.error = root_mean_square(rest) / size;
  return sum;
}

std::vector<double> rest_of(const ShortSum& sum, std::span<const double> values) {
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t k = 0; k < sum.coefficients.size(); ++k) {
    add_scaled(rest, -sum.coefficients[k].value, sum.functions[k].values);
  }
  centre(rest);
  return rest;
}

// The function most like the rest. Plain ones come first, and a little less of likeness will do for them.
std::size_t most_like(std::span<const PlainFunction> functions, std::size_t plain, std::span<const double> rest) {
  constexpr double little = 1.01;
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    std::vector<double> values = functions[k].values;
    centre(values);
    const double norm = std::sqrt(squared_norm(values));
    const double likeness = std::abs(std::inner_product(rest.begin(), rest.end(), values.begin(), 0.0)) / norm;
    if (norm > 0.0 && likeness > (best < plain && k >= plain ? little * most : most)) {
      most = likeness;
      best = k;
    }
  }
  return best;
}

// The first so many plain functions, as few as will do.
ShortSum plain_sum(std::span<const PlainFunction> plain, std::span<const double> values, int digits) {
  ShortSum sum;
  for (std::size_t k = 1; k <= plain.size() && sum.error > allowed_error(digits); ++k) {
    sum = fit_functions({plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(k)}, values, digits);
  }
  return sum;
}

// Functions chosen one by one, of which the first are plain; the best of at most so many.
ShortSum chosen_sum(std::vector<PlainFunction> functions, std::size_t plain, std::size_t most,
                    std::span<const double> values, int digits) {
  ShortSum best;
  ShortSum sum;
  while (sum.functions.size() < most && best.error > allowed_error(digits) && !functions.empty()) {
    const std::size_t next = most_like(functions, plain, rest_of(sum, values));
    std::vector<PlainFunction> chosen = sum.functions;
    chosen.push_back(std::move(functions[next]));
    functions.erase(functions.begin() + static_cast<std::ptrdiff_t>(next));
    if (next < plain) --plain;
    ShortSum longer = fit_functions(std::move(chosen), values, digits);
    if (longer.coefficients.empty()) continue;  // It is a sum of the others.
    sum = std::move(longer);
    if (sum.error < best.error) best = sum;
  }
  return best;
}

ShortSum shorten(const Term& term, const Dictionary& dictionary, const Functions& write, std::span<const double> values,
                 int digits) {
  std::vector<PlainFunction> functions = write.plain(term.variables);
  const std::size_t plain = functions.size();
  ShortSum powers = plain_sum(std::span(functions).first(std::min(plain, most_levels)), values, digits);
  const bool enough = powers.error <= allowed_error(digits);
  constexpr std::size_t few = 3;
  if (enough && powers.functions.size() <= few) return powers;
  // A wave this slow is a sum of the plain functions.
  const std::vector<std::uint32_t> numbers = write.numbers_of(term.variables);
  const std::vector<PlainFunction> levels = write.indicators(term.variables);
  const std::size_t most_of_columns = most_candidates / (1 + levels.size());
  const double slow = numbers.size() == 1 ? 0.5 : 1.0;
  for (const Candidate& candidate : candidates_for(term.variables, numbers, most_of_columns, dictionary)) {
    if (candidate.phi->form == Form::wave && write.angle(candidate.row, candidate.inputs) < slow) continue;
    PlainFunction own = write.of_column(candidate.row, *candidate.phi, candidate.inputs);
    for (const PlainFunction& level : levels) functions.push_back(Functions::times(level, own));
    functions.push_back(std::move(own));
  }
  const std::size_t most = enough ? powers.functions.size() - 1 : most_functions;
  ShortSum chosen = chosen_sum(std::move(functions), plain, most, values, digits);
  return chosen.error <= allowed_error(digits) || chosen.error < powers.error ? chosen : powers;
}

std::string write_sum(const ShortSum& sum) {
  std::string text;
  for (std::size_t k = 0; k < sum.coefficients.size(); ++k) {
    const Rounded& c = sum.coefficients[k];
    if (c.value != 0.0) text += signed_factor(c.value, c.size) + sum.functions[k].text;
  }
  return text;
}

// Behind the name and the share.
std::string note_on(const Term& term, const Model& model, const ShortSum& sum, int digits) {
  const auto columns = std::ranges::count_if(model.dictionary.rows, [&](std::uint32_t row) {
    return looks_at_all(model.dictionary.weights.support(row), term.variables);
  });
  std::string note;
  if (static_cast<std::size_t>(columns) > sum.functions.size()) {
    note += fmt::format(", {} function{} instead of {} basis functions", sum.functions.size(),
                        sum.functions.size() == 1 ? "" : "s", columns);
  }
  if (sum.error > allowed_error(digits)) note += fmt::format(", to within {:.2g} %", 100.0 * sum.error);
  return note;
}

}  // namespace

ShortFormula short_formula(const Model& model, std::size_t terms, int digits) {
  check_digits(digits);
  const Matrix rows = spread_points(model);
  const Matrix values = term_values(model, rows);
  const Matrix X = entered(rows, model.scaling);
  const Functions write(model, X, digits);
  ShortFormula formula;
  double constant = values.empty() ? model.scaling.target_mean : mean_of(values.col(0));
  double variance = 0.0;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    const Term& term = model.terms[k];
    const double own = squared_norm(values.col(1 + k)) / points;
    variance += own;
    const bool shows = term.fraction > std::pow(10.0, -2 * digits) && own > 0.0;
    if (k >= terms || !shows) {
      formula.left_out_share += term.fraction;
      ++formula.left_out;
      continue;
    }
    ShortSum sum;
    if (term.variables.size() <= most_inputs) sum = shorten(term, model.dictionary, write, values.col(1 + k), digits);
    if (sum.error > most_missed) {
      formula.lines.push_back({k, "", ""});
      continue;
    }
    constant += sum.constant;
    formula.lines.push_back({k, write_sum(sum), note_on(term, model, sum, digits)});
  }
  const double size = variance > 0.0 ? std::sqrt(variance) : std::abs(constant);
  const Rounded shown = round_to(constant, std::pow(10.0, -digits) * size);
  formula.constant = (shown.value < 0.0 ? "-" : "") + shown.size;
  return formula;
}

std::string short_equation(const Model& model, std::size_t terms, int digits) {
  const ShortFormula formula = short_formula(model, terms, digits);
  std::string lines;
  for (const ShortLine& line : formula.lines) {
    const Term& term = model.terms[line.term];
    lines +=
        fmt::format("\n {}  # {}: {:.3g} % of the variance{}", line.sum.empty() ? " + (no short formula)" : line.sum,
                    model.short_term_name(term), 100.0 * term.fraction, line.note);
  }
  if (formula.left_out > 0) {
    lines += fmt::format("\n  + ({} more term{}, omitted: {:.2g} % of the variance)", formula.left_out,
                         formula.left_out == 1 ? "" : "s", 100.0 * formula.left_out_share);
  }
  const FormulaFrame frame = formula_frame(model.scaling, digits);
  // On a line of its own: behind a # it would be none of the formula.
  const std::string end = frame.after.empty() ? "" : "\n" + frame.after;
  return fmt::format("{} = {}{}{}{}", formula_name(model.target), frame.before, formula.constant, lines, end);
}

}  // namespace shrimp
