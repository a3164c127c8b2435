// Figure "kernel": the minimum-norm solution on random features against regression with their kernel.
#include <fmt/format.h>

#include "experiments/experiments.hpp"
#include "experiments/measure.hpp"
#include "report/chart.hpp"

namespace shrimp::experiments {
namespace kernel_limit {
namespace {

using report::Chart;
using report::Panel;
using report::Series;
using report::write_chart;

constexpr std::size_t inputs = 5;

std::vector<std::size_t> sizes(const Settings& settings) {
  if (settings.quick) return {50, 200};
  return {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
}

std::size_t run_count(const Settings& settings) { return settings.runs > 0 ? settings.runs : settings.quick ? 1 : 5; }

std::string key_of(const Settings& settings, int q, std::size_t N, std::uint64_t seed) {
  return fmt::format("q = {}, {}{}, seed {}", q, N == 0 ? "kernel" : fmt::format("N = {}", N),
                     settings.quick ? ", quick" : "", seed);
}

Json run(const Settings& settings, int q, std::size_t N, std::uint64_t seed) {
  const TrainAndTest data = split_sample(sample(function_named("f_k"), settings.quick ? 60 : 200, inputs, seed));
  FitOptions options = synthetic_options(settings, N == 0 ? "salsa" : "min-l2", q, seed);
  options.draw.features = N == 0 ? 1 : N;
  options.kernel.by_order = true;
  options.sparse.lambdas = {0.0};
  return fit_and_test(data, options);
}

std::vector<Task> make_tasks(const Settings& settings) {
  std::vector<Task> tasks;
  for (int q = 1; q <= 5; ++q) {
    for (std::size_t k = 0; k < run_count(settings); ++k) {
      std::vector<std::size_t> all = sizes(settings);
      all.insert(all.begin(), 0);
      for (const std::size_t N : all) {
        const std::uint64_t seed = settings.seed + k;
        tasks.push_back({key_of(settings, q, N, seed), [=] { return run(settings, q, N, seed); }});
      }
    }
  }
  return tasks;
}

std::optional<double> mean_of(const Settings& settings, const Results& results, int q, std::size_t N) {
  std::vector<double> values;
  for (std::size_t k = 0; k < run_count(settings); ++k) {
    if (const auto value = results.number(key_of(settings, q, N, settings.seed + k), "test_mse"))
      values.push_back(*value);
  }
  return mean(values);
}

Page make_page(const Settings& settings, const Results& results, const std::string& folder) {
  Chart chart{{}, 3};
  Table table{fmt::format("Test MSE, mean of {} runs", run_count(settings)), {"q", "kernel"}, {}};
  for (const std::size_t N : sizes(settings)) table.header.push_back(fmt::format("N = {}", N));
  for (int q = 1; q <= 5; ++q) {
    Panel panel{fmt::format("q = {}", q), {"N", true}, {"test MSE", true}, {}};
    Series features{"min-ℓ2", {}, {}, Series::Kind::line, 0};
    Series kernel{"kernel", {}, {}, Series::Kind::line, 1};
    const auto limit = mean_of(settings, results, q, 0);
    std::vector<std::string> row = {std::to_string(q), format(limit)};
    for (const std::size_t N : sizes(settings)) {
      const auto value = mean_of(settings, results, q, N);
      row.push_back(format(value));
      if (!value || !limit) continue;
      features.x.push_back(static_cast<double>(N));
      features.y.push_back(*value);
      kernel.x.push_back(static_cast<double>(N));
      kernel.y.push_back(*limit);
    }
    panel.series = {features, kernel};
    chart.panels.push_back(std::move(panel));
    table.rows.push_back(std::move(row));
  }
  write_chart(chart, folder + "/kernel");
  Page page{"Random features and their kernel", {}};
  page.blocks.emplace_back(
      Paragraph{"f = x4² + x2 x3 + x1 x2 + x4, d = 5, 140 training rows. The paper: as N grows, the min-ℓ2 "
                "solution approaches kernel regression for q = 3, 4, 5. For q = 2, the true order, it is "
                "significantly better."});
  page.blocks.emplace_back(Figure{"kernel", "Test error of the min-ℓ2 solution against the number of weight vectors."});
  page.blocks.emplace_back(std::move(table));
  return page;
}

}  // namespace
}  // namespace kernel_limit

const Experiment fig_kernel = {"fig-kernel", "Random features and their kernel", false, kernel_limit::make_tasks,
                               kernel_limit::make_page};

}  // namespace shrimp::experiments
