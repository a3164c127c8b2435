#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "config_file.hpp"
#include "data/classes.hpp"
#include "data/encode.hpp"
#include "data/name_index.hpp"
#include "data/names.hpp"
#include "fit/term_names.hpp"
#include "objective/objective.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

std::string variable_name(std::string_view parameter) {
  std::string name = "SHRIMP_";
  for (const char c : parameter)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string help_of(const Parameter& parameter) {
  if (parameter.value.empty()) return std::string(parameter.help);
  const std::string_view help = parameter.help.substr(0, parameter.help.size() - 1);
  return fmt::format("{} ({}; default {}).", help, parameter.range, parameter.fallback);
}

std::optional<std::string> environment_value(const std::string& variable) {
  const char* const text = std::getenv(variable.c_str());
  return text == nullptr || *text == '\0' ? std::nullopt : std::optional<std::string>(text);
}

// The value of the parameter's SHRIMP_ variable, or of the variable that its deprecated name stands for.
std::optional<std::string> from_environment(const Parameter& parameter, bool quiet) {
  const std::string variable = variable_name(parameter.name);
  std::optional<std::string> value = environment_value(variable);
  for (const DeprecatedName& old : parameter.deprecated_names) {
    const std::string old_variable = variable_name(old.name);
    const std::optional<std::string> old_value = environment_value(old_variable);
    if (!old_value) continue;
    if (value) {
      throw OptionError(
          fmt::format("{} and {} set the same parameter.\nSet {} alone.", variable, old_variable, variable));
    }
    print_warnings({deprecation_warning(old_variable, old.removed_in, variable)}, quiet);
    value = old_value;
  }
  return value;
}

// Where the value does not come from the command line, the message says where it does.
void set_from(const Parameter& parameter, FitOptions& options, const std::string& value, const std::string& origin) {
  try {
    parameter.set(options, value);
  } catch (const OptionError& error) {
    if (origin.empty()) throw;
    throw OptionError(fmt::format("{}: {}", origin, error.what()));
  }
}

bool is_of_classes(Loss loss) { return loss == Loss::logistic || loss == Loss::multinomial; }

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

}  // namespace

FitArguments::FitArguments(const Command& command, bool names_method) : command_(command), names_method_(names_method) {
  command.group("Data");
  command.option("TRAIN.csv", train_, "Training table (CSV); - is standard input").required();
  command.option("--target", target_, "Target column").required().value("NAME");
  command.option("--weights", weights_, "Column with row weights; not used as an input").value("NAME");
  command
      .option("--exposure", exposure_,
              "Column with the exposure of each count, such as time or area (--loss poisson); not used as an input")
      .value("NAME")
      .seldom();
  command
      .option("--groups", groups_,
              "Column with group names: rows of one group are held out together; not used as an input")
      .value("NAME");
  command
      .option("--ignore", ignore_,
              "Columns to ignore, separated by commas; put a name that contains a comma in double quotes")
      .value("NAMES");
  command.option("--categorical", categorical_, "Numeric columns to treat as categories, separated by commas")
      .value("NAMES")
      .seldom();
  command
      .option("--missing", missing_,
              "Further markers of missing cells, separated by commas, such as -999 (always missing: empty, NA, NaN, "
              "null, ?)")
      .value("VALUES")
      .seldom();
  command
      .flag("--date-parts", date_parts_,
            "Derive inputs for the day of the week and the day of the year from date columns")
      .seldom();
  command.flag("--drop-missing-target", drop_missing_target_, "Drop rows with a missing target").seldom();
  for (const Parameter& parameter : fit_parameters()) {
    if (parameter.name != "method" || names_method) add(parameter);
  }
  command.group("Output and settings");
  command.option("--config", config_, "TOML file with parameters; flags and SHRIMP_* variables take precedence")
      .value("FILE");
  command.flag("--json", json, "Print one JSON object instead of text");
  const Option quiet_flag = command.flag("-q,--quiet", quiet, "Suppress progress and warnings");
  command.flag("-v,--verbose", verbose, "List every term").excludes(quiet_flag);
}

