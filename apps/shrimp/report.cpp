#include "shrimp/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "any_model.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "data/classes.hpp"
#include "data/file.hpp"
#include "model/model_loss.hpp"
#include "named_rows.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {
namespace {

// What a page calls a file: its name, without the folders of the machine that made it.
std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

struct ReportCommand {
  std::string model;
  std::string class_name;
  std::string data;
  std::string path;
  std::string output = "-";
  int threads = 0;
  bool quiet = false;

  void run() const {
    if (output == "-" && ::isatty(STDOUT_FILENO) != 0) {
      throw OptionError("an HTML page is not for a terminal.\nGive --output report.html.");
    }
    require_separate({{"the model", model}, {"the table", data}, {"the prune path", path}}, {{"--output", output}});
    check_writable(output);
    const Model fitted = load_one_model(model, class_name);
    ReportOptions options;
    options.threads = threads;
    options.model_file = model == "-" ? "model.json" : name_of_file(model);
    if (fitted.marginals.empty() && !fitted.coefficients.empty()) {
      print_warnings({fmt::format("{} was saved without the marginal distributions of its inputs: the page has no "
                                  "effect plots. Fit the model again to get them.",
                                  model)},
                     quiet);
    }
    if (!class_name.empty() && !data.empty()) {
      throw OptionError(
          "--data applies to models of one linear predictor.\nRemove --data, and use shrimp evaluate for the errors of "
          "all classes.");
    }
    std::optional<TestRows> test;
    if (!data.empty()) options.test = &test.emplace(tested(fitted));
    if (!path.empty()) read_path(options);
    write_file(output, report_page(fitted, options));
  }

 private:
  [[nodiscard]] TestRows tested(const Model& fitted) const {
    const std::size_t inputs = fitted.inputs.size();
    const std::string exposure = exposure_of(fitted);
    std::vector<std::string> others = {fitted.target};
    if (!exposure.empty()) others.push_back(exposure);
    NamedRows rows(data, fitted, others, threads, !fitted.classes.empty());
    rows.require_all();
    print_warnings(rows.heading().warnings, quiet);
    TestRows test(fitted, name_of_file(data));
    std::size_t before = 0;
    rows.for_each([&](MatrixView values) {
      const MatrixView X{values.data, values.rows, inputs, values.stride};
      std::vector<double> y(values.col(inputs).begin(), values.col(inputs).end());
      if (!fitted.classes.empty()) y = class_numbers(y, rows.levels(), fitted.classes, data, before);
      before += y.size();
      if (exposure.empty()) {
        test.add(X, y, threads);
      } else {
        test.add(X, y, values.col(inputs + 1), threads);
      }
    });
    print_warnings(rows.warnings(), quiet);
    if (const std::string warning = clipping_warning(fitted, test.clipped()); !warning.empty()) {
      print_warnings({warning}, quiet);
    }
    return test;
  }

  [[nodiscard]] std::size_t whole_number(double columns, std::size_t row) const {
    constexpr double most = 1e15;
    if (columns >= 0.0 && columns <= most) return static_cast<std::size_t>(columns);
    throw DataError(
        fmt::format("{}, row {}: a step cannot have {} basis functions.\nGive a table written by shrimp path.", path,
                    row, columns));
  }

  // The table that shrimp path writes.
  void read_path(ReportOptions& options) const {
    std::vector<std::string> names = {"basis_functions", "train_mse", "validation_mse", "chosen"};
    Table table = read_named(path, {"basis_functions", "columns", "train_mse", "validation_mse", "chosen"}, threads);
    // Tables of versions before 0.3 have the heading "columns".
    if (std::ranges::find(table.names, names.front()) == table.names.end() &&
        std::ranges::find(table.names, "columns") != table.names.end()) {
      names.front() = "columns";
    }
    const Matrix values = select_columns(table, names, path);
    for (std::size_t i = 0; i < values.rows(); ++i) {
      PathRecord record;
      record.step = i;
      record.basis_functions = whole_number(values.col(0)[i], i + 1);
      record.train_mse = values.col(1)[i];
      record.validation_mse = values.col(2)[i];
      if (values.col(3)[i] != 0.0) options.chosen = i;
      options.path.push_back(record);
    }
  }
};

}  // namespace

void add_report(const Command& app) {
  const Command command = app.add_command("report", "Write an HTML report on a model");
  auto state = std::make_shared<ReportCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  add_class_option(command, state->class_name);
  command
      .option("--data", state->data,
              "Table with observed targets, such as test rows, for errors and calibration; columns are matched by name")
      .value("TEST.csv");
  command.option("--path", state->path, "Prune path to plot: a CSV file written by shrimp path").value("PATH.csv");
  command.option("--output", state->output, "HTML file to write; - is standard output (default)").value("FILE");
  command.threads(state->threads);
  command.flag("-q,--quiet", state->quiet, "No warnings");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
