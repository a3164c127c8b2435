#include "report/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "data/file.hpp"
#include "report/canvas.hpp"
#include "report/marks.hpp"
#include "report/scale.hpp"
#include "report/text.hpp"
#include "report/tick_labels.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::report {
namespace {

constexpr double cell_width = 360.0;
constexpr double cell_height = 270.0;
constexpr double title_size = 11.0;
constexpr double label_size = 10.0;
constexpr double tick_size = 9.0;
constexpr double smallest_size = 6.5;
constexpr double panel_margin = 8.0;  // Kept free around a panel.
constexpr double tick_mark = 4.0;
constexpr double most_labels = 8.0;
constexpr double slope = 0.70710678118654752;  // Sine and cosine of the angle of turned labels.

using Along = Anchor::Along;
using Run = std::vector<std::pair<double, double>>;

std::vector<Run> runs_with_places(const Panel& panel, const Series& series) {
  std::vector<Run> runs(1);
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (has_place(panel.x, series.x[k]) && has_place(panel.y, series.y[k])) {
      runs.back().emplace_back(series.x[k], series.y[k]);
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  if (runs.back().empty()) runs.pop_back();
  return runs;
}

double coordinate(const std::pair<double, double>& point, bool vertical) {
  return vertical ? point.second : point.first;
}

Scale scale_of(const Panel& panel, const std::vector<std::vector<Run>>& runs, bool vertical) {
  std::vector<double> values;
  for (const auto& of_series : runs) {
    for (const Run& run : of_series) {
      for (const auto& point : run) values.push_back(coordinate(point, vertical));
    }
  }
  const bool stems = std::ranges::any_of(panel.series, [](const Series& s) { return s.kind == Series::Kind::stems; });
  return Scale(vertical ? panel.y : panel.x, values, vertical && stems);
}

std::vector<std::vector<Run>> runs_of(const Panel& panel) {
  std::vector<std::vector<Run>> runs;
  for (const Series& series : panel.series) runs.push_back(runs_with_places(panel, series));
  return runs;
}

// One panel on its way to the page: first its data and scales, then, settled with its neighbours, its place.
struct Plot {
  explicit Plot(const Panel& shown)
      : panel(&shown), runs(runs_of(shown)), x(scale_of(shown, runs, false)), y(scale_of(shown, runs, true)) {}

  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(runs, [](const auto& of_series) { return of_series.empty(); });
  }

  const Panel* panel;
  std::vector<std::vector<Run>> runs;
  Scale x;
  Scale y;
  std::vector<Tick> x_ticks = {};
  std::vector<Tick> y_ticks = {};
  bool turned = false;  // The labels under the x axis.
  Rectangle cell = {};
  Rectangle area = {};  // Within the axes.
};

struct Margins {
  double left = 0.0;
  double right = 0.0;
  double top = 0.0;
  double bottom = 0.0;
};

void place_y_ticks(Plot& plot, double height) {
  if (plot.empty()) return;
  const bool names = !plot.panel->y.categories.empty();
  const double room = std::floor(height / (names ? 1.3 * tick_size : 2.4 * tick_size));
  plot.y_ticks = plot.y.ticks(static_cast<std::size_t>(names ? room : std::min(room, most_labels)));
  drop_touching_labels(plot.y_ticks, height, [](const std::string&) { return tick_size; });
  for (Tick& tick : plot.y_ticks) tick.label = shortened(tick.label, tick_size, 0.35 * cell_width);
}

void place_x_ticks(Plot& plot, double left, double width) {
  if (plot.empty()) return;
  const auto extent = [&](const std::string& label) { return text_width(label, tick_size); };
  const std::size_t names = plot.panel->x.categories.size();
  if (names > 0) {
    plot.x_ticks = plot.x.ticks(names);
    plot.turned = !labels_fit(plot.x_ticks, width, extent);
    if (!plot.turned) return;
    plot.x_ticks = plot.x.ticks(static_cast<std::size_t>(width / (1.2 * tick_size / slope)));
    for (Tick& tick : plot.x_ticks) {
      const double reach = (left - panel_margin + tick.place * width) / slope;
      tick.label = shortened(tick.label, tick_size, std::min(0.4 * cell_height, reach));
    }
    return;
  }
  for (auto most = static_cast<std::size_t>(most_labels); most >= 2; --most) {
    plot.x_ticks = plot.x.ticks(most);
    if (labels_fit(plot.x_ticks, width, extent)) return;
  }
  drop_touching_labels(plot.x_ticks, width, extent);
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0.0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, tick_size));
  return width;
}

double height_of_x_labels(const Plot& plot) {
  if (plot.x_ticks.empty()) return 0.0;
  return plot.turned ? slope * (widest(plot.x_ticks) + tick_size) : tick_size;
}

double left_margin(const Plot& plot) {
  const double label = plot.panel->y.label.empty() ? 0.0 : label_size + 7.0;
  return panel_margin + label + widest(plot.y_ticks) + tick_mark + 3.0;
}

