#include "summed_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "arguments.hpp"
#include "clipped.hpp"
#include "commands.hpp"
#include "data/blocks.hpp"
#include "data/classes.hpp"
#include "data/encode.hpp"
#include "data/names.hpp"
#include "data/scores.hpp"
#include "model/model_loss.hpp"
#include "named_rows.hpp"
#include "shrimp/errors.hpp"
#include "summary.hpp"
#include "tell.hpp"

namespace shrimp::cli {
namespace {

constexpr const char* unchanged_terms =
    "terms            unchanged, with the fractions of variance of the previous fit\n";

// Rows of a table become those of the model's inputs.
void add_block(SummaryMaker& maker, const Model& model, const Dataset& block) {
  if (block.encoded || model.columns.empty()) return maker.add(block.X, block.y, block.weights, block.groups);
  const Dataset encoded = encode(block, model.inputs, model.columns);
  maker.add(encoded.X, encoded.y, encoded.weights, encoded.groups);
}

}  // namespace

ModelSummary sum_up_table(const Model& model, const RowsToSum& part) {
  SummaryMaker maker(model, {part.data, part.fold, part.folds, part.threads});
  const std::string& target = part.target.empty() ? model.target : part.target;
  std::vector<std::string> others = {target};
  if (!part.weights.empty()) others.push_back(part.weights);
  const bool has_classes = !model.classes.empty();
  NamedRows rows(part.data, model, others, part.threads, has_classes);
  if (!part.target.empty()) require_target(rows.heading(), part.target, part.data);
  if (!part.weights.empty() && !find_name(rows.heading().names, part.weights)) {
    throw OptionError(fmt::format("{} has no column \"{}\" to use as weights.\nGive the name of an existing column.",
                                  part.data, part.weights));
  }
  rows.require_all();
  print_warnings(rows.heading().warnings, part.quiet);
  ClippedCount clipped(model);
  std::size_t before = 0;
  rows.for_each([&](MatrixView values) {
    const std::size_t inputs = model.inputs.size();
    const MatrixView X{values.data, values.rows, inputs, values.stride};
    clipped.add(X);
    const std::span<const double> weights = part.weights.empty() ? std::span<const double>() : values.col(inputs + 1);
    std::vector<double> y(values.col(inputs).begin(), values.col(inputs).end());
    if (has_classes) y = class_numbers(y, rows.levels(), model.classes, part.data, before);
    before += y.size();
    maker.add(X, y, weights);
  });
  clipped.print(part.quiet);
  print_warnings(rows.warnings(), part.quiet);
  return maker.finish();
}

ModelSummary sum_up_fit(const Model& model, RowBlocks& train, const FitOptions& options) {
  constexpr std::size_t folds = 5;
  SummaryMaker maker(model, {train.heading().source, "", folds, options.machine.threads});
  std::uint32_t run = 0;
  train.for_each([&](const Dataset& block) {
    if (!options.choice.blocks) return add_block(maker, model, block);
    Dataset in_runs = block;
    in_runs.groups.assign(block.y.size(), run++);
    add_block(maker, model, in_runs);
  });
  ModelSummary summary = maker.finish();
  summary.set_model(model);
  return summary;
}

ModelSummary sum_up_fit(const Model& model, const Dataset& train, const FitOptions& options) {
  if (!options.choice.blocks) return sum_up_fit(model, *blocks_of(train), options);
  Dataset in_blocks = train;
  in_blocks.groups = consecutive_blocks(train.y, 5);
  FitOptions by_groups = options;
  by_groups.choice.blocks = false;
  return sum_up_fit(model, *blocks_of(in_blocks), by_groups);
}

void warn_of_repeated_tables(const ModelSummary& all, const ModelSummary& added, const std::string& file, bool quiet) {
  const std::size_t shared = all.tables_shared_with(added);
  if (shared == 0) return;
  const std::string what = added.tables() == 1 ? "" : fmt::format("{} of the {} tables in ", shared, added.tables());
  const std::string verb = shared == 1 ? "was" : "were";
  print_warnings({fmt::format("{}{} {} added before: the rows are counted twice.", what, file, verb)}, quiet);
}

LockedSummary lock_summary(const std::string& file, bool quiet) {
  return {file, [&] {
            if (!quiet) tell(fmt::format("shrimp: waiting for another program that is adding rows to {}\n", file));
          }};
}

void add_loss_json(const Model& model, Json& object) {
  if (loss_of(model) == Loss::squared) return;
  const std::string key(objective_of(loss_of(model)).metric.key);
  for (const std::string& name : {"train_" + key, "validation_" + key, "validation_" + key + "_se"}) {
    object[name] = number_json(result_of(model, name.c_str()));
  }
}

LossErrors loss_errors(const Model& model) {
  const Metric& metric = objective_of(loss_of(model)).metric;
  const std::string key(metric.key);
  const auto of = [&](const std::string& name) { return result_of(model, name.c_str()); };
  LossErrors errors;
  if (const double value = of("validation_" + key); !std::isnan(value)) {
    errors.validation = fmt::format("{} {:.4g} ± {:.1g}", metric.name, value, of("validation_" + key + "_se"));
  }
  errors.training = fmt::format("{} {:.4g}", metric.name, of("train_" + key));
  return errors;
}

std::string refit_text(const Model& model, const ModelSummary& summary, bool json) {
  // Of what was fitted, where that is a form of the target.
  const std::string prefix = model.scaling.target_form == TargetForm::identity ? "" : "transformed_";
  const auto result = [&](const char* name) { return result_of(model, (prefix + name).c_str()); };
  if (json) {
    Json object = {{"schema_version", schema_version},
                   {"rows", summary.rows()},
                   {"folds", summary.folds()},
                   {"basis_functions", model.coefficients.size()},
                   {"target_transform", target_form_name(model)},
                   {"train_mse", number_json(result("train_mse"))},
                   {"train_r2", number_json(result("train_r2"))},
                   {"validation_mse", number_json(result("validation_mse"))},
                   {"validation_se", number_json(result("validation_se"))},
                   {"validation_r2", number_json(result("validation_r2"))}};
    add_loss_json(model, object);
    return object.dump(1) + "\n";
  }
  const std::string of = prefix.empty() ? "" : fmt::format(" of {}({})", target_form_name(model), model.target);
  std::string text = fmt::format("rows             {} in {} fold{}\nbasis functions  {}\n", summary.rows(),
                                 summary.folds(), summary.folds() == 1 ? "" : "s", model.coefficients.size());
  if (loss_of(model) != Loss::squared) {
    const LossErrors errors = loss_errors(model);
    if (!errors.validation.empty())
      text += fmt::format("validation       {}, by cross-validation\n", errors.validation);
    return text + fmt::format("training         {}\n{}", errors.training, unchanged_terms);
  }
  if (!std::isnan(result("validation_mse"))) {
    text += fmt::format("validation       MSE{} {:.4g} ± {:.1g} (R2 {}), by cross-validation\n", of,
                        result("validation_mse"), result("validation_se"), r2_text(result("validation_r2")));
  }
  text += fmt::format("training         MSE{} {:.4g} (R2 {})\n", of, result("train_mse"), r2_text(result("train_r2")));
  return text + unchanged_terms;
}

}  // namespace shrimp::cli
