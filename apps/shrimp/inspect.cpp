#include <memory>

#include "any_model.hpp"
#include "commands.hpp"
#include "data/file.hpp"
#include "separate_files.hpp"
#include "shrimp/model.hpp"
#include "summary.hpp"
#include "tell.hpp"
#include "text.hpp"

namespace shrimp::cli {
namespace {

Json terms_with_intervals(const Model& model) {
  Json terms = terms_json(model);
  const std::vector<FractionInterval> intervals = intervals_of_fractions(model);
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    if (!intervals[k]) continue;
    terms[k]["low"] = intervals[k]->first;
    terms[k]["high"] = intervals[k]->second;
  }
  return terms;
}

struct InspectCommand {
  std::string model;
  bool json = false;
  bool verbose = false;

  void run() const {
    require_separate({{"the model", model}}, {});
    const AnyModel any = load_any_model(model);
    const ClassModel* const classes = std::get_if<ClassModel>(&any);
    if (!json) {
      return write_file(
          "-", printable(classes != nullptr ? describe(*classes, verbose) : describe(std::get<Model>(any), verbose)));
    }
    const Model& fitted = shared_part(any);
    Json object = Json::object();
    object["schema_version"] = schema_version;
    object["method"] = fitted.method;
    object["target"] = fitted.target;
    object["inputs"] = fitted.inputs;
    if (classes != nullptr) object["classes"] = classes->classes;
    object["basis_functions"] = fitted.dictionary.columns();
    object["terms"] = classes != nullptr ? terms_json(*classes) : terms_with_intervals(fitted);
    object["fraction_above_order_three"] = number_json(result_of(fitted, "fraction_above_order_three"));
    object["transforms"] = forms_json(fitted);
    object["target_transform"] = target_form_name(fitted);
    object["scaling"] = {{"input_mean", fitted.scaling.input_mean},
                         {"input_scale", fitted.scaling.input_scale},
                         {"target_mean", fitted.scaling.target_mean},
                         {"target_scale", fitted.scaling.target_scale}};
    object["options"] = fitted.options;
    object["results"] = fitted.results;
    write_data("-", object.dump(1) + "\n");
  }
};

}  // namespace

void add_inspect(const Command& app) {
  const Command command = app.add_command("inspect", "Summarise a model");
  auto state = std::make_shared<InspectCommand>();
  command.option("MODEL.json", state->model, "Model file written by fit").required();
  command.flag("--json", state->json, "Print one JSON object");
  command.flag("-v,--verbose", state->verbose, "List every term and the scaling of every input");
  command.on_run([state] { state->run(); });
}

}  // namespace shrimp::cli
