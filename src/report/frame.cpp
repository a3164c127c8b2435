#include "report/frame.hpp"

#include <algorithm>
#include <array>

#include "report/text.hpp"
#include "report/tick_labels.hpp"

namespace shrimp::report {
namespace {

using Along = Anchor::Along;

constexpr double edge = 4.0;
constexpr double tick_length = 3.0;
constexpr double widest_label = 70.0;
constexpr std::size_t most_x_labels = 6;
constexpr std::size_t most_y_labels = 5;

double width_of(const std::string& label) { return text_width(label, Frame::tick_size); }

void draw_title(Canvas& canvas, const std::string& title, Point middle, double room, double degrees) {
  constexpr double smallest = 8.5;
  const double size = fitting_size(title, Frame::label_size, smallest, room);
  canvas.text(shortened(title, size, room), middle, size, {Along::middle, 0.5}, degrees);
}

}  // namespace

Frame::Side::Side(const AxisValues& own)
    : title(own.axis.label), has_names(!own.axis.categories.empty()), scale(own.axis, own.values, own.from_zero) {
  if (!own.flush || has_names || own.values.empty()) return;
  const auto [low, high] = std::ranges::minmax(own.values);
  if (low == high) return;
  first = std::min(scale.place(low), scale.place(high));
  last = std::max(scale.place(low), scale.place(high));
}

double Frame::Side::place(double value) const { return (scale.place(value) - first) / (last - first); }

std::vector<Tick> Frame::Side::ticks(std::size_t most) const {
  constexpr double slack = 1e-6;
  std::vector<Tick> ticks = scale.ticks(most);
  for (Tick& tick : ticks) tick.place = (tick.place - first) / (last - first);
  std::erase_if(ticks, [](const Tick& tick) { return tick.place < -slack || tick.place > 1.0 + slack; });
  return ticks;
}

Frame::Frame(const AxisValues& x, const AxisValues& y, double width, double height, double right) : x_(x), y_(y) {
  const double below = edge + (x_.title.empty() ? 0.0 : label_size + 6.0) + tick_size + tick_length + 4.0;
  area_.top = edge + 0.5 * tick_size;
  area_.height = height - area_.top - below;
  y_ticks_ = y_.ticks(y_.has_names ? static_cast<std::size_t>(area_.height / (1.3 * tick_size)) : most_y_labels);
  drop_touching_labels(y_ticks_, area_.height, [](const std::string&) { return tick_size; });
  double widest = 0.0;
  for (Tick& tick : y_ticks_) {
    tick.label = shortened(tick.label, tick_size, widest_label);
    widest = std::max(widest, width_of(tick.label));
  }
  area_.left = edge + (y_.title.empty() ? 0.0 : label_size + 6.0) + widest + tick_length + 3.0;
  area_.width = width - area_.left - right;
  for (std::size_t most = x_.has_names ? 10 : most_x_labels; most >= 2; --most) {
    x_ticks_ = x_.ticks(most);
    if (labels_fit(x_ticks_, area_.width, width_of)) return;
  }
  drop_touching_labels(x_ticks_, area_.width, width_of);
}

Point Frame::at(double x, double y) const {
  return {area_.left + x_.place(x) * area_.width, area_.bottom() - y_.place(y) * area_.height};
}

void Frame::draw(Canvas& canvas, bool with_grid) const {
  constexpr Pen grid{.colour = Colour::of_page("grid"), .width = 0.6};
  constexpr Pen line{.colour = Colour::of_page("line"), .width = 0.9};
  for (const Tick& tick : x_ticks_) {
    if (tick.label.empty()) continue;
    const double x = area_.left + tick.place * area_.width;
    if (with_grid && !x_.has_names) canvas.polyline(std::array{Point{x, area_.top}, Point{x, area_.bottom()}}, grid);
    canvas.text(tick.label, {x, area_.bottom() + tick_length + 4.0}, tick_size, {Along::middle, 0.0});
  }
  for (const Tick& tick : y_ticks_) {
    if (tick.label.empty()) continue;
    const double y = area_.bottom() - tick.place * area_.height;
    if (with_grid && !y_.has_names) canvas.polyline(std::array{Point{area_.left, y}, Point{area_.right(), y}}, grid);
    canvas.text(tick.label, {area_.left - tick_length - 3.0, y}, tick_size, {Along::end, 0.5});
  }
  canvas.polyline(
      std::array{Point{area_.left, area_.top}, Point{area_.left, area_.bottom()}, Point{area_.right(), area_.bottom()}},
      line);
  const Point middle{area_.left + 0.5 * area_.width, area_.top + 0.5 * area_.height};
  draw_title(canvas, x_.title, {middle.x, area_.bottom() + tick_length + tick_size + 10.0 + 0.5 * label_size},
             area_.width + 20.0, 0.0);
  draw_title(canvas, y_.title, {edge + 0.5 * label_size, middle.y}, area_.height + 12.0, 90.0);
}

}  // namespace shrimp::report
