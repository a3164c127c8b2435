#include "report/chart.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "support.hpp"

namespace shrimp::report {
namespace chart_test {

using test::message_of;
using test::read_text;

Chart small_chart() {
  Panel panel;
  panel.title = "Error";
  panel.x.label = "columns";
  panel.y.label = "MSE";
  panel.series = {{"one", {1.0, 2.0, 3.0}, {1.0, 4.0, 9.0}, Series::Kind::line, 0},
                  {"two", {1.0, 2.0, 3.0}, {2.0, 3.0, 5.0}, Series::Kind::line, 1}};
  return {{panel}, 1};
}

std::string written(const Chart& chart) {
  const test::TemporaryFolder folder;
  write_chart(chart, folder.file("chart"));
  EXPECT_EQ(folder.entries(), 1U);
  return read_text(folder.file("chart.svg"));
}

std::string changed(const std::function<void(Panel&)>& change) {
  Chart chart = small_chart();
  change(chart.panels[0]);
  return written(chart);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t k = text.find(part); k != std::string::npos; k = text.find(part, k + part.size())) ++found;
  return found;
}

TEST(Chart, IsWrittenAsSvg) {
  const std::string svg = written(small_chart());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg, to_svg(small_chart()));
}

TEST(Chart, HasPanelsOf360By270Points) {
  const auto expect_size = [](const Chart& chart, const std::string& width, const std::string& height) {
    const std::string size =
        "width=\"" + width + "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + " " + height + "\"";
    EXPECT_PRED2(test::contains, written(chart), size);
  };
  Chart chart = small_chart();
  expect_size(chart, "360", "270");
  chart.panels.resize(5, chart.panels[0]);
  chart.columns = 3;
  expect_size(chart, "1080", "540");
  chart.columns = 0;
  expect_size(chart, "360", "1350");
  chart.columns = 100;
  expect_size(chart, "1800", "270");
}

TEST(Chart, IsTheSameForEqualInput) { EXPECT_EQ(written(small_chart()), written(small_chart())); }

TEST(Chart, ShowsEveryTextValueKindAndStyle) {
  const std::vector<std::string> all = {
      written(small_chart()),
      changed([](Panel& panel) { panel.title = "Another error"; }),
      changed([](Panel& panel) { panel.x.label = "features"; }),
      changed([](Panel& panel) { panel.y.label = "risk"; }),
      changed([](Panel& panel) { panel.series[0].name = "first"; }),
      changed([](Panel& panel) { panel.series[0].name = ""; }),
      changed([](Panel& panel) { panel.series[0].y[1] = 4.5; }),
      changed([](Panel& panel) { panel.series[0].x[1] = 2.5; }),
      changed([](Panel& panel) { panel.series[0].kind = Series::Kind::points; }),
      changed([](Panel& panel) { panel.series[0].kind = Series::Kind::stems; }),
      changed([](Panel& panel) { panel.x.logarithmic = true; }),
      changed([](Panel& panel) { panel.y.logarithmic = true; }),
      changed([](Panel& panel) { panel.x.reversed = true; }),
      changed([](Panel& panel) { panel.y.reversed = true; }),
      changed([](Panel& panel) {
        panel.x.categories = {"a", "b", "c", "d"};
      }),
      changed([](Panel& panel) {
        panel.y.categories = {"a", "b", "c", "d"};
      }),
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(all[i], all[j]) << i << " and " << j;
    }
  }
}

TEST(Chart, HasEveryNameOnceAndADashAndAMarkerForEveryStyle) {
  const std::string svg = written(small_chart());
  for (const char* text : {">Error<", ">columns<", ">MSE<", ">one<", ">two<"}) EXPECT_EQ(count(svg, text), 1U) << text;
  // Three points and the legend's sample: circles of the first style, squares and two dashed lines of the second.
  EXPECT_EQ(count(svg, "<circle "), 4U);
  EXPECT_EQ(count(svg, "Z\" fill=\"#d55e00\""), 4U);
  EXPECT_EQ(count(svg, "stroke=\"#d55e00\" stroke-width=\"1.5\" stroke-dasharray=\"6 2.5\""), 2U);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2U);
}

TEST(Chart, Has36StylesThatDiffer) {
  std::vector<std::string> files;
  for (std::size_t style = 0; style < 36; ++style) {
    files.push_back(changed([&](Panel& panel) { panel.series[0].style = style; }));
  }
  std::ranges::sort(files);
  EXPECT_EQ(std::ranges::adjacent_find(files), files.end());
}

TEST(Chart, LeavesOutWhatHasNoPlaceAndBreaksTheLineThere) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto with = [](double value) {
    return changed([&](Panel& panel) {
      panel.series[0].x.insert(panel.series[0].x.begin() + 1, 1.5);
      panel.series[0].y.insert(panel.series[0].y.begin() + 1, value);
    });
  };
  const std::string broken = with(std::nan(""));
  EXPECT_EQ(with(infinity), broken);
  EXPECT_EQ(with(-infinity), broken);
  EXPECT_NE(broken, written(small_chart()));
  EXPECT_FALSE(test::contains(broken, "nan"));
  EXPECT_FALSE(test::contains(broken, "inf"));
}

