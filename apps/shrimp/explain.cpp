#include "shrimp/explain.hpp"
#include "named_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "any_model.hpp"
#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/dates.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "shrimp/contributions.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"
#include "shrimp/table.hpp"
#include "summary.hpp"
#include "tell.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

// A cell of CSV: in quotes where it has to be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Predictions taken apart: column 0 of the parts is the constant.
struct Explanation {
  Matrix X;
  Matrix parts;
  std::vector<double> predictions;
  std::vector<std::vector<std::uint32_t>> variables;  // Of each part but the constant.

  [[nodiscard]] double sum(std::size_t row) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < parts.cols(); ++k) sum += parts(row, k);
    return sum;
  }
};

struct ExplainCommand {
  std::string model;
  std::string class_name;
  std::string data;
  std::optional<std::size_t> row;
  bool by_input = false;
  std::string output = "-";
  int threads = 0;
  bool json = false;
  bool quiet = false;

  void run() const {
    require_separate({{"the model", model}, {"the table", data}}, {{"--output", output}});
    const Model fitted = load_one_model(model, class_name);
    NamedRows rows(data, fitted, {}, threads);
    Matrix X = chosen_rows(rows.all());
    print_warnings(rows.heading().warnings, quiet);
    print_warnings(rows.warnings(), quiet);
    print_clipped(fitted, X, quiet);
    const Explanation found = explain(fitted, std::move(X));
    write_data(output, json  ? to_json(fitted, found).dump(1) + "\n"
                       : row ? printable(describe(fitted, found))
                             : csv(fitted, found));
  }

 private:
  [[nodiscard]] Matrix chosen_rows(Matrix X) const {
    if (!row) return X;
    if (*row < 1 || *row > X.rows()) {
      throw OptionError(fmt::format("--row {} is out of range: {} has {} data row{}.\nGive 1 to {}.", *row, data,
                                    X.rows(), X.rows() == 1 ? "" : "s", X.rows()));
    }
    Matrix one(1, X.cols());
    for (std::size_t j = 0; j < X.cols(); ++j) one(0, j) = X(*row - 1, j);
    return one;
  }

  [[nodiscard]] Explanation explain(const Model& fitted, Matrix X) const {
    Explanation found;
    found.parts = by_input ? input_values(fitted, X, threads) : term_values(fitted, X, threads);
    found.predictions = fitted.predict(X, threads);
    for (std::uint32_t j = 0; by_input && j < fitted.inputs.size(); ++j) found.variables.push_back({j});
    for (std::size_t k = 0; !by_input && k < fitted.terms.size(); ++k) {
      found.variables.push_back(fitted.terms[k].variables);
    }
    found.X = std::move(X);
    return found;
  }

  static std::string csv(const Model& fitted, const Explanation& found) {
    std::string text = "intercept";
    for (const auto& variables : found.variables) text += "," + cell(fitted.term_name({variables}));
    text += ",prediction\n";
    for (std::size_t i = 0; i < found.X.rows(); ++i) {
      for (std::size_t k = 0; k < found.parts.cols(); ++k) text += fmt::format("{},", found.parts(i, k));
      text += fmt::format("{}\n", found.predictions[i]);
    }
    return text;
  }

  [[nodiscard]] Json to_json(const Model& fitted, const Explanation& found) const {
    Json object = Json::object();
    object["schema_version"] = schema_version;
    object["target"] = fitted.target;
    object["target_transform"] = target_form_name(fitted);
    object["rows"] = Json::array();
    for (std::size_t i = 0; i < found.X.rows(); ++i) {
      Json parts = Json::array();
      for (std::size_t k = 0; k < found.variables.size(); ++k) {
        std::vector<std::string> names;
        for (const std::uint32_t variable : found.variables[k]) names.push_back(fitted.inputs[variable]);
        parts.push_back({{"variables", names}, {"contribution", number_json(found.parts(i, 1 + k))}});
      }
      object["rows"].push_back({{"row", row ? *row : i + 1},
                                {"intercept", number_json(found.parts(i, 0))},
                                {by_input ? "inputs" : "terms", std::move(parts)},
                                {"sum", number_json(found.sum(i))},
                                {"prediction", number_json(found.predictions[i])}});
    }
    return object;
  }

