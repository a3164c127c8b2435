// How series look on the page: lines, markers, stems and the legend that explains them.
#pragma once

#include <span>
#include <vector>

#include "report/canvas.hpp"
#include "report/chart.hpp"

namespace shrimp::report {

/// A series on the page.
struct Marks {
  const Series* series = nullptr;
  std::vector<std::vector<Point>> runs;  ///< Cut where a point is left out.
  double base = 0.0;                     ///< The y at which stems start.
  double radius = 0.0;                   ///< Of the markers.

  [[nodiscard]] std::size_t points() const;
};

void draw(Canvas& canvas, const Marks& marks);

/// Series that a legend would explain in the same words and with the same sample.
[[nodiscard]] bool look_alike(const Series& first, const Series& second);

/// The series with a name, each once.
[[nodiscard]] std::vector<const Series*> legend_entries(std::span<const Series> series);

struct Legend {
  std::vector<const Series*> entries;
  double size = 0.0;  ///< Of the letters.
  Rectangle box = {};
  double hidden = 0.0;  ///< The share of what is drawn that lies under it.
};

/// In a corner of `area` where it covers nothing of what is drawn, or else where it covers least.
[[nodiscard]] Legend placed_legend(const Rectangle& area, std::vector<const Series*> entries,
                                   std::span<const Marks> drawn);

void draw(Canvas& canvas, const Legend& legend);

}  // namespace shrimp::report