void FitArguments::add(const Parameter& parameter) {
  const std::string flag = fmt::format("--{}", parameter.name);
  const std::string name(parameter.name);
  command_.group(std::string(parameter.group));
  Option option = parameter.value.empty() ? command_.flag(flag, switches_[name], help_of(parameter))
                                          : command_.option(flag, flags_[name], help_of(parameter));
  if (!parameter.value.empty()) option.value(std::string(parameter.value));
  if (!parameter.value.empty() && !parameter.is_list) option.once();
  if (!parameter.is_everyday) option.seldom();
  for (const DeprecatedName& old : parameter.deprecated_names) {
    option.deprecated(fmt::format("--{}", old.name), std::string(old.removed_in));
  }
}

FitOptions FitArguments::options() {
  enum Layer { fallback, config_file, variable, flag };
  FitOptions options;
  const NamedValues config = read_config(config_);
  print_warnings(config.warnings, quiet);
  std::map<std::string, Layer> layers;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string name(parameter.name);
    if (name == "method" && !names_method_) continue;
    std::optional<std::string> value;
    const auto take = [&](Layer layer, const std::string& text) {
      value = text;
      layers[name] = layer;
    };
    if (const auto found = config.values.find(name); found != config.values.end()) take(config_file, found->second);
    if (const std::optional<std::string> text = from_environment(parameter, quiet)) take(variable, *text);
    if (command_.has("--" + name))
      take(flag, parameter.value.empty() ? "true" : fmt::format("{}", fmt::join(flags_[name], ",")));
    if (!value) continue;
    if (name == "validation" && !value->empty() && !is_number(*value)) {
      validation_file_ = *value;
    } else {
      set_from(parameter, options, *value,
               layers[name] == variable      ? variable_name(name)
               : layers[name] == config_file ? config_
                                             : "");
    }
  }
  // Folds and held-out rows exclude each other: the one said louder counts.
  if (options.choice.folds > 0 && layers["validation"] == layers["folds"]) {
    throw OptionError("folds and validation exclude each other.\nGive one of them.");
  }
  if (layers["validation"] > layers["folds"]) options.choice.folds = 0;
  if (options.choice.folds > 0) validation_file_.clear();
  gives_loss_ = layers.contains("loss");
  if (!gives_loss_) options.loss = loss_of_text_target(options).value_or(options.loss);
  return options;
}

namespace {

std::vector<std::string> names_in(const char* option, const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    for (std::string& name : parse_names(option, text)) names.push_back(std::move(name));
  }
  return names;
}

bool is_small_file(const std::string& path) {
  constexpr double small = 16.0 * 1024.0 * 1024.0;
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  return !unknown && static_cast<double>(bytes) < small;
}

// Of a column of categories; none elsewhere.
std::vector<std::string> levels_of(const Table& table, const std::string& name) {
  const auto place = find_name(table.names, name);
  return place && !table.columns.empty() ? table.columns[*place].levels : std::vector<std::string>();
}

}  // namespace

std::vector<ReadFile> FitArguments::files() const {
  return {{"the table", train_}, {"the validation table", validation_file_}, {"the configuration", config_}};
}

std::string FitArguments::missing_words() const { return fmt::format("{}", fmt::join(missing_, ",")); }

// Standard input cannot be read twice, and a second reading of a large file takes too long. A file that cannot be read
// is reported when it is read for the fit.
std::optional<Loss> FitArguments::loss_of_text_target(const FitOptions& options) const {
  std::error_code unknown;
  const bool is_table = std::filesystem::is_regular_file(train_, unknown) && is_small_file(train_);
  if (!is_table || options.method != "auto" || !exposure_.empty()) return std::nullopt;
  CsvOptions csv;
  csv.only = {target_};
  csv.kinds = true;
  csv.categorical = {target_};
  csv.missing = names_in("missing", missing_);
  csv.threads = options.machine.threads;
  try {
    std::vector<std::string> levels = levels_of(read_csv(train_, csv), target_);
    std::erase(levels, missing_level);
    if (levels.size() < 2 || std::ranges::any_of(levels, is_number)) return std::nullopt;
    return levels.size() == 2 ? Loss::logistic : Loss::multinomial;
  } catch (const DataError&) {
    return std::nullopt;
  } catch (const FileError&) {
    return std::nullopt;
  }
}