double bottom_margin(const Plot& plot) {
  const double label = plot.panel->x.label.empty() ? 0.0 : label_size + 7.0;
  return panel_margin + label + height_of_x_labels(plot) + tick_mark + 4.0;
}

// Axes of panels above and beside each other line up: margins are those of the neediest panel in the column or row.
void arrange(std::vector<Plot>& plots, std::size_t columns) {
  std::vector<Margins> of_column(columns);
  std::vector<Margins> of_row((plots.size() + columns - 1) / columns);
  for (std::size_t k = 0; k < plots.size(); ++k) {
    place_y_ticks(plots[k], 0.75 * cell_height);
    double& left = of_column[k % columns].left;
    left = std::max(left, left_margin(plots[k]));
  }
  const double right = panel_margin + 10.0;  // Half a label at the end of the x axis.
  for (std::size_t k = 0; k < plots.size(); ++k) {
    Margins& row = of_row[k / columns];
    const double left = of_column[k % columns].left;
    place_x_ticks(plots[k], left, cell_width - left - right);
    row.bottom = std::max(row.bottom, bottom_margin(plots[k]));
    row.top = std::max(row.top, panel_margin + (plots[k].panel->title.empty() ? 4.0 : title_size + 7.0));
  }
  for (std::size_t k = 0; k < plots.size(); ++k) {
    const std::size_t row = k / columns;
    const std::size_t column = k % columns;
    const Margins& margins = of_row[row];
    const double left = of_column[column].left;
    Plot& plot = plots[k];
    plot.cell = {static_cast<double>(column) * cell_width, static_cast<double>(row) * cell_height, cell_width,
                 cell_height};
    plot.area = {plot.cell.left + left, plot.cell.top + margins.top, cell_width - left - right,
                 cell_height - margins.top - margins.bottom};
    place_y_ticks(plot, plot.area.height);
  }
}

void draw_x_axis(Canvas& canvas, const Plot& plot) {
  const Rectangle& area = plot.area;
  for (const Tick& tick : plot.x_ticks) {
    const double x = area.left + tick.place * area.width;
    const bool major = !tick.label.empty();
    if (major) canvas.polyline(std::array{Point{x, area.top}, Point{x, area.bottom()}}, {{0.88, 0.88, 0.88}, 0.5});
    const double end = area.bottom() + (major ? tick_mark : 0.55 * tick_mark);
    canvas.polyline(std::array{Point{x, area.bottom()}, Point{x, end}}, {{0.3, 0.3, 0.3}, major ? 0.8 : 0.5});
    if (plot.turned) {
      canvas.text(tick.label, {x + 3.0, end + 3.0}, tick_size, {Along::end, 0.3}, 45.0);
    } else {
      canvas.text(tick.label, {x, end + 4.0}, tick_size, {Along::middle, 0.0});
    }
  }
}

void draw_y_axis(Canvas& canvas, const Plot& plot) {
  const Rectangle& area = plot.area;
  for (const Tick& tick : plot.y_ticks) {
    const double y = area.bottom() - tick.place * area.height;
    const bool major = !tick.label.empty();
    if (major) canvas.polyline(std::array{Point{area.left, y}, Point{area.right(), y}}, {{0.88, 0.88, 0.88}, 0.5});
    const double end = area.left - (major ? tick_mark : 0.55 * tick_mark);
    canvas.polyline(std::array{Point{end, y}, Point{area.left, y}}, {{0.3, 0.3, 0.3}, major ? 0.8 : 0.5});
    canvas.text(tick.label, {end - 3.0, y}, tick_size, {Along::end, 0.5});
  }
}

void draw_fitted(Canvas& canvas, const std::string& text, Point position, double size, double room, double degrees) {
  const double fitting = fitting_size(text, size, smallest_size, room);
  canvas.text(shortened(text, fitting, room), position, fitting, {Along::middle, 0.5}, degrees);
}

void draw_title(Canvas& canvas, const Plot& plot) {
  const std::string& title = plot.panel->title;
  const double room = plot.cell.width - 2.0 * panel_margin;
  const double half = 0.5 * std::min(room, text_width(title, title_size));
  // Over the middle of the axes as far as the panel has room for it there.
  const double middle = std::clamp(plot.area.left + 0.5 * plot.area.width, plot.cell.left + panel_margin + half,
                                   plot.cell.right() - panel_margin - half);
  draw_fitted(canvas, title, {middle, plot.area.top - 6.0 - 0.5 * title_size}, title_size, room, 0.0);
}

// Beside the numbers of this panel, wherever those of its neighbours end.
void draw_axis_labels(Canvas& canvas, const Plot& plot) {
  const Rectangle& area = plot.area;
  const Point middle{area.left + 0.5 * area.width, area.top + 0.5 * area.height};
  const double below = area.bottom() + bottom_margin(plot) - panel_margin - 0.5 * label_size;
  const double room = 2.0 * (plot.cell.right() - middle.x) - panel_margin;
  draw_fitted(canvas, plot.panel->x.label, {middle.x, below}, label_size, room, 0.0);
  const double beside = area.left - left_margin(plot) + panel_margin + 0.5 * label_size;
  const double high = 2.0 * (middle.y - plot.cell.top) - panel_margin;
  draw_fitted(canvas, plot.panel->y.label, {beside, middle.y}, label_size, high, 90.0);
}

