#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp::cli {
namespace {

std::string variable_name(std::string_view parameter) {
  std::string name = "SHRIMP_";
  for (const char c : parameter)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::map<std::string, std::string> read_config(const std::string& path) {
  std::map<std::string, std::string> values;
  if (path.empty()) return values;
  std::ifstream file(path);
  if (!file) throw FileError(fmt::format("cannot read {}.\nGive --config a TOML file of parameters.", path));
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of sections.
    std::string value;
    for (const std::string& input : item.inputs) value += (value.empty() ? "" : ",") + input;
    values[item.name] = value;
  }
  for (const auto& [name, value] : values) {
    const auto known = std::ranges::find(fit_parameters(), name, &Parameter::name);
    if (known == fit_parameters().end()) {
      throw OptionError(
          fmt::format("{} sets \"{}\", which is no parameter.\nSee shrimp fit --help for their names.", path, name));
    }
  }
  return values;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

}  // namespace

FitArguments::FitArguments(CLI::App& command) : command_(command) {
  command.add_option("TRAIN.csv", train_, "Table to fit; - is standard input")->required();
  command.add_option("--target", target_, "Column to predict")->required()->type_name("NAME");
  command.add_option("--ignore", ignore_, "Columns to leave out, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  for (const Parameter& parameter : fit_parameters()) {
    const std::string flag = fmt::format("--{}", parameter.name);
    const std::string name(parameter.name);
    if (parameter.value.empty()) {
      command.add_flag(flag, switches_[name], std::string(parameter.help));
    } else {
      command.add_option(flag, flags_[name], fmt::format("{} [{}]", parameter.help, parameter.fallback))
          ->type_name(std::string(parameter.value));
    }
  }
  command.add_option("--config", config_, "TOML file of parameters; flags and SHRIMP_* variables go over it")
      ->type_name("FILE");
  command.add_flag("--json", json, "Print one JSON object instead of text for people");
  auto* quiet_flag = command.add_flag("-q,--quiet", quiet, "No progress and no warnings");
  command.add_flag("-v,--verbose", verbose, "Every term")->excludes(quiet_flag);
}

FitOptions FitArguments::options() {
  FitOptions options;
  const auto config = read_config(config_);
  for (const Parameter& parameter : fit_parameters()) {
    const std::string name(parameter.name);
    std::optional<std::string> value;
    if (const auto found = config.find(name); found != config.end()) value = found->second;
    if (const char* variable = std::getenv(variable_name(name).c_str()); variable != nullptr && *variable != '\0') {
      value = variable;
    }
    if (command_.get_option("--" + name)->count() > 0) value = parameter.value.empty() ? "true" : flags_[name];
    if (!value) continue;
    if (name == "validation" && !is_number(*value)) {
      validation_file_ = *value;
    } else {
      parameter.set(options, *value);
    }
  }
  if (options.folds > 0 && command_.get_option("--validation")->count() > 0) {
    throw OptionError("folds and validation exclude each other.\nGive one of them.");
  }
  return options;
}

Dataset FitArguments::read_train(const FitOptions& options) const {
  CsvOptions csv;
  csv.ignore = ignore_;
  csv.memory = options.memory;
  csv.threads = options.threads;
  return split_target(read_csv(train_, csv), target_, train_);
}

std::optional<Dataset> FitArguments::read_validation(const FitOptions& options, const Dataset& train) const {
  if (validation_file_.empty()) return std::nullopt;
  return read_matching(validation_file_, train, options);
}

Dataset read_matching(const std::string& path, const Dataset& train, const FitOptions& options) {
  return read_matching(path, train.inputs, train.target, options.threads);
}

Dataset read_matching(const std::string& path, const std::vector<std::string>& inputs, const std::string& target,
                      int threads) {
  std::vector<std::string> names = inputs;
  names.push_back(target);
  CsvOptions csv;
  csv.only = names;
  csv.threads = threads;
  const Table table = read_csv(path, csv);
  const Matrix values = select_columns(table, names, path);
  Dataset data;
  data.inputs = inputs;
  data.target = target;
  data.warnings = table.warnings;
  data.X = Matrix(MatrixView{values.data(), values.rows(), inputs.size(), values.rows()});
  data.y.assign(values.col(inputs.size()).begin(), values.col(inputs.size()).end());
  return data;
}

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "shrimp: warning: {}\n", warning);
}

}  // namespace shrimp::cli
