// The model file: JSON, one line per feature. Everything read is checked before it is used.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/marginals.hpp"
#include "features/bases.hpp"
#include "model/column_fields.hpp"
#include "model/json_fields.hpp"
#include "model/model_text.hpp"
#include "model/uncertainty_fields.hpp"
#include "shrimp/classes.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"
#include "shrimp/version.hpp"

namespace shrimp {
namespace {

bool has_limits(const Scaling& scaling) { return !scaling.input_lowest.empty() || scaling.target_lowest; }

bool has_forms(const Scaling& scaling) {
  return !scaling.input_warps.empty() || scaling.target_form != TargetForm::identity;
}

bool has_kernel_law(const Dictionary& dictionary) {
  return dictionary.has_kernels() && dictionary.kernel_law != Law::normal;
}

bool has_levels(const Dictionary& dictionary) {
  return std::ranges::find(dictionary.functions, Function::level) != dictionary.functions.end();
}

bool is_of_a_class(const Model& model) {
  return !model.classes.empty() || model.scaling.target_form == TargetForm::logit;
}

// Content that a version introduced. A file of an earlier version must not have it.
struct Addition {
  std::uint64_t version;
  const char* what;
  bool (*is_in)(const Model&);
};

constexpr Addition additions[] = {
    {2, "kernel features", [](const Model& model) { return model.dictionary.has_kernels(); }},
    {3, "limits", [](const Model& model) { return has_limits(model.scaling); }},
    {4, "transforms of inputs or of the target", [](const Model& model) { return has_forms(model.scaling); }},
    {4, "a \"kernel_law\"", [](const Model& model) { return has_kernel_law(model.dictionary); }},
    {5, "\"columns\"", [](const Model& model) { return !model.columns.empty(); }},
    {5, "features of a level", [](const Model& model) { return has_levels(model.dictionary); }},
    {5, "the probability of a class", [](const Model& model) { return is_of_a_class(model); }},
};

void check_version(const Reader& reader, const Model& model, std::uint64_t version) {
  for (const Addition& addition : additions) {
    if (version < addition.version && addition.is_in(model)) {
      reader.fail(fmt::format("has {}, which its \"format_version\" does not support", addition.what));
    }
  }
}

// The coefficient of a column, or a list with one per class.
Json coefficient_json(const Model& model, const ClassModel* classes, std::size_t k) {
  if (classes == nullptr) return model.coefficients[k];
  std::vector<double> values;
  for (const std::vector<double>& own : classes->coefficients) values.push_back(own[k]);
  return values;
}

// One object per weight vector, with the coefficient of each of its functions.
std::vector<Json> features_to_json(const Model& model, const ClassModel* classes) {
  const FeatureWeights& W = model.dictionary.weights;
  std::vector<Json> features(W.size(), Json::object());
  for (std::size_t j = 0; j < W.size(); ++j) {
    features[j]["variables"] = std::vector<std::uint32_t>(W.support(j).begin(), W.support(j).end());
    features[j]["weights"] = std::vector<double>(W.weights(j).begin(), W.weights(j).end());
    if (!W.phases.empty()) features[j]["phase"] = W.phases[j];
    if (model.penalty) features[j]["scale"] = model.penalty->scales[j];
  }
  for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
    features[model.dictionary.rows[k]][about(model.dictionary.functions[k]).name] = coefficient_json(model, classes, k);
  }
  return features;
}

// Coefficients of one function of a weight vector: one, or one per class.
using FunctionCoefficients = std::pair<Function, std::vector<double>>;

std::vector<double> read_coefficients(const Reader& reader, const std::string& name, const ClassModel* classes) {
  if (classes == nullptr) return {reader.number(name.c_str())};
  std::vector<double> values = reader.numbers(name.c_str());
  if (values.size() != classes->classes.size()) {
    reader.fail(fmt::format("has a number of entries in \"{}\" that differs from the number of classes", name));
  }
  return values;
}

void read_feature(const Reader& reader, Model& model, const ClassModel* classes,
                  std::vector<FunctionCoefficients>& coefficients) {
  const std::vector<std::uint32_t> variables = reader.indices("variables", model.inputs.size());
  const std::vector<double> weights = reader.numbers("weights");
  if (weights.size() != variables.size())
    reader.fail("has a number of weights that differs from the number of variables");
  FeatureWeights& W = model.dictionary.weights;
  if (reader.has("phase")) W.phases.push_back(reader.number("phase"));
  W.append(variables, weights);
  for (const FunctionRow& phi : all_functions()) {
    if (reader.has(phi.name)) coefficients.emplace_back(phi.function, read_coefficients(reader, phi.name, classes));
  }
  if (coefficients.empty()) reader.fail("has no coefficient");
}

void read_features(const Reader& reader, Model& model, ClassModel* classes, const std::string& source) {
  const Json& features = reader.array("features");
  std::vector<std::vector<FunctionCoefficients>> coefficients(features.size());
  for (std::size_t j = 0; j < features.size(); ++j) {
    read_feature(Reader(features[j], fmt::format("feature {}", j), source), model, classes, coefficients[j]);
  }
  const FeatureWeights& W = model.dictionary.weights;
  if (!W.phases.empty() && W.phases.size() != W.size()) reader.fail("has features with and without a phase");
  // Columns come back in the order they were drawn: function by function.
  for (const FunctionRow& phi : all_functions()) {
    for (std::size_t j = 0; j < coefficients.size(); ++j) {
      for (const auto& [own, values] : coefficients[j]) {
        if (own != phi.function) continue;
        model.dictionary.rows.push_back(static_cast<std::uint32_t>(j));
        model.dictionary.functions.push_back(own);
        if (classes == nullptr) {
          model.coefficients.push_back(values.front());
        } else {
          for (std::size_t k = 0; k < values.size(); ++k) classes->coefficients[k].push_back(values[k]);
        }
      }
    }
  }
}

// Beside the features, each of which has its scale. Programs that overlook it lose nothing that they could use.
void read_penalty(const Reader& reader, Model& model, const std::string& source) {
  if (!reader.has("penalty")) return;
  const auto positive = [](const Reader& place, const char* key) {
    const double value = place.number(key);
    if (!(value > 0.0)) place.fail(fmt::format("has a \"{}\" that is not positive", key));
    return value;
  };
  RidgePenalty penalty{positive(reader.object("penalty"), "ridge"), {}};
  const Json& features = reader.array("features");
  for (std::size_t j = 0; j < features.size(); ++j) {
    penalty.scales.push_back(positive(Reader(features[j], fmt::format("feature {}", j), source), "scale"));
  }
  model.penalty = std::move(penalty);
}

// The Gaussian kernel is the default and is not written.
constexpr std::pair<Law, const char*> kernel_names[] = {{Law::student_t, "matern-3/2"}, {Law::cauchy, "laplacian"}};

const char* name_of_kernel(Law law) {
  return std::ranges::find(kernel_names, law, &std::pair<Law, const char*>::first)->second;
}

void read_kernel_name(const Reader& reader, Dictionary& dictionary) {
  if (!reader.has("kernel")) return;
  const std::string name = reader.text("kernel");
  for (const auto& [law, own] : kernel_names) {
    if (name == own) dictionary.kernel_law = law;
  }
  if (dictionary.kernel_law == Law::normal) {
    reader.fail(fmt::format("has a \"kernel\" that this program does not know: {}", name));
  }
}

void read_kernel(const Reader& reader, Model& model) {
  Dictionary& dictionary = model.dictionary;
  if (!dictionary.has_kernels()) return;
  dictionary.gamma = reader.numbers("gamma");
  if (dictionary.gamma.size() != model.inputs.size()) {
    reader.fail("has a number of entries in \"gamma\" that differs from the number of inputs");
  }
  for (const double gamma : dictionary.gamma) {
    if (!(gamma > 0.0)) reader.fail("has a \"gamma\" that is not positive");
  }
  const std::uint64_t order = reader.count("kernel_order");
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (dictionary.functions[k] == Function::kernel && order > dictionary.support(k).size()) {
      reader.fail(fmt::format("has \"kernel_order\" {} above the number of variables of a kernel feature", order));
    }
  }
  dictionary.kernel_order = static_cast<int>(order);
  read_kernel_name(reader, dictionary);
}

