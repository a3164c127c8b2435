// The largest terms for a paper: short_equation, in rows of amsmath's align*.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/formats.hpp"
#include "export/latex_formula.hpp"
#include "export/words.hpp"
#include "model/formula.hpp"
#include "model/short_equation.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace {

constexpr const char* sum_name = "\\eta";  // Of the sum, where the prediction is a function of it.

std::string joined(std::string_view formula) { return fmt::format("{}", fmt::join(latex_summands(formula), " ")); }

// f_3(x_1, x_2): the third term, which has no short formula.
std::string unnamed_function(const Model& model, const Term& term, std::size_t number) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const std::uint32_t j : term.variables) names.push_back(latex_name(model.inputs[j]));
  if (names.size() > most) {
    names.resize(most - 1);
    names.emplace_back("\\dots");
  }
  return fmt::format("+f_{{{}}}\\left({}\\right)", number + 1, fmt::join(names, ", "));
}

// Summands in rows that a page has room for.
std::vector<std::string> rows_of(std::span<const std::string> summands) {
  constexpr std::size_t width = 70;  // Of the source; what is set is about half as wide.
  std::vector<std::string> rows = {""};
  for (const std::string& summand : summands) {
    if (!rows.back().empty() && rows.back().size() + summand.size() > width) rows.emplace_back();
    rows.back() += (rows.back().empty() ? "" : " ") + summand;
  }
  return rows;
}

// "82.2" of 0.822
std::string percent(double share, int digits) { return joined(formula_number(100.0 * share, digits)); }

std::string term_rows(const Model& model, const ShortLine& line) {
  const Term& term = model.terms[line.term];
  const std::vector<std::string> rows =
      line.sum.empty() ? std::vector{unnamed_function(model, term, line.term)} : rows_of(latex_summands(line.sum));
  std::string text;
  for (const std::string& row : rows) text += (text.empty() ? "" : "\\\\\n") + fmt::format("  &\\quad {{}}{}", row);
  const char* note = line.sum.empty() ? ", no short formula" : "";
  return text + fmt::format(" && \\text{{${}$\\,\\% of the variance{}}}", percent(term.fraction, 3), note);
}

std::string head(const Model& model, const std::string& constant, int digits) {
  const std::string target = latex_name(model.target);
  const FormulaFrame frame = formula_frame(model.scaling, digits);
  if (frame.before.empty() && frame.after.empty()) return fmt::format("  {} &\\approx {}", target, joined(constant));
  // The sum has a name that no formula has.
  const std::string around = joined(frame.before + "`\x1f`" + frame.after);
  const std::string placeholder = latex_name("\x1f");
  std::string prediction = around;
  prediction.replace(prediction.find(placeholder), placeholder.size(), sum_name);
  return fmt::format("  {} &\\approx {}, \\\\\n  {} &= {}", target, prediction, sum_name, joined(constant));
}

}  // namespace

std::string to_latex(const Model& model, std::size_t terms, int digits) {
  if (terms < 1) throw OptionError("terms 0 is not allowed.\nGive 1 or more.");
  const ShortFormula formula = short_formula(model, terms, digits);
  const bool says_nothing = !formula.lines.empty() &&
                            std::ranges::all_of(formula.lines, [](const ShortLine& line) { return line.sum.empty(); });
  if (says_nothing) {
    throw OptionError(
        "no term of this model has a short formula that LaTeX could show.\n"
        "Export it to C, Python or ONNX, or fit one of lower order.");
  }
  std::string text = fmt::format(
      "% The largest terms of a model that shrimp {} fitted; needs amsmath. Inputs beyond the training range are held\n"
      "% at its edge where the model has limits; rank(x) is the share of training rows below x and half of those at "
      "it.\n"
      "\\begin{{align*}}\n{}",
      version, head(model, formula.constant, digits));
  for (const ShortLine& line : formula.lines) text += " \\\\\n" + term_rows(model, line);
  if (formula.left_out > 0) {
    text += fmt::format(" \\\\\n  &\\quad {{}}+\\cdots && \\text{{{} more term{}, ${}$\\,\\% of the variance}}",
                        formula.left_out, formula.left_out == 1 ? "" : "s", percent(formula.left_out_share, 2));
  }
  return text + "\n\\end{align*}\n";
}

}  // namespace shrimp
