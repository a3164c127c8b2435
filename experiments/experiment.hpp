// An experiment of the paper: tasks whose results are stored one by one, and a page that shows them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/json.hpp"
#include "experiments/page.hpp"

namespace shrimp::experiments {

struct Settings {
  bool quick = false;      ///< Small sizes that show that everything works; their numbers mean little.
  bool long_runs = false;  ///< Also what takes hours: basis pursuit in high dimension.
  std::size_t runs = 0;    ///< 0: as many as the paper.
  std::uint64_t seed = 0;  ///< Run k uses seed + k.
  std::string data;        ///< Folder of the real data sets; empty if there are no data.
  std::string output;      ///< Folder for results and pages.
  int threads = 0;
  std::string device = "cpu";  ///< As `shrimp fit --device` takes it.
};

/// One unit of computation. The key names all settings: results with the same key are not computed again.
struct Task {
  std::string key;
  std::function<Json()> run;
};

/// The results of finished tasks, by key.
class Results {
 public:
  void put(const std::string& key, Json result, double seconds);
  [[nodiscard]] bool has(const std::string& key) const { return results_.contains(key); }
  /// A number of a result; none where the task did not finish, failed, or gave no such number.
  [[nodiscard]] std::optional<double> number(const std::string& key, const char* field) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& key, const char* field) const;
  [[nodiscard]] std::string error(const std::string& key) const;
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  std::map<std::string, Json> results_;
  double seconds_ = 0.0;
};

struct Experiment {
  std::string_view name;
  std::string_view title;
  bool needs_data;
  std::vector<Task> (*tasks)(const Settings& settings);
  /// Writes charts into `folder`.
  Page (*report)(const Settings& settings, const Results& results, const std::string& folder);
};

[[nodiscard]] std::span<const Experiment> all_experiments();

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::string key;            ///< The key of the task that begins.
  double seconds_left = 0.0;  ///< An estimate by the tasks done so far.
};

/// Runs the unfinished tasks and appends a line to OUTPUT/NAME/runs.jsonl after each. Then writes the page
/// OUTPUT/NAME/index.html (and index.md), and OUTPUT/index.html, which links all pages. A task that throws becomes a
/// line with its error. Throws FileError.
void run_experiment(const Experiment& experiment, const Settings& settings,
                    const std::function<void(const Progress&)>& on_task);

/// Mean of the values; none if there are no values.
[[nodiscard]] std::optional<double> mean(std::span<const double> values);
/// Standard deviation (1/(n−1)); 0 for one value.
[[nodiscard]] double spread(std::span<const double> values);

/// "1.23e-05", or a dash.
[[nodiscard]] std::string format(std::optional<double> value);

/// Ours over the paper's, as "0.8 ×", or a dash.
[[nodiscard]] std::string format_ratio(std::optional<double> ours, std::optional<double> paper);

}  // namespace shrimp::experiments
