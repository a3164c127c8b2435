// The extension module: the library's table of parameters, fit, models and features, as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>

#include "arrays.hpp"
#include "class_models.hpp"
#include "data/bad_cell.hpp"
#include "data/encode.hpp"
#include "data/target_form.hpp"
#include "features/bases.hpp"
#include "given_options.hpp"
#include "kinds.hpp"
#include "model/finite_predictions.hpp"
#include "model/formula.hpp"
#include "objective/objective.hpp"
#include "parts.hpp"
#include "python_loss.hpp"
#include "report/words.hpp"
#include "reports.hpp"
#include "shrimp/shrimp.hpp"
#include "summaries.hpp"
#include "tables.hpp"
#include "threads/threads.hpp"
#include "unlocked.hpp"
#include "watched_fit.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

nb::list methods() {
  nb::list rows;
  for (const MethodInfo& method : fit_methods()) {
    nb::list takes;
    for (const std::string_view name : method.takes) takes.append(std::string(name));
    nb::dict row;
    row["name"] = std::string(method.name);
    row["help"] = std::string(method.help);
    row["takes"] = takes;
    rows.append(row);
  }
  return rows;
}

nb::dict losses() {
  nb::dict rows;
  const auto add = [&](const Objective& objective) {
    const Metric& metric = objective.metric;
    const bool is_root = objective.loss == Loss::squared;
    rows[nb::str(objective.name.data(), objective.name.size())] =
        nb::make_tuple(is_root ? std::string("RMSE") : std::string(metric.name), std::string(metric.key),
                       std::string(objective.constant_model), std::string(objective.linear_model));
  };
  for (const Objective* objective : all_objectives()) add(*objective);
  add(objective_of(Loss::custom));
  return rows;
}

nb::list parameters() {
  nb::list rows;
  for (const Parameter& parameter : fit_parameters()) {
    nb::dict row;
    nb::list deprecated_names;
    for (const DeprecatedName& old : parameter.deprecated_names) deprecated_names.append(std::string(old.name));
    row["name"] = std::string(parameter.name);
    row["python_name"] = std::string(parameter.python_name);
    row["deprecated_names"] = deprecated_names;
    row["is_switch"] = parameter.value.empty();
    row["range"] = std::string(parameter.range);
    row["default"] = std::string(parameter.fallback);
    row["help"] = std::string(parameter.help);
    rows.append(row);
  }
  return rows;
}

// Two tables that must have the same number of rows were checked on the Python side; a mistake there throws in fit.
Dataset to_dataset(const Table2D& X, const Numbers& y, const std::optional<Numbers>& weights,
                   const std::vector<std::string>& inputs, const std::string& target) {
  Dataset data;
  data.inputs = inputs;
  data.target = target;
  data.X = copy_rows(X, 0, X.shape(0));
  data.y = to_vector(y);
  if (weights) data.weights = to_vector(*weights);
  return data;
}

FitResult fit_arrays(const Table2D& X, const Numbers& y, const std::optional<Numbers>& weights,
                     const std::vector<std::string>& inputs, const std::string& target, const Texts& options,
                     const std::optional<Table2D>& X_validation, const std::optional<Numbers>& y_validation,
                     const nb::object& report, const std::optional<GroupNumbers>& groups,
                     const std::optional<Numbers>& exposure, const std::vector<std::string>& classes,
                     const Kinds& kinds, const Kinds& kinds_of_validation, const nb::object& loss) {
  Dataset train = to_dataset(X, y, weights, inputs, target);
  train.columns = columns_of_kinds(kinds);
  train.classes = classes;
  if (exposure) train.exposure.assign(exposure->data(), exposure->data() + exposure->shape(0));
  if (groups) train.groups.assign(groups->data(), groups->data() + groups->shape(0));
  std::optional<Dataset> validation;
  if (X_validation && y_validation) {
    validation = to_dataset(*X_validation, *y_validation, {}, inputs, target);
    validation->columns = columns_of_kinds(kinds_of_validation);
  }
  auto fit_in_memory = [train = std::move(train), validation = std::move(validation), function = nb::handle(loss)](
                           FitOptions own, const FitObserver& observer, const OnCaller& on_caller) {
    if (!function.is_none()) own.custom_loss = std::make_shared<PythonLoss>(function, on_caller);
    return fit(train, own, validation ? &*validation : nullptr, nullptr, observer);
  };
  return fit_as_given(options, std::move(fit_in_memory), report);
}