// Masses that are all the same are left out.
std::vector<Json> marginals_to_json(const std::vector<Marginal>& marginals) {
  std::vector<Json> list;
  for (const Marginal& marginal : marginals) {
    Json& json = list.emplace_back(Json::object());
    json["values"] = marginal.values;
    const bool equal = std::ranges::all_of(marginal.masses, [&](double mass) { return mass == marginal.masses[0]; });
    if (!equal) json["masses"] = marginal.masses;
  }
  return list;
}

Marginal read_marginal(const Reader& reader) {
  Marginal marginal{reader.numbers("values"), {}};
  if (!std::ranges::is_sorted(marginal.values)) reader.fail("has \"values\" that are not in ascending order");
  const std::size_t count = marginal.values.size();
  if (!reader.has("masses")) {
    marginal.masses.assign(count, count > 0 ? 1.0 / static_cast<double>(count) : 0.0);
    return marginal;
  }
  marginal.masses = reader.numbers("masses");
  if (marginal.masses.size() != count) reader.fail("has different numbers of masses and values");
  if (std::ranges::any_of(marginal.masses, [](double mass) { return !(mass > 0.0); })) {
    reader.fail("has a mass that is not positive");
  }
  return marginal;
}

// Files of older programs have none.
void read_marginals(const Reader& reader, Model& model, const std::string& source) {
  if (!reader.has("marginals")) return;
  const Json& marginals = reader.array("marginals");
  if (marginals.size() != model.inputs.size())
    reader.fail("has a number of marginals that differs from the number of inputs");
  for (std::size_t j = 0; j < marginals.size(); ++j) {
    model.marginals.push_back(read_marginal(Reader(marginals[j], fmt::format("marginal {}", j), source)));
  }
  for (const std::uint32_t variable : model.dictionary.weights.variables) {
    if (model.marginals[variable].values.empty()) {
      reader.fail(fmt::format("has no marginal for input {}, on which a feature depends", variable));
    }
  }
}

