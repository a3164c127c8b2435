#include "shrimp/sensitivity.hpp"
#include "named_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "any_model.hpp"
#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "shrimp/model.hpp"
#include "shrimp/table.hpp"
#include "summary.hpp"
#include "tell.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

constexpr std::size_t most_terms = 30;
constexpr double least_share = 0.001;

Json bound_json(const std::optional<double>& bound) { return bound ? number_json(*bound) : Json(nullptr); }

std::string percent(double share) { return fmt::format("{:.2f} %", 100.0 * share); }

// The bounds of an interval, where there is one: all are as wide.
std::string interval(const SobolIndex& index) {
  if (!index.low || !index.high) return "";
  return fmt::format(" {:<15}", fmt::format("({:.1f} to {:.1f})", 100.0 * *index.low, 100.0 * *index.high));
}

// A heading over fractions of eight places and their intervals.
std::string heading(const char* name, bool has_intervals) {
  return fmt::format("{:>8}{}", name, has_intervals ? fmt::format(" {:<15}", "90 % within") : "");
}

struct SensitivityCommand {
  std::string model;
  std::string class_name;
  std::string inputs;
  std::string data;
  int threads = 0;
  bool json = false;
  bool quiet = false;

  void run() const {
    require_separate({{"the model", model}, {"the table", data}}, {});
    const Model fitted = load_one_model(model, class_name);
    const Sensitivity found = data.empty() ? of_laws(fitted) : of_rows(fitted);
    write_data("-", json ? to_json(fitted, found).dump(1) + "\n" : printable(describe(fitted, found)));
  }

 private:
  [[nodiscard]] Sensitivity of_laws(const Model& fitted) const {
    const std::vector<InputLaw> laws = parse_input_laws(inputs, fitted);
    if (const double covariances = report::notable_covariance(fitted); inputs.empty() && covariances != 0.0) {
      print_warnings({fmt::format("the indices assume independent inputs, but {:.0f} % of the variance over the "
                                  "training rows is covariance between terms. To include it, give --data TRAIN.csv.",
                                  100.0 * covariances)},
                     quiet);
    }
    return sensitivity(fitted, laws, threads);
  }

  [[nodiscard]] Sensitivity of_rows(const Model& fitted) const {
    NamedRows rows(data, fitted, {}, threads);
    const Matrix X = rows.all();
    print_warnings(rows.heading().warnings, quiet);
    print_warnings(rows.warnings(), quiet);
    print_clipped(fitted, X, quiet);
    return sensitivity_on(fitted, X, threads);
  }

  [[nodiscard]] bool by_rows() const { return !data.empty(); }

  void add_parts(Json& object, const std::string& prefix, const SobolIndex& index) const {
    if (!by_rows()) return;
    object[prefix + "structural"] = number_json(index.structural);
    object[prefix + "correlative"] = number_json(index.correlative);
  }

  [[nodiscard]] Json to_json(const Model& fitted, const Sensitivity& found) const {
    Json object = Json::object();
    object["schema_version"] = schema_version;
    object["target"] = fitted.target;
    object["target_transform"] = target_form_name(fitted);
    object["over"] = by_rows() ? "rows" : "independent";
    object["variance"] = number_json(found.variance);
    object["inputs"] = Json::array();
    for (const InputSensitivity& input : found.inputs) {
      Json own = {{"name", fitted.inputs[input.input]},         {"first", number_json(input.first.value)},
                  {"total", number_json(input.total.value)},    {"first_low", bound_json(input.first.low)},
                  {"first_high", bound_json(input.first.high)}, {"total_low", bound_json(input.total.low)},
                  {"total_high", bound_json(input.total.high)}};
      add_parts(own, "first_", input.first);
      add_parts(own, "total_", input.total);
      object["inputs"].push_back(std::move(own));
    }
    object["terms"] = Json::array();
    for (const TermSensitivity& term : found.terms) {
      std::vector<std::string> names;
      for (const std::uint32_t variable : term.variables) names.push_back(fitted.inputs[variable]);
      Json own = {{"variables", names},
                  {"fraction", number_json(term.fraction.value)},
                  {"low", bound_json(term.fraction.low)},
                  {"high", bound_json(term.fraction.high)}};
      add_parts(own, "", term.fraction);
      object["terms"].push_back(std::move(own));
    }
    object["unlisted"] = number_json(found.unlisted);
    return object;
  }