  // Levels by their names. A missing cell, or a level that the model has not seen, has no value.
  static std::string value_text(const Model& fitted, std::uint32_t input, double value) {
    if (std::isnan(value)) return "unknown";
    if (fitted.columns.empty()) return fmt::format("{:.4g}", value);
    const InputColumn& column = fitted.columns[input];
    if (column.is_category()) return column.levels[static_cast<std::size_t>(value)];
    return column.kind == ColumnKind::date ? date_text(value) : fmt::format("{:.4g}", value);
  }

  // "x2 = 1.5", "(x1, x3) = (0.2, 4)"; the name alone of more than three inputs.
  static std::string label(const Model& fitted, const Explanation& found, const std::vector<std::uint32_t>& variables) {
    const std::string name = fitted.short_term_name({variables});
    std::vector<std::string> values;
    for (const std::uint32_t j : variables) values.push_back(value_text(fitted, j, found.X(0, j)));
    if (values.size() == 1) return fmt::format("{} = {}", name, values.front());
    return values.size() > 3 ? name : fmt::format("{} = ({})", name, fmt::join(values, ", "));
  }

  // One row, the largest parts first.
  [[nodiscard]] std::string describe(const Model& fitted, const Explanation& found) const {
    constexpr std::size_t most = 20;
    std::vector<std::size_t> order(found.variables.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t k) { return std::abs(found.parts(0, 1 + k)); };
    std::ranges::stable_sort(order, std::greater<>(), size);
    const double largest = order.empty() ? 0.0 : size(order.front());
    const auto shown = static_cast<std::size_t>(
        std::ranges::find_if(order, [&](std::size_t k) { return size(k) <= 1e-4 * largest; }) - order.begin());
    const std::size_t listed = std::min(most, shown);
    std::vector<std::pair<std::string, double>> lines = {{"intercept", found.parts(0, 0)}};
    double rest = 0.0;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const double part = found.parts(0, 1 + order[place]);
      if (place < listed) {
        lines.emplace_back(label(fitted, found, found.variables[order[place]]), part);
      } else {
        rest += part;
      }
    }
    if (const std::size_t count = order.size() - listed; count > 0) {
      lines.emplace_back(fmt::format("… {} more {}{}", count, by_input ? "input" : "term", count == 1 ? "" : "s"),
                         rest);
    }
    lines.emplace_back("sum", found.sum(0));
    return heading(fitted, found) + table(lines, largest);
  }

  [[nodiscard]] std::string heading(const Model& fitted, const Explanation& found) const {
    const std::string what = fitted_target(fitted);
    std::string text =
        fmt::format("row {} of {}: predicted {} = {:.6g}", *row, data, fitted.target, found.predictions[0]);
    if (what != fitted.target) {
      text +=
          fmt::format("; contributions are on the scale of {} and sum to its value before the back-transform", what);
    }
    return wrap(text, 0, 0) + "\n\n";
  }

  static std::string table(const std::vector<std::pair<std::string, double>>& lines, double largest) {
    std::size_t width = 0;
    for (const auto& [name, value] : lines) width = std::max(width, display_width(name));
    std::string text;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const auto& [name, value] = lines[k];
      const bool is_part = k > 0 && k + 1 < lines.size();
      const std::string number = is_part ? fmt::format("{:+.5g}", value) : fmt::format("{:.6g}", value);
      std::string line = fmt::format("  {}{}  {:>12}", name, std::string(width - display_width(name), ' '), number);
      if (is_part && largest > 0.0) {
        const auto length = static_cast<std::size_t>(std::lround(20.0 * std::min(1.0, std::abs(value) / largest)));
        line += "  " + std::string(length, value < 0.0 ? '-' : '+');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }
};

}  // namespace

void add_explain(const Command& app) {
  const Command command = app.add_command("explain", "Show the contribution of each term to a prediction");
  auto state = std::make_shared<ExplainCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  add_class_option(command, state->class_name);
  command
      .option(
          "DATA.csv", state->data,
          "Table with rows to explain; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command
      .option("--row", state->row,
              "Row to explain in a readable table, counted from 1 (default: all rows as CSV, one column per term)")
      .value("K");
  command.flag("--by-input", state->by_input,
               "Report contributions of inputs (Shapley values): each term is divided evenly among its inputs");
  command.option("--output", state->output, "File to write; - is standard output (default)").value("OUT.csv");
  command.threads(state->threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