// Terms, with their fractions by class in `classes`.
void read_terms(const Reader& reader, Model& model, ClassModel* classes, const std::string& source) {
  const Json& terms = reader.array("terms");
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Reader term(terms[k], fmt::format("term {}", k), source);
    model.terms.push_back(
        {term.indices("variables", model.inputs.size()), term.count("basis_functions"), term.number("fraction"), {}});
    if (term.has("p_value")) model.terms.back().p_value = term.number("p_value");
    if (classes == nullptr) continue;
    const std::vector<double> fractions = read_coefficients(term, "fractions", classes);
    for (std::size_t c = 0; c < fractions.size(); ++c) classes->fractions[c].push_back(fractions[c]);
  }
}

void read_classes(const Reader& reader, ClassModel& classes) {
  if (reader.count("format_version") < 2) {
    reader.fail("was written by an earlier ShrimpClassifier. Load it with Python's ShrimpClassifier.load");
  }
  classes.classes = reader.texts("classes");
  if (classes.classes.size() < 2) reader.fail("has fewer than two classes");
  classes.intercepts = read_coefficients(reader, "intercepts", &classes);
  classes.coefficients.resize(classes.classes.size());
  classes.fractions.resize(classes.classes.size());
}

// With `classes`, everything that classes do not share is read into it.
Model read_model(const Json& json, ClassModel* classes, const std::string& source) {
  const Reader reader(json, "", source);
  Model model;
  model.method = reader.text("method");
  model.target = reader.text("target");
  model.inputs = reader.texts("inputs");
  read_columns(reader, model, source);
  if (classes != nullptr) {
    read_classes(reader, *classes);
  } else if (reader.has("classes")) {
    model.classes = reader.texts("classes");
    if (!model.classes.empty() && model.classes.size() != 2) reader.fail("has a number of classes other than two");
  }
  model.scaling = read_scaling(reader.object("scaling"), model.inputs.size());
  read_terms(reader, model, classes, source);
  model.options = read_options(reader);
  if (reader.has("given")) model.given = read_options(reader, "given");  // Files of older programs have none.
  model.results = read_results(reader);
  read_features(reader, model, classes, source);
  read_kernel(reader, model);
  read_penalty(reader, model, source);
  if (reader.has("uncertainty")) {  // Programs that overlook it predict the same.
    model.uncertainty = read_uncertainty(reader.object("uncertainty"), model.coefficients.size());
  }
  read_marginals(reader, model, source);
  if (!model.marginals.empty()) {
    model.dictionary.marginals =
        std::make_shared<const std::vector<Marginal>>(scale_marginals(model.marginals, model.scaling));
  }
  if (classes == nullptr) check_version(reader, model, reader.count("format_version"));
  return model;
}

