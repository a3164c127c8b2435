// Figures "role", "naive" and "high order": test error against the number of columns.
#include <fmt/format.h>

#include "experiments/experiments.hpp"
#include "experiments/measure.hpp"
#include "report/chart.hpp"
#include "shrimp/path.hpp"

namespace shrimp::experiments {
namespace {

using report::Chart;
using report::Panel;
using report::Series;
using report::write_chart;

constexpr std::string_view role_functions[] = {"f2", "f5 (run)", "f7", "f1", "f3", "f4 (run)", "f6"};
constexpr std::string_view naive_functions[] = {"f2", "f5 (run)", "f7", "f3", "f4 (run)", "f6"};
constexpr std::string_view high_order_functions[] = {"f_h1", "f_h2", "f_h3"};

struct Curve {
  const char* name;
  std::string_view method;
  std::size_t style;
};

constexpr Curve shrimp_curve = {"SHRIMP", "shrimp", 0};
constexpr Curve min_l2_curve = {"min-ℓ2", "min-l2", 1};
constexpr Curve srfe_curve = {"SRFE-S", "srfe-s", 2};
constexpr Curve naive_curve = {"naive pruning", "naive-prune", 3};

std::string key_of(const Settings& settings, std::string_view function, const Curve& curve) {
  return fmt::format("{}, {}{}, seed {}", std::string(function), curve.name, settings.quick ? ", quick" : "",
                     settings.seed);
}

// Methods that do not prune are fitted anew with each number of columns that pruning runs through.
Json fit_sizes(const Settings& settings, const TrainAndTest& data, const FitOptions& options) {
  FeatureOptions drawn;
  drawn.orders = options.orders.front();
  drawn.features = options.draw.features;
  const std::size_t first = 2 * count_weights(data.train.inputs.size(), drawn);
  Json json;
  for (const std::size_t columns : path_sizes(first, settings.quick ? 0.6 : 0.2)) {
    FitOptions own = options;
    own.draw.features = columns / 2;
    if (own.draw.features < 1) continue;
    json["basis_functions"].push_back(columns);
    json["test_mse"].push_back(fit_and_test(data, own)["test_mse"]);
  }
  return json;
}

Json run_curve(const Settings& settings, std::string_view name, const Curve& curve) {
  const TestFunction& function = function_named(name);
  const TrainAndTest data = split_sample(sample(function, settings.quick ? 100 : 200, 10, settings.seed));
  FitOptions options = synthetic_options(settings, curve.method, function.order, settings.seed);
  if (curve.method == "shrimp" || curve.method == "naive-prune") {
    if (settings.quick) options.prune.rates = {0.6};
    return fit_path(data, options);
  }
  options.sparse.sparsities = {0};
  return fit_sizes(settings, data, options);
}

std::vector<Task> make_tasks(const Settings& settings, std::span<const std::string_view> functions,
                             std::span<const Curve> curves) {
  std::vector<Task> tasks;
  for (const std::string_view function : functions) {
    for (const Curve& curve : curves) {
      tasks.push_back(
          {key_of(settings, function, curve), [=, &curve] { return run_curve(settings, function, curve); }});
    }
  }
  return tasks;
}

Page make_page(const Settings& settings, const Results& results, const std::string& folder, const std::string& title,
               const std::string& claim, std::span<const std::string_view> functions, std::span<const Curve> curves) {
  Chart chart{{}, 3};
  Table table{"Least test MSE along each curve, and the number of basis functions there", {"function"}, {}};
  for (const Curve& curve : curves) table.header.insert(table.header.end(), {curve.name, "basis functions"});
  for (const std::string_view function : functions) {
    Panel panel{std::string(function), {"basis functions N_t", true, true}, {"test MSE", true}, {}};
    std::vector<std::string> row = {std::string(function)};
    for (const Curve& curve : curves) {
      const std::string key = key_of(settings, function, curve);
      panel.series.push_back({curve.name, results.numbers(key, "basis_functions"), results.numbers(key, "test_mse"),
                              Series::Kind::line, curve.style});
      const Series& series = panel.series.back();
      const auto least = std::ranges::min_element(series.y);
      const bool any = least != series.y.end();
      row.push_back(any ? format(*least) : "–");
      row.push_back(any ? format(series.x[static_cast<std::size_t>(least - series.y.begin())]) : "–");
    }
    chart.panels.push_back(std::move(panel));
    table.rows.push_back(std::move(row));
  }
  write_chart(chart, folder + "/curves");
  Page page{title, {}};
  page.blocks.emplace_back(Paragraph{claim});
  page.blocks.emplace_back(Figure{"curves", "Test error against the number of basis functions, from many to few."});
  page.blocks.emplace_back(std::move(table));
  page.blocks.emplace_back(
      Paragraph{"d = 10, 140 training rows, N = 10000 at the start, q = q* (q = d for high-order "
                "functions). Pruned models are those of the path, fitted to 90 % of the training rows. The "
                "other methods are fitted to all training rows, separately for each number of basis "
                "functions."});
  return page;
}

constexpr Curve role_curves[] = {shrimp_curve, min_l2_curve, srfe_curve};
constexpr Curve naive_curves[] = {shrimp_curve, min_l2_curve, naive_curve};

}  // namespace

const Experiment fig_role = {
    "fig-role", "Test error against the number of basis functions: SHRIMP, min-ℓ2, SRFE-S", false,
    [](const Settings& settings) { return make_tasks(settings, role_functions, role_curves); },
    [](const Settings& settings, const Results& results, const std::string& folder) {
      return make_page(settings, results, folder, "The role of iterative magnitude pruning",
                       "The paper: pruned models beat the min-ℓ2 and min-ℓ1 solutions with far fewer basis "
                       "functions, and min-ℓ1 hardly depends on their number.",
                       role_functions, role_curves);
    }};

const Experiment fig_naive = {
    "fig-naive", "Pruning without fitting again", false,
    [](const Settings& settings) { return make_tasks(settings, naive_functions, naive_curves); },
    [](const Settings& settings, const Results& results, const std::string& folder) {
      return make_page(settings, results, folder, "Pruning without fitting again",
                       "The paper: naive pruning is worse than the min-ℓ2 solution from which it starts.",
                       naive_functions, naive_curves);
    }};

const Experiment fig_high_order = {
    "fig-high-order", "Functions of high order", false,
    [](const Settings& settings) { return make_tasks(settings, high_order_functions, role_curves); },
    [](const Settings& settings, const Results& results, const std::string& folder) {
      return make_page(settings, results, folder, "Functions of high order",
                       "The paper: SHRIMP finds better and sparser models of f_h1 and f_h2. On f_h3, whose "
                       "weights are dense, it is comparable to SRFE-S.",
                       high_order_functions, role_curves);
    }};

}  // namespace shrimp::experiments
