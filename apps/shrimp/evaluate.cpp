#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "any_model.hpp"
#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/class_scores.hpp"
#include "data/classes.hpp"
#include "data/file.hpp"
#include "data/names.hpp"
#include "data/scores.hpp"
#include "model/finite_predictions.hpp"
#include "model/model_loss.hpp"
#include "named_rows.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"
#include "summary.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

struct EvaluateCommand {
  std::string model;
  std::string data;
  std::string target;
  int threads = 0;
  bool json = false;
  bool quiet = false;

  void run() const {
    require_separate({{"the model", model}, {"the table", data}}, {});
    const AnyModel any = load_any_model(model);
    if (const ClassModel* const classes = std::get_if<ClassModel>(&any)) {
      const MultiClassScores scores = compare_classes(*classes);
      print({{"log loss", "log_loss", scores.log_loss},
             {"AUC", "auc", scores.auc},
             {"accuracy", "accuracy", scores.accuracy},
             {"calibration error", "calibration_error", scores.calibration_error},
             {"Brier score", "brier", scores.brier}},
            scores.rows);
      return;
    }
    const Model& fitted = std::get<Model>(any);
    const Compared compared = compare(fitted);
    const std::vector<Score> scores =
        loss_of(fitted) == Loss::logistic ? class_scores(compared) : number_scores(fitted, compared);
    print(scores, compared.scores.rows);
  }

 private:
  struct Score {
    std::string_view name;
    std::string_view key;  // In JSON.
    double value;
  };

  void print(const std::vector<Score>& scores, std::size_t rows) const {
    if (json) {
      Json object = {{"schema_version", schema_version}, {"rows", rows}};
      for (const Score& score : scores) object[std::string(score.key)] = number_json(score.value);
      write_data("-", object.dump(1) + "\n");
      return;
    }
    std::size_t width = 4;
    for (const Score& score : scores) width = std::max(width, score.name.size());
    std::string text = fmt::format("{:<{}}  {}\n", "rows", width, rows);
    for (const Score& score : scores) text += fmt::format("{:<{}}  {}\n", score.name, width, score_text(score.value));
    write_file("-", text);
  }

  // Scores of losses other than squared error need all rows at once.
  struct Compared {
    Scores scores;
    std::vector<double> predicted;
    std::vector<double> truth;
  };

  // R² of targets that are all alike, and the area under the curve of one class, are not defined.
  static std::string score_text(double value) {
    return std::isnan(value) ? "not defined for these rows" : fmt::format("{:.6g}", value);
  }

  static std::vector<Score> squared_scores(const Scores& scores) {
    return {{"MSE", "mse", scores.mse},
            {"RMSE", "rmse", std::sqrt(scores.mse)},
            {"MAE", "mae", scores.mae},
            {"R2", "r2", scores.r2}};
  }

  static std::vector<Score> number_scores(const Model& fitted, const Compared& compared) {
    std::vector<Score> all = squared_scores(compared.scores);
    if (!has_metric_of_loss(fitted)) return all;
    const LossFunction loss = loss_function_of(fitted);
    const Metric& metric = loss.objective().metric;
    all.insert(all.begin(), {metric.name, metric.key, metric_of_means(loss, compared.truth, compared.predicted)});
    return all;
  }

  static std::vector<Score> class_scores(const Compared& compared) {
    const ClassScores scores = score_classes(compared.predicted, compared.truth);
    std::vector<Score> all = {{"log loss", "log_loss", scores.log_loss},
                              {"AUC", "auc", scores.auc},
                              {"accuracy", "accuracy", scores.accuracy},
                              {"calibration error", "calibration_error", scores.calibration_error}};
    std::ranges::copy(squared_scores(compared.scores), std::back_inserter(all));
    return all;
  }

  // The scale of Huber's loss is that of the training rows, and a custom loss has no function here.
  static bool has_metric_of_loss(const Model& fitted) {
    const Loss loss = loss_of(fitted);
    return loss != Loss::squared && loss != Loss::huber && loss != Loss::custom;
  }