std::vector<std::vector<std::string>> levels_of(const Model& model) {
  std::vector<std::vector<std::string>> levels(model.inputs.size());
  for (std::size_t j = 0; j < model.columns.size(); ++j) levels[j] = model.columns[j].levels;
  return levels;
}

std::vector<double> predict(const Model& model, const Table2D& X, int threads) {
  const Unlocked unlocked;
  std::vector<double> prediction;
  read_in_parts(X, [&](MatrixView part) {
    const std::vector<double> values = model.predict(part, threads);
    require_finite(values, prediction.size());
    prediction.insert(prediction.end(), values.begin(), values.end());
  });
  return prediction;
}

// What was fitted, before the link makes a mean of it.
std::vector<double> predict_linked(const Model& model, const Table2D& X, int threads) {
  Model linear = model;
  linear.scaling.target_form = TargetForm::identity;
  return predict(linear, X, threads);
}

std::vector<double> predict_standard_deviations_of(const Model& model, const Table2D& X, int threads) {
  const nb::gil_scoped_release unlocked;
  std::vector<double> deviations;
  read_in_parts(X, [&](MatrixView part) {
    const std::vector<double> values = predict_standard_deviations(model, part, threads);
    deviations.insert(deviations.end(), values.begin(), values.end());
  });
  return deviations;
}

// Columns lower and upper.
Array2D predict_intervals_of(const Model& model, const Table2D& X, double level, int threads) {
  Matrix bounds = Matrix::uninitialized(X.shape(0), 2);
  {
    const nb::gil_scoped_release unlocked;
    require_intervals(model, level, "the model");
    std::size_t first = 0;
    read_in_parts(X, [&](MatrixView part) {
      const PredictionIntervals found = predict_intervals(model, part, level, threads);
      std::ranges::copy(found.lower, bounds.col(0).begin() + static_cast<std::ptrdiff_t>(first));
      std::ranges::copy(found.upper, bounds.col(1).begin() + static_cast<std::ptrdiff_t>(first));
      first += part.rows;
    });
  }
  return to_array(std::move(bounds));
}

// Lower and upper end of a term's curve at points of its inputs; none where the model does not know.
std::optional<nb::tuple> band_of(const Model& model, const std::vector<std::uint32_t>& variables, const Table2D& points,
                                 double level, int threads) {
  if (!knows_coefficients(model)) return std::nullopt;
  TermBand band;
  {
    const nb::gil_scoped_release unlocked;
    band = term_band(model, variables, copy_rows(points, 0, points.shape(0)), level, threads);
  }
  return nb::make_tuple(to_array(band.lower), to_array(band.upper));
}

template <Matrix (*function)(const Model&, MatrixView, int)>
Array2D explain(const Model& model, const Table2D& X, int threads) {
  Matrix values;
  {
    const Unlocked unlocked;
    const auto view = view_of(X);
    values = view ? function(model, *view, threads) : function(model, copy_rows(X, 0, X.shape(0)), threads);
  }
  return to_array(std::move(values));
}

nb::list columns_of(const Model& model) {
  nb::list columns;
  for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
    const auto support = model.dictionary.support(k);
    columns.append(nb::make_tuple(std::vector<std::uint32_t>(support.begin(), support.end()),
                                  about(model.dictionary.functions[k]).name, model.coefficients[k]));
  }
  return columns;
}

bool has_duplicates(std::vector<std::string> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

// As people write them; where two terms would have the same name (a pair, and an input called as the pair is), inputs
// are written as in formulas, which tells all terms apart.
std::vector<std::string> term_names(const Model& model) {
  std::vector<std::string> names;
  for (const Term& term : model.terms) names.push_back(model.term_name(term));
  if (!has_duplicates(names)) return names;
  Model quoted;
  for (const std::string& input : model.inputs) quoted.inputs.push_back(formula_name(input));
  std::ranges::transform(model.terms, names.begin(), [&](const Term& term) { return quoted.term_name(term); });
  return names;
}

nb::list terms_of(const Model& model) {
  nb::list terms;
  const std::vector<std::string> names = term_names(model);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Term& term = model.terms[k];
    terms.append(nb::make_tuple(names[k], term.variables, term.basis_functions, term.fraction, term.p_value));
  }
  return terms;
}

// The column of the table that each input is made of, and the part of it.
nb::list sources_of(const Model& model) {
  nb::list sources;
  for (std::size_t j = 0; j < model.inputs.size(); ++j) {
    const InputColumn own = model.columns.empty() ? InputColumn() : model.columns[j];
    const char* const parts[] = {"value", "missing", "day_of_week", "day_of_year"};
    sources.append(nb::make_tuple(own.column.empty() ? model.inputs[j] : own.column,
                                  std::string(parts[static_cast<std::size_t>(own.part)])));
  }
  return sources;
}

