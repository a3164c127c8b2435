#include <fmt/format.h>

#include <iterator>
#include <memory>

#include "any_model.hpp"
#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "interruptible_fit.hpp"
#include "model/finite_predictions.hpp"
#include "named_rows.hpp"
#include "separate_files.hpp"
#include "shrimp/intervals.hpp"
#include "shrimp/model.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

bool is_of_classes(const Model& model) { return model.classes.size() == 2; }

std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",;\"\r\n\t ") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  std::optional<double> interval;
  int threads = 0;
  bool quiet = false;

  void run() const {
    require_separate({{"the model", model}, {"the table", data}}, {{"--output", output}});
    const AnyModel any = load_any_model(model);
    if (const ClassModel* const classes = std::get_if<ClassModel>(&any)) return predict_classes(*classes);
    const Model& fitted = std::get<Model>(any);
    if (interval) require_intervals(fitted, *interval, model);
    NamedRows rows(data, fitted, {}, threads);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    if (interval) print_warnings(level_warnings(fitted), quiet);
    OutputFile file(output);
    const RemovedIfInterrupted unfinished(file.temporary());
    ClippedCount clipped(fitted);
    std::string text = "prediction";
    if (is_of_classes(fitted)) text += ",class";
    text += interval ? ",lower,upper\n" : "\n";
    write_rows(rows, clipped, file, std::move(text),
               [&](MatrixView X, std::size_t before, std::string& lines) { append(fitted, X, before, lines); });
  }

 private:
  template <typename Append>
  void write_rows(NamedRows& rows, ClippedCount& clipped, OutputFile& file, std::string text,
                  const Append& append_lines) const {
    std::size_t before = 0;
    rows.for_each([&](MatrixView X) {
      clipped.add(X);
      append_lines(X, before, text);
      before += X.rows;
      file.write(as_written(output, text));
      text.clear();
    });
    file.finish();
    clipped.print(quiet);
    print_warnings(rows.warnings(), quiet);
  }

  /// The most probable class, and the probability of each.
  void predict_classes(const ClassModel& fitted) const {
    if (interval) require_intervals(fitted.shared, *interval, model);
    NamedRows rows(data, fitted.shared, {}, threads);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    OutputFile file(output);
    const RemovedIfInterrupted unfinished(file.temporary());
    ClippedCount clipped(fitted.shared);
    std::string heading = "class";
    std::vector<std::string> names;
    for (const std::string& name : fitted.classes) {
      heading += "," + csv_cell(fmt::format("probability({})", name));
      names.push_back(csv_cell(name));
    }
    write_rows(rows, clipped, file, heading + "\n", [&](MatrixView X, std::size_t before, std::string& text) {
      const Matrix P = fitted.predict_probabilities(X, threads);
      for (std::size_t k = 0; k < P.cols(); ++k) require_finite(P.col(k), before);
      const auto end = std::back_inserter(text);
      for (std::size_t i = 0; i < P.rows(); ++i) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < P.cols(); ++k) best = P(i, k) > P(i, best) ? k : best;
        text += names[best];
        for (std::size_t k = 0; k < P.cols(); ++k) fmt::format_to(end, ",{}", P(i, k));
        text += '\n';
      }
    });
  }

  [[nodiscard]] std::vector<std::string> level_warnings(const Model& fitted) const {
    const std::string warning = level_warning(fitted, *interval);
    return warning.empty() ? std::vector<std::string>() : std::vector{warning};
  }

  void append(const Model& fitted, MatrixView X, std::size_t before, std::string& text) const {
    const auto end = std::back_inserter(text);
    PredictionIntervals found;
    if (interval) {
      found = predict_intervals(fitted, X, *interval, threads);
    } else {
      found.prediction = fitted.predict(X, threads);
    }
    require_finite(found.prediction, before);
    for (const std::vector<double>* bounds : {&found.lower, &found.upper}) require_finite_intervals(*bounds, before);
    std::vector<std::string> names;
    for (const std::string& name : fitted.classes) names.push_back(csv_cell(name));
    for (std::size_t i = 0; i < found.prediction.size(); ++i) {
      const double value = found.prediction[i];
      fmt::format_to(end, "{}", value);
      if (is_of_classes(fitted)) fmt::format_to(end, ",{}", names[value > 0.5 ? 1 : 0]);
      if (interval) fmt::format_to(end, ",{},{}", found.lower[i], found.upper[i]);
      text += '\n';
    }
  }
};

}  // namespace

void add_predict(const Command& app) {
  const Command command = app.add_command("predict", "Predict the target for the rows of a table");
  auto state = std::make_shared<PredictCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  command
      .option(
          "DATA.csv", state->data,
          "Table with rows to predict; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--output", state->output, "CSV file to write; - is standard output (default)").value("OUT.csv");
  command
      .option("--interval", state->interval,
              "Add columns lower and upper: intervals of the target or the class probability; level between 0 and 1, "
              "such as 0.9 (default none)")
      .value("SHARE");
  command.threads(state->threads);
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