  [[nodiscard]] Compared compare(const Model& fitted) const {
    const std::string& truth = target.empty() ? fitted.target : target;
    const std::size_t inputs = fitted.inputs.size();
    const std::string exposure = exposure_of(fitted);
    std::vector<std::string> others = {truth};
    if (!exposure.empty()) others.push_back(exposure);
    NamedRows rows(data, fitted, others, threads, !fitted.classes.empty());
    // A file without the model's own target is bad; one without the column that --target names shows a wrong flag.
    if (!target.empty()) require_target(rows.heading(), target, data);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    if (find_name(fitted.inputs, truth)) {
      print_warnings({fmt::format("the target \"{}\" is an input of the model, which predicts \"{}\": the errors below "
                                  "compare these two columns.",
                                  truth, fitted.target)},
                     quiet);
    }
    ClippedCount clipped(fitted);
    RunningScores scores;
    Compared compared;
    std::size_t before = 0;
    rows.for_each([&](MatrixView values) {
      const MatrixView X{values.data, values.rows, inputs, values.stride};
      clipped.add(X);
      std::vector<double> predictions = fitted.predict(X, threads);
      require_finite(predictions, before);
      std::vector<double> y(values.col(inputs).begin(), values.col(inputs).end());
      if (!fitted.classes.empty()) y = class_numbers(y, rows.levels(), fitted.classes, data, before);
      if (!exposure.empty()) multiply_by(predictions, values.col(inputs + 1), before);
      before += predictions.size();
      scores.add(predictions, y);
      if (!has_metric_of_loss(fitted)) return;
      compared.predicted.insert(compared.predicted.end(), predictions.begin(), predictions.end());
      compared.truth.insert(compared.truth.end(), y.begin(), y.end());
    });
    clipped.print(quiet);
    print_warnings(rows.warnings(), quiet);
    compared.scores = scores.scores();
    return compared;
  }

  [[nodiscard]] MultiClassScores compare_classes(const ClassModel& fitted) const {
    const std::string& truth = target.empty() ? fitted.shared.target : target;
    const std::size_t inputs = fitted.shared.inputs.size();
    NamedRows rows(data, fitted.shared, {truth}, threads, true);
    if (!target.empty()) require_target(rows.heading(), target, data);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    ClippedCount clipped(fitted.shared);
    std::vector<std::vector<double>> probabilities(fitted.classes.size());
    std::vector<double> y;
    rows.for_each([&](MatrixView values) {
      const MatrixView X{values.data, values.rows, inputs, values.stride};
      clipped.add(X);
      const Matrix P = fitted.predict_probabilities(X, threads);
      const std::vector<double> own = class_numbers(values.col(inputs), rows.levels(), fitted.classes, data, y.size());
      for (std::size_t k = 0; k < P.cols(); ++k) {
        require_finite(P.col(k), y.size());
        probabilities[k].insert(probabilities[k].end(), P.col(k).begin(), P.col(k).end());
      }
      y.insert(y.end(), own.begin(), own.end());
    });
    clipped.print(quiet);
    print_warnings(rows.warnings(), quiet);
    Matrix all = Matrix::uninitialized(y.size(), fitted.classes.size());
    for (std::size_t k = 0; k < all.cols(); ++k) std::ranges::copy(probabilities[k], all.col(k).begin());
    return score_several_classes(all, y);
  }

  // Counts that are expected of rates.
  void multiply_by(std::vector<double>& rates, std::span<const double> exposure, std::size_t before) const {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (!(exposure[i] > 0.0)) {
        throw DataError(fmt::format("{} row {}: the exposure {} is not a number above 0.\nCorrect or drop the row.",
                                    data, before + i + 1, exposure[i]));
      }
      rates[i] *= exposure[i];
    }
  }
};

}  // namespace

void add_evaluate(const Command& app) {
  const Command command = app.add_command("evaluate", "Evaluate a model's predictions on a table");
  auto state = std::make_shared<EvaluateCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  command
      .option(
          "DATA.csv", state->data,
          "Table with observed values; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--target", state->target, "Column with the observed values (default: the model's target)")
      .value("NAME");
  command.threads(state->threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