std::string FitArguments::target_line(const Dataset& train, const FitOptions& options) const {
  if (gives_loss_) return "";
  if (!train.classes.empty()) {
    return fmt::format("shrimp: target: {} classes in \"{}\", so the loss is {}\n", train.classes.size(), train.target,
                       name_of(options.loss));
  }
  constexpr std::size_t most_classes = 10;  // Chosen by hand.
  constexpr std::size_t fewest_rows_of_a_class = 5;
  const std::set<double> values(
      train.y.begin(), train.y.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(train.y.size(), 10000)));
  const bool are_whole = std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
  const bool are_few =
      values.size() >= 2 && values.size() <= most_classes && fewest_rows_of_a_class * values.size() <= train.y.size();
  if (options.method != "auto" || options.loss != Loss::squared || !are_whole || !are_few) return "";
  return fmt::format("shrimp: target: \"{}\" is fitted as a number; if its {} values are classes, give --loss {}\n",
                     train.target, values.size(), values.size() == 2 ? "logistic" : "multinomial");
}

std::vector<std::string> FitArguments::ignored() const { return names_in("ignore", ignore_); }

CsvOptions FitArguments::csv_options(const FitOptions& options) const {
  CsvOptions csv;
  csv.ignore = ignored();
  csv.kinds = true;
  csv.categorical = names_in("categorical", categorical_);
  csv.missing = names_in("missing", missing_);
  csv.date_parts = date_parts_;
  // Classes may be named by anything.
  (is_of_classes(options.loss) ? csv.categorical : csv.required).push_back(target_);
  if (!weights_.empty()) csv.required.push_back(weights_);
  if (!exposure_.empty()) csv.required.push_back(exposure_);
  if (drop_missing_target_) csv.drop_without = target_;
  csv.memory = options.machine.memory;
  csv.threads = options.machine.threads;
  csv.labels = groups_;
  return csv;
}

Dataset FitArguments::read_train(const FitOptions& options) const {
  Table table = read_csv(train_, csv_options(options));
  const std::vector<std::string> classes = levels_of(table, target_);
  Dataset data = take_weights(split_target(std::move(table), target_, train_), weights_, train_);
  data = take_groups(take_exposure(std::move(data), exposure_, train_), groups_, train_);
  if (options.loss == Loss::logistic) name_classes(data, classes);
  if (options.loss == Loss::multinomial) name_all_classes(data, classes);
  return data;
}

std::unique_ptr<RowBlocks> FitArguments::stream_train(const FitOptions& options) const {
  // A smaller file, and what is read of it, take no memory worth a second reading.
  if (!validation_file_.empty() || is_small_file(train_) || !fits_in_parts(options)) return nullptr;
  return read_csv_blocks(train_, target_, weights_, groups_, csv_options(options), exposure_);
}

std::optional<Dataset> FitArguments::read_validation(const FitOptions& options, const Dataset& train) const {
  if (validation_file_.empty()) return std::nullopt;
  return read_like(validation_file_, train, options);
}

Table read_named(const std::string& path, std::vector<std::string> names, int threads) {
  CsvOptions csv;
  csv.only = std::move(names);
  csv.threads = threads;
  return read_csv(path, csv);
}

Dataset FitArguments::read_like(const std::string& path, const Dataset& train, const FitOptions& options) const {
  CsvOptions csv;
  csv.only = train.inputs;
  csv.only.push_back(train.target);
  (train.classes.empty() ? csv.required : csv.categorical).push_back(train.target);
  if (!train.exposure_column.empty()) {
    csv.only.push_back(train.exposure_column);
    csv.required.push_back(train.exposure_column);
  }
  csv.threads = options.machine.threads;
  csv.missing = names_in("missing", missing_);
  ask_for(train.inputs, train.columns, csv);
  Table table = read_csv(path, csv);
  std::vector<std::string> names = train.inputs;
  names.push_back(train.target);
  const Matrix values = select_columns(table, names, path);
  Dataset data;
  data.source = path;
  data.inputs = train.inputs;
  data.target = train.target;
  data.warnings = table.warnings;
  const NameIndex places(table.names);
  for (const std::string& name : data.inputs) data.columns.push_back(std::move(table.columns[*places.find(name)]));
  data.X = Matrix(MatrixView{values.data(), values.rows(), data.inputs.size(), values.rows()});
  data.y.assign(values.col(data.inputs.size()).begin(), values.col(data.inputs.size()).end());
  if (!train.classes.empty()) {
    data.y = class_numbers(data.y, levels_of(table, train.target), train.classes, path);
  }
  if (!train.exposure_column.empty()) {
    const Matrix exposure = select_columns(table, {train.exposure_column}, path);
    data.exposure.assign(exposure.col(0).begin(), exposure.col(0).end());
  }
  return data;
}

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) tell(fmt::format("shrimp: warning: {}\n", warning));
}

}  // namespace shrimp::cli