TEST(Chart, LeavesOutWhatIsNotPositiveOnALogarithmicAxis) {
  const auto with = [](double value) {
    return changed([&](Panel& panel) {
      panel.y.logarithmic = true;
      panel.series[0].y[1] = value;
    });
  };
  EXPECT_EQ(with(0.0), with(std::nan("")));
  EXPECT_EQ(with(-3.0), with(std::nan("")));
}

TEST(Chart, SaysSoWhereThereAreNoData) {
  const Panel nothing;
  const std::string no_panels = written({});
  EXPECT_EQ(no_panels, written({{nothing}, 1}));
  Panel empty_series;
  empty_series.series = {{"void", {}, {}, Series::Kind::line, 0}};
  EXPECT_EQ(no_panels, written({{empty_series}, 1}));
  Panel without_places;
  without_places.series = {{"void", {1.0, std::nan("")}, {std::nan(""), 1.0}, Series::Kind::stems, 0}};
  EXPECT_EQ(no_panels, written({{without_places}, 1}));
  EXPECT_PRED2(test::contains, no_panels, ">no data</text>");
}

TEST(Chart, HasOneLegendForPanelsWithTheSameNames) {
  Chart alike = small_chart();
  alike.panels.push_back(alike.panels[0]);
  Chart second_without_names = alike;
  for (Series& series : second_without_names.panels[1].series) series.name.clear();
  // A panel without names has no legend; one with the names of the first panel looks the same.
  EXPECT_EQ(written(alike), written(second_without_names));
  Chart different = alike;
  different.panels[1].series[0].name = "three";
  EXPECT_NE(written(alike), written(different));
}

TEST(Chart, DrawsOnePointManyPointsAndEqualValues) {
  Panel panel;
  panel.series = {{"alone", {5.0}, {5.0}, Series::Kind::line, 0}};
  EXPECT_NE(written({{panel}, 1}), written({}));
  const std::vector<double> values = test::random_vector(5000, 1);
  panel.series = {{"many", values, values, Series::Kind::line, 7}, {"stems", values, values, Series::Kind::stems, 1}};
  EXPECT_FALSE(test::contains(written({{panel}, 1}), "nan"));
}

TEST(Chart, StaysSmallWithManyStems) {
  Panel panel;
  std::vector<double> places(20000);
  std::iota(places.begin(), places.end(), 0.0);
  std::vector<double> sizes = test::random_vector(20000, 2);
  panel.series = {{"", places, sizes, Series::Kind::stems, 0}};
  const std::string many = written({{panel}, 1});
  EXPECT_LT(many.size(), 200000U);
  // The longest are all there.
  const auto highest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
  panel.series[0].y[highest] *= 0.9;
  EXPECT_NE(written({{panel}, 1}), many);
}

TEST(Chart, DrawsManyCategoriesAndLongTexts) {
  Panel panel;
  panel.title = panel.x.label = panel.y.label = std::string(500, 'w') + "\u00E4";
  for (int k = 0; k < 200; ++k) panel.x.categories.push_back("c\u00E4tegory with a long name " + std::to_string(k));
  panel.y.categories = panel.x.categories;
  panel.series = {{panel.title, {0.0, 199.0}, {0.0, 199.0}, Series::Kind::points, 0}};
  EXPECT_FALSE(test::contains(written({{panel}, 1}), "nan"));
}

TEST(Chart, RefusesASeriesWithMoreXThanY) {
  Chart chart = small_chart();
  chart.panels[0].series[1].y.pop_back();
  const test::TemporaryFolder folder;
  const std::string message = message_of<DataError>([&] { write_chart(chart, folder.file("chart")); });
  test::expect_parts(message, {"\"two\"", "3 x", "2 y"});
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(Chart, RefusesTextThatIsNotUtf8AndPagesTooLarge) {
  Chart chart = small_chart();
  chart.panels[0].title = "\xFF";
  const test::TemporaryFolder folder;
  test::expect_parts(message_of<DataError>([&] { write_chart(chart, folder.file("chart")); }), {"UTF-8"});
  chart = small_chart();
  chart.panels.resize(100, chart.panels[0]);
  test::expect_parts(message_of<DataError>([&] { write_chart(chart, folder.file("chart")); }), {"fewer panels"});
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(Chart, SaysWhichFileCannotBeWritten) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("none/chart");
  const std::string message = message_of<FileError>([&] { write_chart(small_chart(), path); });
  test::expect_parts(message, {"cannot write", (path + ".svg").c_str()});
}

TEST(Chart, StaysAsItWasWhenTheDiskIsFull) {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("chart.svg"), "old");
  {
    const test::FullDisk disk(1000);
    EXPECT_THROW(write_chart(small_chart(), folder.file("chart")), FileError);
  }
  EXPECT_EQ(read_text(folder.file("chart.svg")), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

}  // namespace chart_test
}  // namespace shrimp::report
