#include "shrimp/export.hpp"

#include <unistd.h>

#include <memory>

#include "any_model.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

struct ExportCommand {
  std::string model;
  std::string class_name;
  std::string format;
  std::string output = "-";
  ExportOptions options;

  void run() const {
    const ExportFormat to = export_format(format);
    if (to == ExportFormat::onnx && output == "-" && ::isatty(STDOUT_FILENO) != 0) {
      throw OptionError("an ONNX file is binary and cannot be printed on a terminal.\nGive --output FILE.onnx.");
    }
    require_separate({{"the model", model}}, {{"--output", output}});
    check_writable(output);
    write_data(output, export_model(load_one_model(model, class_name), to, options));
  }
};

}  // namespace

void add_export(const Command& app) {
  const Command command = app.add_command("export", "Export a model to another language");
  auto state = std::make_shared<ExportCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  add_class_option(command, state->class_name);
  command
      .option("--to", state->format,
              "Format: onnx, c (C99), python (NumPy), sql (an expression) or latex (the largest terms)")
      .value("FORMAT")
      .required();
  command.option("--output", state->output, "File to write; - is standard output (default)").value("FILE");
  command
      .option("--name", state->options.name,
              "Name of the function in C (default shrimp_predict) or Python (default predict), or of the table in SQL "
              "(default none)")
      .value("NAME");
  command.option("--terms", state->options.terms, "Number of terms for latex, largest first (default 10)");
  command.option("--digits", state->options.digits, "Significant digits of numbers for latex (default 3)")
      .between(1, 17);
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