  [[nodiscard]] std::string headline(const Model& fitted) const {
    const std::string what = fitted_target(fitted);
    if (by_rows()) {
      return wrap(fmt::format("{}: fractions of the variance over the rows of {}. Each is the sum of a structural part "
                              "(the term's variance) and a correlative part (its covariance with other terms).",
                              what, data),
                  0, 0);
    }
    return wrap(fmt::format("{}: Sobol' indices for independent inputs, {}.", what,
                            inputs.empty() ? "distributed as in the training rows" : "distributed as " + inputs),
                0, 0);
  }

  [[nodiscard]] std::string describe(const Model& fitted, const Sensitivity& found) const {
    std::string text = headline(fitted) + "\n\n" + inputs_table(fitted, found) + "\n" + terms_table(fitted, found);
    if (found.unlisted > 0.0) {
      text += fmt::format("  {} from interactions of three or more inputs\n", percent(found.unlisted));
    }
    return text;
  }

  static std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, display_width(text)), ' ');
  }

  [[nodiscard]] std::string parts(const SobolIndex& index) const {
    if (!by_rows()) return "";
    return fmt::format("  {:>10}  {:>11}", percent(index.structural), percent(index.correlative));
  }

  [[nodiscard]] std::string inputs_table(const Model& fitted, const Sensitivity& found) const {
    std::vector<InputSensitivity> order = found.inputs;
    std::ranges::stable_sort(order, std::greater<>(), [](const InputSensitivity& input) { return input.total.value; });
    const std::size_t all = order.size();
    std::erase_if(order, [](const InputSensitivity& input) { return std::abs(input.total.value) < least_share; });
    if (order.size() > most_terms) order.resize(most_terms);
    std::size_t width = 5;
    for (const InputSensitivity& input : order) width = std::max(width, display_width(fitted.inputs[input.input]));
    const bool bounds = !order.empty() && order.front().first.low;
    std::string text =
        fmt::format("  {}  {}   {}", padded("input", width), heading("first", bounds), heading("total", bounds));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    for (const InputSensitivity& input : order) {
      text += fmt::format("  {}  {:>8}{}   {:>8}{}  {}\n", padded(fitted.inputs[input.input], width),
                          percent(input.first.value), interval(input.first), percent(input.total.value),
                          interval(input.total), bar(input.total.value));
    }
    if (order.size() < all) {
      const std::size_t count = all - order.size();
      text += fmt::format("  … and {} more input{} with smaller indices\n", count, count == 1 ? "" : "s");
    }
    return text;
  }

  [[nodiscard]] std::string terms_table(const Model& fitted, const Sensitivity& found) const {
    const auto name_of = [&](const TermSensitivity& term) { return fitted.short_term_name({term.variables}); };
    std::vector<TermSensitivity> shown = found.terms;
    std::erase_if(shown, [](const TermSensitivity& term) {
      return std::max(std::abs(term.fraction.value), std::abs(term.fraction.structural)) < least_share;
    });
    if (shown.size() > most_terms) shown.resize(most_terms);
    std::size_t width = 4;
    for (const TermSensitivity& term : shown) width = std::max(width, display_width(name_of(term)));
    const bool bounds = !shown.empty() && shown.front().fraction.low;
    std::string text = fmt::format("  {}  {}{}", padded("term", width), heading("fraction", bounds),
                                   by_rows() ? "  structural  correlative" : "");
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    for (const TermSensitivity& term : shown) {
      text += fmt::format("  {}  {:>8}{}{}  {}\n", padded(name_of(term), width), percent(term.fraction.value),
                          interval(term.fraction), parts(term.fraction), bar(term.fraction.value));
    }
    if (shown.size() < found.terms.size()) {
      const std::size_t count = found.terms.size() - shown.size();
      text += fmt::format("  … and {} more term{} with smaller fractions\n", count, count == 1 ? "" : "s");
    }
    return text;
  }
};

}  // namespace

void add_sensitivity(const Command& app) {
  const Command command = app.add_command("sensitivity", "Compute Sobol' indices of inputs and terms");
  auto state = std::make_shared<SensitivityCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  add_class_option(command, state->class_name);
  Option laws = command.option("--inputs", state->inputs,
                               "Distributions of the inputs: uniform, normal or empirical (default) for all, or by "
                               "name: x1=uniform(0,1),x2=normal(3,0.5)");
  laws.value("LAWS");
  command
      .option("--data", state->data,
              "Table whose rows define the joint distribution of the inputs, with their dependence")
      .value("TABLE.csv")
      .excludes(laws);
  command.threads(state->threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