nb::tuple index_tuple(const SobolIndex& index) {
  return nb::make_tuple(index.value, index.structural, index.correlative, index.low, index.high);
}

// Indices of inputs (first and total) and of terms (their inputs and share), the variance, and what is not listed.
nb::tuple describe_sensitivity(const Sensitivity& found) {
  nb::list inputs;
  for (const InputSensitivity& input : found.inputs) {
    inputs.append(nb::make_tuple(index_tuple(input.first), index_tuple(input.total)));
  }
  nb::list terms;
  for (const TermSensitivity& term : found.terms) {
    terms.append(nb::make_tuple(term.variables, index_tuple(term.fraction)));
  }
  return nb::make_tuple(inputs, terms, found.variance, found.unlisted);
}

nb::tuple sensitivity_of_laws(const Model& model, const std::string& laws, int threads) {
  Sensitivity found;
  {
    const Unlocked unlocked;
    found = sensitivity(model, parse_input_laws(laws, model), threads);
  }
  return describe_sensitivity(found);
}

nb::tuple sensitivity_of_rows(const Model& model, const Table2D& X, int threads) {
  Sensitivity found;
  {
    const Unlocked unlocked;
    found = sensitivity_on(model, copy_rows(X, 0, X.shape(0)), threads);
  }
  return describe_sensitivity(found);
}

Texts forms_of(const Model& model) {
  Texts forms;
  for (const auto& [input, form] : input_forms(model)) forms[model.inputs[input]] = form;
  return forms;
}

nb::list marginals_of(const Model& model) {
  nb::list marginals;
  for (const Marginal& marginal : model.marginals) marginals.append(nb::make_tuple(marginal.values, marginal.masses));
  return marginals;
}

template <typename Get>
nb::list column(const FitResult& result, const Get& get) {
  nb::list values;
  for (const PathRecord& record : result.path) values.append(get(record));
  return values;
}

nb::dict path_of(const FitResult& result) {
  nb::dict path;
  path["step"] = column(result, [](const PathRecord& r) { return r.step; });
  path["columns"] = column(result, [](const PathRecord& r) { return r.basis_functions; });
  path["rank"] = column(result, [](const PathRecord& r) { return r.rank; });
  path["train_mse"] = column(result, [](const PathRecord& r) { return r.train_mse; });
  path["validation_mse"] = column(result, [](const PathRecord& r) { return r.validation_mse; });
  path["ridge"] = column(result, [](const PathRecord& r) { return r.ridge; });
  path["penalty"] = column(result, [](const PathRecord& r) { return r.penalty; });
  path["converged"] = column(result, [](const PathRecord& r) { return r.converged; });
  path["gap"] = column(result, [](const PathRecord& r) { return r.duality_gap; });
  path["chosen"] = column(result, [&](const PathRecord& r) { return r.step == result.chosen; });
  return path;
}

template <typename Number, typename Values>
nb::object to_array_of(const Values& values) {
  Number* data = new Number[values.size()];
  const nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<Number*>(pointer); });
  std::ranges::transform(values, data, [](auto value) { return static_cast<Number>(value); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(data, {values.size()}, owner));
}

// W in compressed rows, the phases, the basis that was chosen, and how many columns it makes of a row.
nb::tuple draw_features(std::size_t d, const Texts& values) {
  FitOptions options = to_options(values);
  options.method = "shrimp";  // The one whose features these are.
  options = complete_options(options, d);
  if (options.orders.size() != 1)
    throw OptionError("order names several candidates.\nMix orders by a plus, as in 1+2.");
  const DrawOptions& draw = options.draw;
  const FeatureWeights W = draw_weights(d, {options.orders.front(), draw.features, draw.law, draw.sigma2,
                                            draw.degrees_of_freedom, *draw.basis, options.seed});
  const BasisRow& basis = about(*draw.basis);
  return nb::make_tuple(to_array_of<std::int64_t>(W.offsets), to_array_of<std::int32_t>(W.variables),
                        to_array(W.values), to_array(W.phases), std::string(basis.name), basis.functions.size());
}

