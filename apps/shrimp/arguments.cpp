#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "data/file.hpp"
#include "data/names.hpp"
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
  constexpr double most = 1024.0 * 1024.0;
  values = parse_toml(std::string(read_file(path, most).text()));
  for (const auto& [name, value] : values) {
    const auto known = std::ranges::find(fit_parameters(), name, &Parameter::name);
    if (known == fit_parameters().end()) {
      throw OptionError(
          fmt::format("{} sets \"{}\", which is no parameter.\nSee shrimp fit --help for their names.", path, name));
    }
  }
  return values;
}

// CLI11 prints help as it is: lines are broken here, and start where its first line does.
std::string wrap(const std::string& text) {
  constexpr std::size_t width = 84;
  constexpr std::size_t indent = 30;
  std::istringstream words(text);
  std::string result;
  std::size_t used = 0;
  for (std::string word; words >> word;) {
    if (used > 0 && used + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

std::string help_of(const Parameter& parameter) {
  return wrap(fmt::format("{} Value: {}. Default: {}.", parameter.help, parameter.range, parameter.fallback));
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

}  // namespace

FitArguments::FitArguments(const Command& command, bool names_method) : command_(command), names_method_(names_method) {
  command.option("TRAIN.csv", train_, "Table to fit; - is standard input").required();
  command.option("--target", target_, "Column to predict").required().value("NAME");
  command.option("--weights", weights_, "Column that says how much each row counts; it is no input").value("NAME");
  command.option("--ignore", ignore_, "Columns to leave out, separated by commas").separated_by_commas().value("NAMES");
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.name == "method" && !names_method) continue;
    const std::string flag = fmt::format("--{}", parameter.name);
    const std::string name(parameter.name);
    if (parameter.value.empty()) {
      command.flag(flag, switches_[name], std::string(parameter.help));
    } else {
      command.option(flag, flags_[name], help_of(parameter)).value(std::string(parameter.value));
    }
  }
  command.option("--config", config_, "TOML file of parameters; flags and SHRIMP_* variables go over it").value("FILE");
  command.flag("--json", json, "Print one JSON object instead of text for people");
  const Option quiet_flag = command.flag("-q,--quiet", quiet, "No progress and no warnings");
  command.flag("-v,--verbose", verbose, "Every term").excludes(quiet_flag);
}

FitOptions FitArguments::options() {
  enum Layer { fallback, config_file, variable, flag };
  FitOptions options;
  const auto config = read_config(config_);
  std::map<std::string, Layer> layers;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string name(parameter.name);
    if (name == "method" && !names_method_) continue;
    std::optional<std::string> value;
    const auto take = [&](Layer layer, const std::string& text) {
      value = text;
      layers[name] = layer;
    };
    if (const auto found = config.find(name); found != config.end()) take(config_file, found->second);
    const char* text = std::getenv(variable_name(name).c_str());
    if (text != nullptr && *text != '\0') take(variable, text);
    if (command_.has("--" + name)) take(flag, parameter.value.empty() ? "true" : flags_[name]);
    if (!value) continue;
    if (name == "validation" && !value->empty() && !is_number(*value)) {
      validation_file_ = *value;
    } else {
      parameter.set(options, *value);
    }
  }
  // Folds and held-out rows exclude each other: the one said louder counts.
  if (options.choice.folds > 0 && layers["validation"] == layers["folds"]) {
    throw OptionError("folds and validation exclude each other.\nGive one of them.");
  }
  if (layers["validation"] > layers["folds"]) options.choice.folds = 0;
  if (options.choice.folds > 0) validation_file_.clear();
  return options;
}

Dataset FitArguments::read_train(const FitOptions& options) const {
  CsvOptions csv;
  for (std::istringstream names(ignore_); !names.eof() && !ignore_.empty();) {
    std::getline(names, csv.ignore.emplace_back(), ',');
  }
  csv.memory = options.machine.memory;
  csv.threads = options.machine.threads;
  return take_weights(split_target(read_csv(train_, csv), target_, train_), weights_, train_);
}

std::optional<Dataset> FitArguments::read_validation(const FitOptions& options, const Dataset& train) const {
  if (validation_file_.empty()) return std::nullopt;
  return read_matching(validation_file_, train, options.machine.threads);
}

Table read_named(const std::string& path, std::vector<std::string> names, int threads) {
  CsvOptions csv;
  csv.only = std::move(names);
  csv.threads = threads;
  return read_csv(path, csv);
}

Dataset match(const Table& table, const std::vector<std::string>& inputs, const std::string& target,
              const std::string& source) {
  std::vector<std::string> names = inputs;
  names.push_back(target);
  const Matrix values = select_columns(table, names, source);
  Dataset data;
  data.source = source;
  data.inputs = inputs;
  data.target = target;
  data.warnings = table.warnings;
  data.X = Matrix(MatrixView{values.data(), values.rows(), inputs.size(), values.rows()});
  data.y.assign(values.col(inputs.size()).begin(), values.col(inputs.size()).end());
  return data;
}

Dataset read_matching(const std::string& path, const Dataset& train, int threads) {
  std::vector<std::string> names = train.inputs;
  names.push_back(train.target);
  return match(read_named(path, names, threads), train.inputs, train.target, path);
}

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "shrimp: warning: {}\n", warning);
}

}  // namespace shrimp::cli
