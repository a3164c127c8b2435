#include "summed_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/blocks.hpp"
#include "shrimp/errors.hpp"
#include "summary.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

// What is read of a table at a time.
constexpr std::size_t block_rows = 8192;

void add_in_blocks(SummaryMaker& maker, const Dataset& rows) {
  for (std::size_t first = 0; first < rows.y.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.y.size() - first);
    const auto part = [&](const auto& values) {
      return values.empty() ? std::span(values) : std::span(values).subspan(first, count);
    };
    maker.add({rows.X.data() + first, count, rows.X.cols(), rows.X.rows()}, part(rows.y), part(rows.weights),
              part(rows.groups));
  }
}

Dataset read_part(const Model& model, const RowsToSum& rows) {
  const std::string& target = rows.target.empty() ? model.target : rows.target;
  std::vector<std::string> names = model.inputs;
  names.push_back(target);
  if (!rows.weights.empty()) names.push_back(rows.weights);
  const Table table = read_named(rows.data, names, rows.threads);
  if (!rows.target.empty()) require_target(table, rows.target, rows.data);
  Dataset data = match(table, model.inputs, target, rows.data);
  if (rows.weights.empty()) return data;
  if (std::ranges::find(table.names, rows.weights) == table.names.end()) {
    throw OptionError(fmt::format("{} has no column \"{}\" to use as weights.\nGive the name of one that it has.",
                                  rows.data, rows.weights));
  }
  const Matrix weights = select_columns(table, {rows.weights}, rows.data);
  data.weights.assign(weights.col(0).begin(), weights.col(0).end());
  return data;
}

}  // namespace

ModelSummary sum_up_table(const Model& model, const RowsToSum& rows) {
  SummaryMaker maker(model, {rows.data, rows.fold, 1, rows.threads});
  const Dataset data = read_part(model, rows);
  print_warnings(data.warnings, rows.quiet);
  print_clipped(model, data.X, rows.quiet);
  add_in_blocks(maker, data);
  return maker.finish();
}

ModelSummary sum_up_fit(const Model& model, const Dataset& train, const FitOptions& options) {
  constexpr std::size_t folds = 5;
  SummaryMaker maker(model, {train.source, "", folds, options.machine.threads});
  if (options.choice.blocks) {
    Dataset in_blocks = train;
    in_blocks.groups = consecutive_blocks(train.y, folds);
    add_in_blocks(maker, in_blocks);
  } else {
    add_in_blocks(maker, train);
  }
  ModelSummary summary = maker.finish();
  summary.set_model(model);
  return summary;
}

void require_columns(const ModelSummary& summary, const Model& model, const std::string& file) {
  if (summary.is_of_columns_of(model)) return;
  throw DataError(
      fmt::format("{} sums up other columns than the model's.\n"
                  "Make the summary with this model, or give the model that it was made with.",
                  file));
}

std::string refit_text(const Model& model, const ModelSummary& summary, bool json) {
  // Of what was fitted, where that is a form of the target.
  const std::string prefix = model.scaling.target_form == TargetForm::identity ? "" : "form_";
  const auto result = [&](const char* name) { return result_of(model, (prefix + name).c_str()); };
  if (json) {
    const Json object = {{"schema_version", schema_version},
                         {"rows", summary.rows()},
                         {"folds", summary.folds()},
                         {"columns", model.coefficients.size()},
                         {"target_form", target_form_name(model)},
                         {"train_mse", number_json(result("train_mse"))},
                         {"train_r2", number_json(result("train_r2"))},
                         {"validation_mse", number_json(result("validation_mse"))},
                         {"validation_se", number_json(result("validation_se"))},
                         {"validation_r2", number_json(result("validation_r2"))}};
    return object.dump(1) + "\n";
  }
  const std::string of = prefix.empty() ? "" : fmt::format(" of {}({})", target_form_name(model), model.target);
  std::string text = fmt::format("rows        {} in {} fold{}\ncolumns     {}\n", summary.rows(), summary.folds(),
                                 summary.folds() == 1 ? "" : "s", model.coefficients.size());
  if (!std::isnan(result("validation_mse"))) {
    text += fmt::format("validation  MSE{} {:.4g} ± {:.1g} (R2 {}), each fold by the others\n", of,
                        result("validation_mse"), result("validation_se"), r2_text(result("validation_r2")));
  }
  text += fmt::format("training    MSE{} {:.4g} (R2 {})\n", of, result("train_mse"), r2_text(result("train_r2")));
  return text + "terms       as they were, with the shares that the model had\n";
}

}  // namespace shrimp::cli
