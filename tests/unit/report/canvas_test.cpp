#include "report/canvas.hpp"

#include <array>

#include "support.hpp"

namespace shrimp::report {
namespace canvas_test {

using Along = Anchor::Along;
using test::message_of;

constexpr Colour blue{0.0, 0.0, 1.0};

// As far as an SVG without comments, entities of its own and scripts can fail to be XML.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t start = xml.find('<'), end = 0; start != std::string::npos; start = xml.find('<', end)) {
    const std::string text = xml.substr(end, start - end);
    for (std::size_t k = text.find('&'); k != std::string::npos; k = text.find('&', k + 1)) {
      const std::string entity = text.substr(k, text.find(';', k) + 1 - k);
      EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;") << text;
    }
    end = xml.find('>', start) + 1;
    ASSERT_NE(end, 0U);
    const std::string tag = xml.substr(start + 1, end - start - 2);
    EXPECT_EQ(std::ranges::count(tag, '"') % 2, 0) << tag;
    EXPECT_EQ(tag.find_first_of("<&"), std::string::npos) << tag;
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
}

Canvas everything() {
  constexpr std::array points = {Point{1.0, 2.0}, Point{3.0, 4.0}, Point{5.0, 2.5}};
  constexpr std::array dashes = {6.0, 2.5};
  Canvas canvas(100.0, 50.0);
  canvas.polyline(points, {blue, 1.5, dashes});
  canvas.verticals(points, 9.0, {blue, 1.0});
  canvas.outline({1.0, 2.0, 30.0, 40.0}, {{1.0, 0.0, 0.0}, 0.5});
  canvas.fill(Rectangle{1.0, 2.0, 30.0, 40.0}, {1.0, 1.0, 1.0, 0.85});
  canvas.fill(points, blue);
  canvas.fill_circle({7.0, 8.0}, 2.4, blue);
  canvas.text("middle", {50.0, 25.0}, 10.0, {});
  canvas.text("end", {50.0, 25.0}, 10.0, {Along::end, 1.0}, 45.0);
  return canvas;
}

TEST(Canvas, WritesEveryShapeAsOneElement) {
  const std::string svg = everything().svg();
  expect_well_formed(svg);
  test::expect_parts(
      svg, {R"(width="100pt" height="50pt" viewBox="0 0 100 50")",
            R"(<rect x="0" y="0" width="100" height="50" fill="#ffffff"/>)",
            R"(<path d="M1 2L3 4L5 2.5" stroke="#0000ff" stroke-width="1.5" stroke-dasharray="6 2.5"/>)",
            R"(<path d="M1 9V2M3 9V4M5 9V2.5" stroke="#0000ff" stroke-width="1"/>)",
            R"(<rect x="1" y="2" width="30" height="40" stroke="#ff0000" stroke-width="0.5"/>)",
            R"(<rect x="1" y="2" width="30" height="40" fill="#ffffff" fill-opacity="0.85"/>)",
            R"(<path d="M1 2L3 4L5 2.5Z" fill="#0000ff"/>)", R"(<circle cx="7" cy="8" r="2.4" fill="#0000ff"/>)"});
}

TEST(Canvas, AnchorsAndTurnsTextWithoutItsWidth) {
  // Capitals are 0.73 of the size high.
  test::expect_parts(everything().svg(),
                     {R"(<text x="50" y="28.65" font-size="10" text-anchor="middle" fill="#1a1a1a">middle</text>)",
                      R"(<text x="50" y="25" font-size="10" text-anchor="end" fill="#1a1a1a" )"
                      R"-(transform="rotate(-45 50 25)">end</text>)-"});
  Canvas canvas(10.0, 10.0);
  canvas.text("", {1.0, 2.0}, 10.0, {});
  EXPECT_EQ(canvas.svg(), Canvas(10.0, 10.0).svg());
}

TEST(Canvas, IsTheSameForEqualDrawings) { EXPECT_EQ(everything().svg(), everything().svg()); }

TEST(Canvas, OnAPageTakesItsColoursAndWidth) {
  Canvas canvas(100.0, 50.0, Ground::page);
  canvas.text("axis", {50.0, 25.0}, 10.0, {});
  canvas.polyline(std::array{Point{1.0, 2.0}, Point{3.0, 4.0}}, {.colour = Colour::of_page("curve", 0.5)});
  const std::string svg = canvas.svg();
  expect_well_formed(svg);
  test::expect_parts(
      svg, {"viewBox=\"0 0 100 50\"", "fill=\"var(--ink)\"", "stroke=\"var(--curve)\" stroke-opacity=\"0.5\""});
  EXPECT_EQ(svg.find("<rect"), std::string::npos);
  EXPECT_EQ(svg.find("pt\""), std::string::npos);
}

TEST(Canvas, DrawsManyOfOneLookAsOneShape) {
  Canvas canvas(100.0, 50.0);
  canvas.fill(std::array{Rectangle{1.0, 2.0, 3.0, 4.0}, Rectangle{5.0, 6.0, 7.0, 8.0}}, blue);
  canvas.dots(std::array{Point{1.0, 2.0}, Point{3.0, 4.0}}, 1.5, blue);
  canvas.fill(std::array{Rectangle{1.0, 2.0, 3.0, 1.0}}, blue, {{10.0, 20.0}, {4.0, -5.0}});
  canvas.dots({}, 1.5, blue);
  expect_well_formed(canvas.svg());
  test::expect_parts(canvas.svg(),
                     {R"(<path d="M1 2h3v4H1zM5 6h7v8H5z" fill="#0000ff"/>)",
                      "<path d=\"M1 2h3v1H1z\" transform=\"translate(10 20) scale(4 -5)\" fill=\"#0000ff\"/>",
                      R"(<path d="M1 2h0M3 4h0" stroke-linecap="round" stroke="#0000ff" stroke-width="3"/>)"});
}

TEST(Canvas, RoundsToHundredthsOfAPoint) {
  Canvas canvas(10.0, 10.0);
  canvas.fill_circle({1.0 / 3.0, -1e-9}, 2.0 / 3.0, blue);
  canvas.fill_circle({1e-7, 123.456789}, 5.0, blue);
  test::expect_parts(canvas.svg(), {R"(cx="0.33" cy="0" r="0.67")", R"(cx="0" cy="123.46" r="5")"});
}

TEST(Canvas, StaysXmlWhateverATextHolds) {
  Canvas canvas(10.0, 10.0);
  canvas.text(R"(</text><a b="c">&d; é語)", {1.0, 2.0}, 10.0, {});
  expect_well_formed(canvas.svg());
  EXPECT_PRED2(test::contains, canvas.svg(), ">&lt;/text&gt;&lt;a b=&quot;c&quot;&gt;&amp;d; é語</text>");
  test::expect_parts(message_of<DataError>([&] { canvas.text("a\xFF", {}, 10.0, {}); }), {"UTF-8"});
}

TEST(Canvas, RefusesAPageThatIsTooLarge) {
  EXPECT_NO_THROW(Canvas(16383.0, 16383.0));
  for (const auto& [width, height] : {std::pair(16384.0, 10.0), std::pair(10.0, 1e9)}) {
    test::expect_parts(message_of<DataError>([&] { Canvas(width, height); }), {"too large", "fewer panels"});
  }
}

}  // namespace canvas_test
}  // namespace shrimp::report