// Markers shrink where there are many.
double marker_radius(const Plot& plot, const Series& series) {
  if (series.kind == Series::Kind::line) return 2.4;
  std::size_t count = 0;
  for (const auto& of_series : plot.runs) {
    for (const Run& run : of_series) count += run.size();
  }
  const double share = plot.area.width / static_cast<double>(count);
  return std::clamp(series.kind == Series::Kind::stems ? 0.6 * share : 2.5 * share, 1.0, 2.6);
}

std::vector<Marks> marks_of(const Plot& plot) {
  const auto page_y = [&](double place) { return plot.area.bottom() - place * plot.area.height; };
  std::vector<Marks> marks;
  for (std::size_t s = 0; s < plot.runs.size(); ++s) {
    const Series& series = plot.panel->series[s];
    Marks of_series{&series, {}, page_y(plot.y.base()), marker_radius(plot, series)};
    for (const Run& run : plot.runs[s]) {
      auto& points = of_series.runs.emplace_back();
      for (const auto& [x, y] : run) {
        points.push_back({plot.area.left + plot.x.place(x) * plot.area.width, page_y(plot.y.place(y))});
      }
    }
    marks.push_back(std::move(of_series));
  }
  return marks;
}

// Where data are everywhere the legend stands beside the axes, unless it is too wide for that.
void move_out(Plot& plot, Legend& legend) {
  constexpr double bearable = 0.03;
  const double needed = legend.box.width + 6.0;
  if (legend.hidden <= bearable || needed > 0.45 * plot.area.width) return;
  plot.area.width -= needed;
  place_x_ticks(plot, plot.area.left - plot.cell.left, plot.area.width);
  const double lowest = plot.cell.bottom() - bottom_margin(plot);
  plot.area.height = std::min(plot.area.height, lowest - plot.area.top);
  place_y_ticks(plot, plot.area.height);
  legend.box.left = plot.area.right() + 6.0;
  legend.box.top = plot.area.top;
}

void draw(Canvas& canvas, Plot& plot, bool with_legend) {
  Legend legend;
  if (with_legend && !plot.empty()) {
    legend = placed_legend(plot.area, legend_entries(plot.panel->series), marks_of(plot));
    move_out(plot, legend);
  }
  draw_title(canvas, plot);
  draw_axis_labels(canvas, plot);
  draw_x_axis(canvas, plot);
  draw_y_axis(canvas, plot);
  canvas.outline(plot.area, {{0.3, 0.3, 0.3}, 0.8});
  if (plot.empty()) {
    const Point middle{plot.area.left + 0.5 * plot.area.width, plot.area.top + 0.5 * plot.area.height};
    canvas.text("no data", middle, label_size, {Along::middle, 0.5});
  }
  for (const Marks& marks : marks_of(plot)) draw(canvas, marks);
  draw(canvas, legend);
}

// One legend serves panels whose legends would be the same.
bool one_legend_serves(const std::vector<Plot>& plots) {
  const Plot* first = nullptr;
  for (const Plot& plot : plots) {
    if (plot.empty()) continue;
    if (first == nullptr) first = &plot;
    const bool same = std::ranges::equal(legend_entries(first->panel->series), legend_entries(plot.panel->series),
                                         [](const Series* a, const Series* b) { return look_alike(*a, *b); });
    if (!same) return false;
  }
  return true;
}

void draw(Canvas& canvas, std::vector<Plot>& plots, std::size_t columns) {
  arrange(plots, columns);
  const bool once = one_legend_serves(plots);
  bool explained = false;
  for (Plot& plot : plots) {
    draw(canvas, plot, !once || !explained);
    explained = explained || !plot.empty();
  }
}

void check_sizes(const Chart& chart) {
  for (const Panel& panel : chart.panels) {
    for (const Series& series : panel.series) {
      if (series.x.size() == series.y.size()) continue;
      throw DataError("chart: the series \"" + series.name + "\" has " + std::to_string(series.x.size()) + " x and " +
                      std::to_string(series.y.size()) + " y.\nGive as many of both.");
    }
  }
}

}  // namespace

std::string to_svg(const Chart& chart) {
  check_sizes(chart);
  const Panel nothing;
  std::vector<Plot> plots(chart.panels.begin(), chart.panels.end());
  if (plots.empty()) plots.emplace_back(nothing);
  const std::size_t columns = std::clamp<std::size_t>(chart.columns, 1, plots.size());
  const std::size_t rows = (plots.size() + columns - 1) / columns;
  Canvas canvas(cell_width * static_cast<double>(columns), cell_height * static_cast<double>(rows));
  draw(canvas, plots, columns);
  return canvas.svg();
}

void write_chart(const Chart& chart, const std::string& path) { write_file(path + ".svg", to_svg(chart)); }

}  // namespace shrimp::report
