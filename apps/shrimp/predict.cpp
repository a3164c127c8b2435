#include <fmt/format.h>

#include <iterator>
#include <memory>

#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "interruptible_fit.hpp"
#include "model/finite_predictions.hpp"
#include "named_rows.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {
namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  int threads = 0;
  bool quiet = false;

  void run() const {
    const Model fitted = load_model(model);
    NamedRows rows(data, fitted.inputs, threads);
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    OutputFile file(output);
    const RemovedIfInterrupted unfinished(file.temporary());
    ClippedCount clipped(fitted);
    std::string text = "prediction\n";
    std::size_t before = 0;
    rows.for_each([&](MatrixView X) {
      clipped.add(X);
      const std::vector<double> predictions = fitted.predict(X, threads);
      require_finite(predictions, before);
      before += predictions.size();
      for (const double value : predictions) fmt::format_to(std::back_inserter(text), "{}\n", value);
      file.write(text);
      text.clear();
    });
    file.finish();
    clipped.print(quiet);
  }
};

}  // namespace

void add_predict(const Command& app) {
  const Command command = app.add_command("predict", "Predict the rows of a table");
  auto state = std::make_shared<PredictCommand>();
  command.option("MODEL.json", state->model, "Model that fit wrote").required();
  command
      .option("DATA.csv", state->data,
              "Rows to predict; - is standard input; gzip and zstd are unpacked; columns are matched by name")
      .required();
  command.option("--output", state->output, "CSV file to write; - is standard output").value("OUT.csv");
  command.option("--threads", state->threads, "Threads to use; 0 means OMP_NUM_THREADS, else every core")
      .between(0, 1024);
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
