// Figure "support": which inputs and functions the columns of f_s = 3 cos x3 + 4 sin x4 + 2 sin x2 that stay have.
#include <fmt/format.h>

#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/measure.hpp"
#include "report/chart.hpp"
#include "shrimp/path.hpp"

namespace shrimp::experiments {
namespace support_recovery {
namespace {

using report::Chart;
using report::Panel;
using report::Series;
using report::write_chart;

constexpr std::size_t inputs = 5;
constexpr std::size_t shown_steps[] = {0, 4, 14, 28};

std::string key_of(const Settings& settings) {
  return fmt::format("f_s{}, seed {}", settings.quick ? ", quick" : "", settings.seed);
}

double error_of(const PathStep& step, MatrixView A, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double gap = -y[i];
    for (std::size_t k = 0; k < step.columns.size(); ++k) gap += step.coefficients[k] * A(i, step.columns[k]);
    sum += gap * gap;
  }
  return sum / static_cast<double>(y.size());
}

// Group 2j is cos on input j, group 2j + 1 is sin on it.
std::size_t group_of(const Dictionary& dictionary, std::size_t column) {
  return 2 * dictionary.support(column).front() + (dictionary.functions[column] == Function::sin ? 1 : 0);
}

Json run(const Settings& settings) {
  const TestFunction& function = function_named("f_s");
  const std::size_t points = settings.quick ? 100 : 1000;
  const Dataset train = sample(function, points, inputs, settings.seed);
  const Dataset test = sample(function, points, inputs, settings.seed + 1000);
  FeatureOptions drawn;
  drawn.orders = {1};
  drawn.features = settings.quick ? 500 : 10000;
  drawn.seed = settings.seed;
  const Dictionary dictionary = make_dictionary(draw_weights(inputs, drawn), Basis::fourier);
  const Matrix A = evaluate(dictionary, train.X);
  const Matrix tested = evaluate(dictionary, test.X);
  Json json;
  visit_prune_path(A, train.y, {}, [&](const PathStep& step) {
    const std::size_t t = json.contains("basis_functions") ? json["basis_functions"].size() : 0;
    json["basis_functions"].push_back(step.columns.size());
    json["test_mse"].push_back(error_of(step, tested, test.y));
    std::vector<double> weights(2 * inputs, 0.0);  // The sum of |c| in each group.
    for (std::size_t k = 0; k < step.columns.size(); ++k) {
      weights[group_of(dictionary, step.columns[k])] += std::abs(step.coefficients[k]);
    }
    json[fmt::format("weights {}", t)] = weights;
    if (std::ranges::find(shown_steps, t) != std::end(shown_steps)) {
      Json shown;
      for (std::size_t k = 0; k < step.columns.size(); ++k) {
        shown["column"].push_back(step.columns[k]);
        shown["size"].push_back(std::abs(step.coefficients[k]));
      }
      json[fmt::format("step {} column", t)] = shown["column"];
      json[fmt::format("step {} size", t)] = shown["size"];
    }
    return true;
  });
  return json;
}

std::vector<Task> make_tasks(const Settings& settings) {
  return {{key_of(settings), [settings] { return run(settings); }}};
}

Page make_page(const Settings& settings, const Results& results, const std::string& folder) {
  const std::string key = key_of(settings);
  const auto columns = results.numbers(key, "basis_functions");
  const auto errors = results.numbers(key, "test_mse");
  Chart chart{{}, 3};
  for (const std::size_t t : shown_steps) {
    if (t >= columns.size()) continue;
    Panel panel{fmt::format("t = {}: {} basis functions", t, columns[t]),
                {"basis function: cos on x1 … x5, then sin"},
                {"|c|"},
                {}};
    panel.series.push_back({"", results.numbers(key, fmt::format("step {} column", t).c_str()),
                            results.numbers(key, fmt::format("step {} size", t).c_str()), Series::Kind::stems, 0});
    chart.panels.push_back(std::move(panel));
  }
  Panel curve{"Test error along the path", {"basis functions N_t", true, true}, {"test MSE", true}, {}};
  curve.series.push_back({"", columns, errors, Series::Kind::line, 0});
  chart.panels.push_back(std::move(curve));
  write_chart(chart, folder + "/support");

  Page page{"Support recovery", {}};
  page.blocks.emplace_back(
      Paragraph{"f_s = 3 cos x3 + 4 sin x4 + 2 sin x2 of five inputs, 1000 points, N = 10000, p = 0.2. The "
                "paper: from 879 basis functions on, all depend on x2, x3 or x4. They are even functions "
                "of x3 and odd functions of x2 and x4. The test error is least at 38 basis functions."});
  page.blocks.emplace_back(Figure{"support", "Coefficients at four steps, and the test error along the path."});
  const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
  Table table{"Sum of |c| by function and input", {"step", "basis functions", "test MSE"}, {}};
  for (const char* name :
       {"cos x1", "sin x1", "cos x2", "sin x2", "cos x3", "sin x3", "cos x4", "sin x4", "cos x5", "sin x5"}) {
    table.header.emplace_back(name);
  }
  for (std::size_t t = 0; t < columns.size(); ++t) {
    const bool shown = std::ranges::find(shown_steps, t) != std::end(shown_steps) || t == best;
    if (!shown) continue;
    std::vector<std::string> row = {fmt::format("{}{}", t, t == best ? " (best)" : ""), format(columns[t]),
                                    format(errors[t])};
    for (const double weight : results.numbers(key, fmt::format("weights {}", t).c_str()))
      row.push_back(format(weight));
    table.rows.push_back(std::move(row));
  }
  page.blocks.emplace_back(std::move(table));
  return page;
}

}  // namespace
}  // namespace support_recovery

const Experiment fig_support = {"fig-support", "Support recovery", false, support_recovery::make_tasks,
                                support_recovery::make_page};

}  // namespace shrimp::experiments
