#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "data/names.hpp"
#include "data/scores.hpp"
#include "model/finite_predictions.hpp"
#include "named_rows.hpp"
#include "shrimp/model.hpp"
#include "summary.hpp"

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
    const Model fitted = load_model(model);
    const Scores scores = compare(fitted);
    const double rmse = std::sqrt(scores.mse);
    if (json) {
      const Json object = {{"schema_version", schema_version}, {"rows", scores.rows},
                           {"mse", number_json(scores.mse)},   {"rmse", number_json(rmse)},
                           {"mae", number_json(scores.mae)},   {"r2", number_json(scores.r2)}};
      write_file("-", object.dump(1) + "\n");
    } else {
      write_file("-", fmt::format("rows  {}\nMSE   {:.6g}\nRMSE  {:.6g}\nMAE   {:.6g}\nR2    {:.6g}\n", scores.rows,
                                  scores.mse, rmse, scores.mae, scores.r2));
    }
  }

 private:
  [[nodiscard]] Scores compare(const Model& fitted) const {
    const std::string& truth = target.empty() ? fitted.target : target;
    NamedRows rows(data, fitted, {truth}, threads);
    // A file without the model's own target is bad; one without the column that --target names shows a wrong flag.
    if (!target.empty()) require_target(rows.heading(), target, data);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    if (find_name(fitted.inputs, truth)) {
      print_warnings({fmt::format("the target \"{}\" is an input of the model, which predicts \"{}\": the errors below "
                                  "compare the two.",
                                  truth, fitted.target)},
                     quiet);
    }
    ClippedCount clipped(fitted);
    RunningScores scores;
    std::size_t before = 0;
    rows.for_each([&](MatrixView values) {
      const MatrixView X{values.data, values.rows, fitted.inputs.size(), values.stride};
      clipped.add(X);
      const std::vector<double> predictions = fitted.predict(X, threads);
      require_finite(predictions, before);
      before += predictions.size();
      scores.add(predictions, values.col(fitted.inputs.size()));
    });
    clipped.print(quiet);
    print_warnings(rows.warnings(), quiet);
    return scores.scores();
  }
};

}  // namespace

void add_evaluate(const Command& app) {
  const Command command = app.add_command("evaluate", "Compare a model's predictions with a table");
  auto state = std::make_shared<EvaluateCommand>();
  command.option("MODEL.json", state->model, "Model that fit wrote").required();
  command
      .option("DATA.csv", state->data,
              "Rows to compare with; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--target", state->target, "Column with the true values; the model's target if not given")
      .value("NAME");
  command.threads(state->threads);
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
