#include "experiments/experiment.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "data/file.hpp"
#include "report/text.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/version.hpp"

namespace shrimp::experiments {
namespace {

constexpr const char* results_file = "runs.jsonl";

// The results so far. A line that was cut short, when the program or the machine was stopped, is passed over.
Results read_results(const std::filesystem::path& path) {
  Results results;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Json json = parse_json_or_discard(line);
    if (!json.is_object() || !json.contains("key") || !json.contains("result")) continue;
    // Versions before 0.3 wrote the number of basis functions as "columns".
    if (Json& result = json["result"]; result.is_object() && result.contains("columns")) {
      const Json count = result["columns"];
      result.erase("columns");
      result["basis_functions"] = count;
    }
    results.put(json["key"], json["result"], json.value("seconds", 0.0));
  }
  return results;
}

void append_line(const std::filesystem::path& path, const Json& json) {
  std::ofstream file(path, std::ios::app);
  file << json.dump() << std::endl;
  if (!file) throw FileError(fmt::format("{} cannot be written.\nGive another folder with --output.", path.string()));
}

Json run_task(const Task& task) {
  try {
    return task.run();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

// Links every experiment that has a page in this folder.
void write_report(const std::filesystem::path& folder) {
  std::string items;
  for (const Experiment& experiment : all_experiments()) {
    const std::string name(experiment.name);
    if (!std::filesystem::exists(folder / name / "index.html")) continue;
    items += fmt::format("<li><a href=\"{0}/index.html\">{0}</a>: {1}</li>\n", name, report::escaped(experiment.title));
  }
  write_file(
      (folder / "index.html").string(),
      fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<title>The paper's results, reproduced</title>\n</head>\n<body style=\"font:16px/1.5 system-ui,"
                  "sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem\">\n<h1>The paper's results, reproduced"
                  "</h1>\n<ul>\n{}</ul>\n</body>\n</html>\n",
                  items));
}

Paragraph provenance(const Experiment& experiment, const Settings& settings, const Results& results) {
  return {fmt::format("Made by shrimp {} with shrimp experiment {}{} --seed {} in {} of computing time.", version,
                      std::string(experiment.name), settings.quick ? " --quick" : "", settings.seed,
                      results.seconds() < 100 ? fmt::format("{:.1f} s", results.seconds())
                                              : fmt::format("{:.0f} min", results.seconds() / 60.0))};
}

}  // namespace

void Results::put(const std::string& key, Json result, double seconds) {
  results_[key] = std::move(result);
  seconds_ += seconds;
}

std::optional<double> Results::number(const std::string& key, const char* field) const {
  const auto found = results_.find(key);
  if (found == results_.end() || !found->second.contains(field) || !found->second[field].is_number()) return {};
  return found->second[field].get<double>();
}

std::vector<double> Results::numbers(const std::string& key, const char* field) const {
  const auto found = results_.find(key);
  std::vector<double> values;
  if (found == results_.end() || !found->second.contains(field)) return values;
  for (const Json& value : found->second[field])
    values.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  return values;
}

std::string Results::error(const std::string& key) const {
  const auto found = results_.find(key);
  return found == results_.end() ? "" : found->second.value("error", "");
}

void run_experiment(const Experiment& experiment, const Settings& settings,
                    const std::function<void(const Progress&)>& on_task) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const std::filesystem::path folder = std::filesystem::path(settings.output) / experiment.name;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    throw FileError(
        fmt::format("{} cannot be made: {}.\nGive another folder with --output.", folder.string(), failed.message()));
  }
  Results results = read_results(folder / results_file);
  std::vector<Task> left = experiment.tasks(settings);
  std::erase_if(left, [&](const Task& task) { return results.has(task.key); });
  const auto start = now();
  for (std::size_t k = 0; k < left.size(); ++k) {
    const double elapsed = std::chrono::duration<double>(now() - start).count();
    const double each = k == 0 ? 0.0 : elapsed / static_cast<double>(k);
    on_task({k, left.size(), left[k].key, each * static_cast<double>(left.size() - k)});
    const auto begun = now();
    Json result = run_task(left[k]);
    const double seconds = std::chrono::duration<double>(now() - begun).count();
    append_line(folder / results_file, {{"key", left[k].key}, {"seconds", seconds}, {"result", result}});
    results.put(left[k].key, std::move(result), seconds);
  }
  Page page = experiment.report(settings, results, folder.string());
  page.blocks.emplace_back(provenance(experiment, settings, results));
  write_file((folder / "index.html").string(), to_html(page));
  write_file((folder / "index.md").string(), to_markdown(page));
  write_report(settings.output);
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return {};
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double spread(std::span<const double> values) {
  if (values.size() < 2) return 0.0;
  const double centre = *mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

std::string format(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "–";
  return *value != 0.0 && (std::abs(*value) < 1e-2 || std::abs(*value) >= 1e4) ? fmt::format("{:.2e}", *value)
                                                                               : fmt::format("{:.3g}", *value);
}

std::string format_ratio(std::optional<double> ours, std::optional<double> paper) {
  if (!ours || !paper || *paper == 0.0) return "–";
  const double ratio = *ours / *paper;
  return ratio < 1e-2 || ratio >= 1e3 ? fmt::format("{:.0e} ×", ratio) : fmt::format("{:.2g} ×", ratio);
}

}  // namespace shrimp::experiments