// Compressed rows that hang together. Whether X has the inputs, `evaluate` looks.
void check_weights(const FeatureWeights& W) {
  const bool ends = !W.offsets.empty() && W.offsets.front() == 0 && W.offsets.back() == W.variables.size();
  if (!ends || !std::ranges::is_sorted(W.offsets) || W.variables.size() != W.values.size()) {
    throw OptionError("offsets, variables and values are not the rows of one sparse matrix.");
  }
  if (!W.phases.empty() && W.phases.size() != W.size()) throw OptionError("there are not as many phases as rows.");
}

Array2D evaluate_features(const Table2D& X, const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>& offsets,
                          const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig>& variables,
                          const Numbers& values, const Numbers& phases, const std::string& basis, double scale,
                          int threads) {
  FeatureWeights W;
  W.offsets.assign(offsets.data(), offsets.data() + offsets.shape(0));
  W.variables.assign(variables.data(), variables.data() + variables.shape(0));
  W.values = to_vector(values);
  W.phases = to_vector(phases);
  check_weights(W);
  const Basis chosen = *to_options({{"basis", basis}}).draw.basis;
  Matrix A;
  {
    const Unlocked unlocked;
    const ThreadScope scope(threads);
    A = evaluate(make_dictionary(std::move(W), chosen), copy_rows(X, 0, X.shape(0)));
    for (double& value : std::span(A.data(), A.rows() * A.cols())) value *= scale;
  }
  return to_array(std::move(A));
}

void add_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted model: what a model file holds.")
      .def_static("from_json", &model_from_json, "text"_a, "source"_a, nb::call_guard<Unlocked>())
      .def_static("load", &load_model, "path"_a, nb::call_guard<Unlocked>())
      .def(
          "to_json", [](const Model& model) { return to_json(model); }, nb::call_guard<Unlocked>())
      .def(
          "save", [](const Model& model, const std::string& path) { save_model(model, path); }, "path"_a,
          nb::call_guard<Unlocked>())
      .def(
          "__getstate__", [](const Model& model) { return to_json(model); }, nb::call_guard<Unlocked>())
      .def(
          "__setstate__",
          [](Model& model, const std::string& text) { new (&model) Model(model_from_json(text, "the pickled model")); },
          nb::call_guard<Unlocked>())
      .def(
          "predict",
          [](const Model& model, const Table2D& X, int threads) { return to_array(predict(model, X, threads)); }, "X"_a,
          "threads"_a)
      .def(
          "predict_deviations",
          [](const Model& model, const Table2D& X, int threads) {
            return to_array(predict_standard_deviations_of(model, X, threads));
          },
          "X"_a, "threads"_a)
      .def("predict_intervals", &predict_intervals_of, "X"_a, "level"_a, "threads"_a)
      .def("level_warning", &level_warning, "level"_a)
      .def("term_band", &band_of, "variables"_a, "points"_a, "level"_a, "threads"_a)
      .def_prop_ro(
          "clipping_range",
          [](const Model& model) {
            const InputRange range = clipping_range(model);
            return nb::make_tuple(to_array(range.lowest), to_array(range.highest));
          },
          "lowest and highest value of each input that is taken as it is")
      .def("term_values", &explain<term_values>, "X"_a, "threads"_a)
      .def("input_values", &explain<input_values>, "X"_a, "threads"_a)
      .def("gradient", &explain<gradient>, "X"_a, "threads"_a)
      .def("sensitivity", &sensitivity_of_laws, "laws"_a, "threads"_a)
      .def("sensitivity_on", &sensitivity_of_rows, "X"_a, "threads"_a)
      .def("equation", &equation, "digits"_a, nb::call_guard<Unlocked>())
      .def("short_equation", &short_equation, "terms"_a, "digits"_a, nb::call_guard<Unlocked>())
      .def(
          "export",
          [](const Model& model, const std::string& format, const std::string& name, std::size_t terms, int digits) {
            const std::string text = export_model(model, export_format(format), {name, terms, digits});
            return nb::bytes(text.data(), text.size());
          },
          "format"_a, "name"_a, "terms"_a, "digits"_a)
      .def_ro("inputs", &Model::inputs)
      .def_prop_ro("has_kinds", [](const Model& model) { return !model.columns.empty(); })
      .def_prop_ro("table_columns", [](const Model& model) { return columns_of_table(model.inputs, model.columns); })
      .def_prop_ro("sources", &sources_of, "column of the table and part of it that each input is made of")
      .def_prop_ro("levels", &levels_of, "names of the levels of each input; none for numbers")
      .def_ro("target", &Model::target)
      .def_ro("classes", &Model::classes)
      .def("predict_linked", &predict_linked, "X"_a, "threads"_a, "log odds of a class, or the logarithm of a rate")
      .def_ro("method", &Model::method)
      .def_ro("options", &Model::options)
      .def_ro("given", &Model::given)
      .def_ro("results", &Model::results)
      .def_prop_ro("forms", &forms_of, "how inputs enter that do not as they are")
      .def_prop_ro("target_form", [](const Model& model) { return std::string(name_of(model.scaling.target_form)); })
      .def_prop_ro("fitted_target", &report::fitted_target, "what the terms add up to, in words")
      .def_prop_ro("terms", &terms_of, "name, inputs, columns, share and chance of each term")
      .def(
          "effects", [](const Model& model) { return term_effects(model); }, nb::call_guard<Unlocked>(),
          "effect of each term in words")
      .def_prop_ro("n_columns", [](const Model& model) { return model.coefficients.size(); })
      .def_prop_ro("columns", &columns_of, "inputs, function and coefficient of each column")
      .def_prop_ro("marginals", &marginals_of, "values and masses of each input");
}

