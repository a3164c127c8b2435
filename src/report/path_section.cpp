#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "report/commands.hpp"
#include "report/figure.hpp"
#include "report/frame.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

// Steps that a logarithmic chart has places for.
std::vector<PathRecord> drawn_steps(const std::vector<PathRecord>& path) {
  std::vector<PathRecord> steps;
  for (const PathRecord& record : path) {
    if (record.basis_functions > 0 && std::isfinite(record.validation_mse) && record.validation_mse > 0.0) {
      steps.push_back(record);
    }
  }
  std::ranges::stable_sort(steps, std::greater<>(), &PathRecord::basis_functions);
  return steps;
}

// Interpolation has no training error to speak of: what is far below the validation error is rounding.
double shown_training_error(const PathRecord& record, double least_validation) {
  return record.train_mse > 0.01 * least_validation ? record.train_mse : std::nan("");
}

std::string path_figure(const std::vector<PathRecord>& steps, const PathRecord& chosen) {
  double least = steps.front().validation_mse;
  for (const PathRecord& record : steps) least = std::min(least, record.validation_mse);
  std::vector<double> columns;
  std::vector<double> heights;
  Places places{.points = {}, .columns = std::vector<std::vector<double>>(2), .says = {}};
  for (const PathRecord& record : steps) {
    columns.push_back(static_cast<double>(record.basis_functions));
    heights.push_back(record.validation_mse);
    if (const double train = shown_training_error(record, least); train > 0.0) heights.push_back(train);
  }
  const Frame frame({.axis = {.label = "columns kept", .logarithmic = true, .reversed = true}, .values = columns},
                    {.axis = {.label = "mean squared error", .logarithmic = true}, .values = heights},
                    wide_figure_width, wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  std::vector<Point> training;
  for (const PathRecord& record : steps) {
    const auto x = static_cast<double>(record.basis_functions);
    places.points.push_back(frame.at(x, record.validation_mse));
    places.columns[0].push_back(x);
    places.columns[1].push_back(record.validation_mse);
    if (const double train = shown_training_error(record, least); train > 0.0) training.push_back(frame.at(x, train));
  }
  constexpr std::array<double, 2> dashes = {5.0, 3.0};
  canvas.polyline(training, {.colour = Colour::of_page("line"), .width = 1.6, .dashes = dashes});
  canvas.polyline(places.points, {.colour = Colour::of_page("curve"), .width = 2.0});
  if (chosen.basis_functions > 0 && chosen.validation_mse > 0.0) {
    canvas.fill_circle(frame.at(static_cast<double>(chosen.basis_functions), chosen.validation_mse), 5.0,
                       Colour::of_page("warm"));
  }
  places.says = "{0} columns: error {1} on rows left out";
  return figure({"Error along the path", "blue: rows left out, dashed: training, orange: chosen",
                 fmt::format("Mean squared error against columns kept, from {} to {}; {} were chosen. Arrow keys read "
                             "values.",
                             steps.front().basis_functions, steps.back().basis_functions, chosen.basis_functions)},
                canvas, places);
}

std::string known_of_path(const Model& model) {
  const double drawn = result_of(model, "basis_functions_drawn");
  const double step = result_of(model, "step");
  const std::size_t kept = model.coefficients.size();
  if (std::isnan(drawn)) return fmt::format("The model has {}.", count_text(kept, "column"));
  if (std::isnan(step) || step == 0.0)
    return fmt::format("The model has {} of {:.0f} that were drawn.", count_text(kept, "column"), drawn);
  return fmt::format("{:.0f} columns were drawn, and {} kept after {} of pruning.", drawn, kept,
                     count_text(static_cast<std::size_t>(step), "step"));
}

}  // namespace

std::string path_section(const Model& model, const ReportOptions& options) {
  constexpr const char* title = "The prune path";
  if (!options.path.empty() && options.chosen >= options.path.size()) {
    throw std::invalid_argument(
        fmt::format("step {} was chosen of a path of {}.", options.chosen, options.path.size()));
  }
  std::string markup = paragraph(known_of_path(model));
  const std::vector<PathRecord> steps = drawn_steps(options.path);
  if (options.path.empty()) {
    markup += paragraph(
        "A model file does not hold the errors along the path. These lines put them here; in Python, "
        "report does so right after a fit:");
    markup += code_block(fmt::format("{} --output path.csv\nshrimp report {} --path path.csv --output report.html",
                                     fit_command(model, "path"), shell_word(options.model_file)));
  } else if (steps.size() < 2) {
    markup += paragraph("The path has a single step: there is nothing to draw.");
  } else {
    markup += "<div class=\"charts one\">\n" + path_figure(steps, options.path[options.chosen]) + "</div>\n";
  }
  return section("path", title, markup);
}

}  // namespace shrimp::report
