#include "class_models.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "model/finite_predictions.hpp"
#include "shrimp/classes.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

// Linear predictors or probabilities: a row per row of X, a column per class.
template <Matrix (ClassModel::*function)(MatrixView, int) const>
Array2D by_class(const ClassModel& model, const Table2D& X, int threads) {
  Matrix values = Matrix::uninitialized(X.shape(0), model.classes.size());
  {
    const Unlocked unlocked;
    std::size_t first = 0;
    read_in_parts(X, [&](MatrixView part) {
      const Matrix own = (model.*function)(part, threads);
      for (std::size_t k = 0; k < own.cols(); ++k) {
        require_finite(own.col(k), first);
        std::ranges::copy(own.col(k), values.col(k).begin() + static_cast<std::ptrdiff_t>(first));
      }
      first += part.rows;
    });
  }
  return to_array(std::move(values));
}

}  // namespace

void add_class_models(nb::module_& module) {
  nb::class_<ClassModel>(module, "ClassModel", "A fitted model of several classes: the content of its file.")
      .def_static("from_json", &class_model_from_json, "text"_a, "source"_a, nb::call_guard<Unlocked>())
      .def_static("load", &load_class_model, "path"_a, nb::call_guard<Unlocked>())
      .def(
          "to_json", [](const ClassModel& model) { return to_json(model); }, nb::call_guard<Unlocked>())
      .def(
          "save", [](const ClassModel& model, const std::string& path) { save_model(model, path); }, "path"_a,
          nb::call_guard<Unlocked>())
      .def(
          "__getstate__", [](const ClassModel& model) { return to_json(model); }, nb::call_guard<Unlocked>())
      .def(
          "__setstate__",
          [](ClassModel& model, const std::string& text) {
            new (&model) ClassModel(class_model_from_json(text, "the pickled model"));
          },
          nb::call_guard<Unlocked>())
      .def("predict_linear", &by_class<&ClassModel::predict_linear>, "X"_a, "threads"_a)
      .def("predict_probabilities", &by_class<&ClassModel::predict_probabilities>, "X"_a, "threads"_a)
      .def("model_of", &ClassModel::model_of, "k"_a, "the model of the linear predictor of a class")
      .def_ro("classes", &ClassModel::classes)
      .def_ro("shared", &ClassModel::shared, "inputs, options and results");
}

}  // namespace shrimp::python