void add_fit(nb::module_& module) {
  nb::class_<FitResult>(module, "FitResult", "What a fit found.")
      .def_ro("model", &FitResult::model)
      .def_ro("class_model", &FitResult::class_model, "the model of all classes with loss multinomial, or None")
      .def_ro("readable", &FitResult::readable, "the model of low order that a kernel term replaced, or None")
      .def_ro("order", &FitResult::order)
      .def_ro("prune_rate", &FitResult::prune_rate)
      .def_ro("ridge", &FitResult::ridge)
      .def_ro("penalty", &FitResult::penalty)
      .def_ro("converged", &FitResult::converged)
      .def_ro("gap", &FitResult::duality_gap)
      .def_ro("validation_mse", &FitResult::validation_mse)
      .def_ro("train_mse", &FitResult::train_mse)
      .def_ro("seconds", &FitResult::seconds)
      .def_prop_ro("warnings",
                   [](const FitResult& result) {
                     std::vector<std::string> all = result.warnings;
                     all.insert(all.end(), result.alerts.begin(), result.alerts.end());
                     return all;
                   })
      .def_prop_ro("path", &path_of);
  module.def("fit", &fit_arrays, "X"_a, "y"_a, "weights"_a.none(), "inputs"_a, "target"_a, "options"_a,
             "X_validation"_a.none(), "y_validation"_a.none(), "report"_a.none(), "groups"_a.none() = nb::none(),
             "exposure"_a.none() = nb::none(), "classes"_a = std::vector<std::string>(), "kinds"_a = Kinds(),
             "kinds_of_validation"_a = Kinds(), "loss"_a.none() = nb::none());
  module.def("methods", &methods, "The table of methods: their names, help, and the parameters that are theirs.");
  module.def("losses", &losses,
             "By loss: the metric's name and key, and the names of the constant and linear baselines.");
  module.def("parameters", &parameters, "The table of parameters that the command line has, too.");
}

void add_cells(nb::module_& module) {
  module.def(
      "complaint_about_cell",
      [](const std::string& cell, const std::string& place, const std::string& leave_out) {
        return complaint_about_cell(cell, '.', place, leave_out);
      },
      "cell"_a, "place"_a, "leave_out"_a = "",
      "What is wrong with the text of a cell, and the way out; empty if it is a finite number.");
}

void add_features(nb::module_& module) {
  module.def("draw_features", &draw_features, "d"_a, "options"_a);
  module.def("evaluate_features", &evaluate_features, "X"_a, "offsets"_a, "variables"_a, "values"_a, "phases"_a,
             "basis"_a, "scale"_a, "threads"_a);
}

}  // namespace
}  // namespace shrimp::python

NB_MODULE(_core, module) {
  module.attr("version") = std::string(shrimp::version);
  module.def("available_threads", &omp_get_max_threads,
             "Threads that OpenMP would take in this thread: what OMP_NUM_THREADS and threadpoolctl leave.");
  nb::exception<shrimp::FileError>(module, "FileError", PyExc_OSError);
  shrimp::python::add_model(module);
  shrimp::python::add_class_models(module);
  shrimp::python::add_fit(module);
  shrimp::python::add_parts(module);
  shrimp::python::add_summaries(module);
  shrimp::python::add_tables(module);
  shrimp::python::add_reports(module);
  shrimp::python::add_features(module);
  shrimp::python::add_cells(module);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&shrimp::python::end_fits));
}