std::string model_file_text(const Model& model, const ClassModel* classes) {
  std::vector<Json> terms;
  for (const Term& term : model.terms) {
    Json& json = terms.emplace_back(
        Json{{"variables", term.variables}, {"basis_functions", term.basis_functions}, {"fraction", term.fraction}});
    if (term.p_value) json["p_value"] = *term.p_value;
    if (classes == nullptr) continue;
    std::vector<double> fractions;
    for (const std::vector<double>& own : classes->fractions) fractions.push_back(own[terms.size() - 1]);
    json["fractions"] = fractions;
  }
  std::string text = fmt::format("{{\n \"format\": \"{}\",\n \"format_version\": {}",
                                 classes == nullptr ? real_model_format : class_model_format,
                                 classes == nullptr ? model_format_version : class_model_format_version);
  const auto append = [&](const char* name, const Json& value) {
    text += fmt::format(",\n \"{}\": {}", name, value.dump());
  };
  append("shrimp_version", version);
  append("method", model.method);
  append("target", model.target);
  if (!model.classes.empty()) append("classes", model.classes);
  if (classes != nullptr) {
    append("classes", classes->classes);
    append("intercepts", classes->intercepts);
  }
  append("inputs", model.inputs);
  if (!model.columns.empty()) append_list(text, "columns", columns_to_json(model.columns));
  append("scaling", scaling_to_json(model.scaling));
  append("options", model.options);
  if (model.given) append("given", *model.given);
  append("results", model.results);
  if (model.dictionary.has_kernels()) {
    append("gamma", model.dictionary.gamma);
    append("kernel_order", model.dictionary.kernel_order);
  }
  if (has_kernel_law(model.dictionary)) append("kernel", name_of_kernel(model.dictionary.kernel_law));
  if (model.penalty) append("penalty", {{"ridge", model.penalty->ridge}});
  if (model.uncertainty) append("uncertainty", uncertainty_to_json(*model.uncertainty));
  if (!model.marginals.empty()) append_list(text, "marginals", marginals_to_json(model.marginals));
  append_list(text, "terms", terms);
  append_list(text, "features", features_to_json(model, classes));
  return text + "\n}\n";
}

}  // namespace

std::string to_json(const Model& model) { return model_file_text(model, nullptr); }

Model model_from_json(std::string_view text, const std::string& source) {
  return read_model(parse_model(text, real_model_format, model_format_version, source), nullptr, source);
}

std::string to_json(const ClassModel& model) { return model_file_text(model.shared, &model); }

ClassModel class_model_from_json(std::string_view text, const std::string& source) {
  ClassModel model;
  model.shared = read_model(parse_model(text, class_model_format, class_model_format_version, source), &model, source);
  return model;
}

}  // namespace shrimp
