#include "experiments/canvas.hpp"

#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>
#include <string_view>
#include <utility>

#include "shrimp/errors.hpp"

#ifdef __SANITIZE_ADDRESS__
// Cairo and fontconfig keep the fonts they found until the process ends, by pointers the leak sanitizer does not
// follow. Here and not in the tests, so that every program that draws has it.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig.so"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace shrimp::experiments {
namespace {

// Heights in DejaVu Sans as parts of its size. Taken from the font and not from each text, so that texts side by side
// share a baseline.
constexpr double capital_height = 0.73;

struct Destroy {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using Context = std::unique_ptr<cairo_t, Destroy>;
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  throw DataError(std::string("the chart cannot be drawn: ") + cairo_status_to_string(status) +
                  ".\nUse texts in UTF-8 and fewer panels.");
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) noexcept {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

void draw_on(cairo_surface_t* surface, const Drawing& draw) {
  check(cairo_surface_status(surface));
  const Context context(cairo_create(surface));
  // Letters as wide in pixels as on paper: the layout is the same in both files and does not follow the desktop's
  // taste.
  const std::unique_ptr<cairo_font_options_t, Destroy> options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context.get(), options.get());
  cairo_select_font_face(context.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_line_join(context.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgb(context.get(), 1.0, 1.0, 1.0);
  cairo_paint(context.get());
  Canvas canvas(context.get());
  draw(canvas);
  check(cairo_status(context.get()));
}

// Cairo numbers the surfaces of a process and writes the number once.
std::string without_surface_number(std::string svg) {
  static constexpr std::string_view before = "id=\"surface";
  const std::size_t start = svg.find(before);
  if (start == std::string::npos) return svg;
  const std::size_t number = start + before.size();
  return svg.erase(number, svg.find('"', number) - number);
}

}  // namespace

Canvas::Canvas(cairo_t* context) : context_(context) {}

void Canvas::set(const Colour& colour) {
  cairo_set_source_rgba(context_, colour.red, colour.green, colour.blue, colour.opacity);
}

void Canvas::stroke(const Pen& pen) {
  set(pen.colour);
  cairo_set_line_width(context_, pen.width);
  cairo_set_dash(context_, pen.dashes.data(), static_cast<int>(pen.dashes.size()), 0.0);
  cairo_stroke(context_);
}

void Canvas::polyline(std::span<const Point> points, const Pen& pen) {
  cairo_new_path(context_);
  for (const Point point : points) cairo_line_to(context_, point.x, point.y);
  stroke(pen);
}

void Canvas::verticals(std::span<const Point> points, double base, const Pen& pen) {
  cairo_new_path(context_);
  for (const Point point : points) {
    cairo_move_to(context_, point.x, base);
    cairo_line_to(context_, point.x, point.y);
  }
  stroke(pen);
}

void Canvas::outline(const Rectangle& rectangle, const Pen& pen) {
  cairo_rectangle(context_, rectangle.left, rectangle.top, rectangle.width, rectangle.height);
  stroke(pen);
}

void Canvas::fill(const Rectangle& rectangle, const Colour& colour) {
  set(colour);
  cairo_rectangle(context_, rectangle.left, rectangle.top, rectangle.width, rectangle.height);
  cairo_fill(context_);
}

void Canvas::fill(std::span<const Point> polygon, const Colour& colour) {
  set(colour);
  cairo_new_path(context_);
  for (const Point point : polygon) cairo_line_to(context_, point.x, point.y);
  cairo_fill(context_);
}

void Canvas::fill_circle(Point centre, double radius, const Colour& colour) {
  set(colour);
  cairo_new_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0.0, 2.0 * std::numbers::pi);
  cairo_fill(context_);
}

void Canvas::text(const std::string& text, Point position, double size, Anchor anchor, double degrees) {
  if (text.empty()) return;
  const double width = text_width(text, size);
  cairo_save(context_);
  set({0.1, 0.1, 0.1});
  cairo_translate(context_, position.x, position.y);
  cairo_rotate(context_, -degrees * std::numbers::pi / 180.0);
  cairo_move_to(context_, -anchor.along * width, (1.0 - anchor.across) * capital_height * size);
  cairo_show_text(context_, text.c_str());
  cairo_restore(context_);
}

double Canvas::text_width(const std::string& text, double size) {
  cairo_set_font_size(context_, size);
  cairo_text_extents_t extents{};
  cairo_text_extents(context_, text.c_str(), &extents);
  return extents.x_advance;
}

double Canvas::fitting_size(const std::string& text, double size, double smallest, double width) {
  const double needed = text_width(text, size);
  return needed <= width ? size : std::max(smallest, size * width / needed);
}

std::string Canvas::shortened(const std::string& text, double size, double width) {
  // Sizes that were chosen to fit just do so.
  if (text_width(text, size) <= width * (1.0 + 1e-9)) return text;
  std::string start = text;
  while (!start.empty() && text_width(start + "…", size) > width) {
    const auto is_continuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
    while (start.size() > 1 && is_continuation(start.back())) start.pop_back();
    start.pop_back();
  }
  return start + "…";
}

std::string svg_of(double width, double height, const Drawing& draw) {
  std::string bytes;
  const Surface surface(cairo_svg_surface_create_for_stream(append, &bytes, width, height));
  draw_on(surface.get(), draw);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return without_surface_number(std::move(bytes));
}

std::string png_of(double width, double height, double pixels_per_point, const Drawing& draw) {
  const auto pixels = [&](double points) {
    return static_cast<int>(std::min(1e9, std::ceil(points * pixels_per_point)));
  };
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)));
  cairo_surface_set_device_scale(surface.get(), pixels_per_point, pixels_per_point);
  draw_on(surface.get(), draw);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace shrimp::experiments
