#include "summaries.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/simplify.hpp"
#include "shrimp/update.hpp"
#include "threads/threads.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

ModelSummary sum_up(const Model& model, const Table2D& X, const Numbers& y, const std::optional<Numbers>& weights,
                    const std::optional<GroupNumbers>& groups, std::size_t folds, int threads) {
  constexpr std::size_t block_rows = 8192;
  const std::vector<double> targets = to_vector(y);
  const std::vector<double> own_weights = weights ? to_vector(*weights) : std::vector<double>();
  const bool fits = X.shape(0) == targets.size() && (!weights || own_weights.size() == targets.size()) &&
                    (!groups || groups->shape(0) == targets.size());
  if (!fits) throw std::invalid_argument("X, y, weights and groups have different numbers of rows.");
  const std::span<const std::uint32_t> all_groups =
      groups ? std::span(groups->data(), groups->shape(0)) : std::span<const std::uint32_t>();
  const Unlocked unlocked;
  SummaryMaker maker(model, {"", "", folds, threads});
  for (std::size_t first = 0; first < targets.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, targets.size() - first);
    const std::span<const double> all_weights(own_weights);
    maker.add(copy_rows(X, first, count), std::span(targets).subspan(first, count),
              weights ? all_weights.subspan(first, count) : all_weights,
              groups ? all_groups.subspan(first, count) : all_groups);
  }
  return maker.finish();
}

Model refit_with(const ModelSummary& summary, const Model& model, int threads) {
  const Unlocked unlocked;
  const ThreadScope scope(threads);
  return refit(model, summary);
}

Simplified simplify_with(const Model& model, const ModelSummary& summary, const std::optional<std::size_t>& terms,
                         const std::optional<std::size_t>& columns, const std::vector<std::string>& drop, int threads) {
  const Unlocked unlocked;
  return simplify(model, summary, {terms, columns, drop, threads});
}

void refine_with(Simplified& simplified, const Table2D& X, const Numbers& y, const std::optional<Numbers>& weights,
                 const std::optional<GroupNumbers>& groups, std::size_t folds, int threads) {
  refine(simplified, [&](const Model& model) { return sum_up(model, X, y, weights, groups, folds, threads); });
}

bool can_refit(const std::string& method, const std::string& loss) {
  Model model;
  model.method = method;
  model.options["loss"] = loss;
  try {
    require_refit(model, "a model");
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

nb::bytes bytes_of(const ModelSummary& summary) {
  const std::string bytes = to_bytes(summary);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void add_summaries(nb::module_& module) {
  nb::class_<ModelSummary>(module, "Summary", "Sums over rows that give a model's coefficients; it holds no row.")
      .def_static("of", &sum_up, "model"_a, "X"_a, "y"_a, "weights"_a.none(), "groups"_a.none(), "folds"_a, "threads"_a)
      .def_static("load", &load_summary, "path"_a, nb::call_guard<Unlocked>())
      .def(
          "save", [](const ModelSummary& summary, const std::string& path) { save_summary(summary, path); }, "path"_a,
          nb::call_guard<Unlocked>())
      .def("merge", &ModelSummary::merge, "other"_a)
      .def("refit", &refit_with, "model"_a, "threads"_a)
      .def("set_model", &ModelSummary::set_model, "model"_a)
      .def(
          "belongs_to",
          [](const ModelSummary& summary, const Model& model) {
            return summary.is_of_columns_of(model) && summary.may_belong_to(model);
          },
          "model"_a)
      .def_prop_ro("rows", &ModelSummary::rows)
      .def_prop_ro("folds", &ModelSummary::folds)
      .def("__getstate__", &bytes_of)
      .def("__setstate__", [](ModelSummary& summary, const nb::bytes& bytes) {
        new (&summary) ModelSummary(summary_from_bytes({bytes.c_str(), bytes.size()}, "the pickled summary"));
      });
  nb::class_<Simplified>(module, "Simplified", "A smaller model, and the larger one fitted to the same rows.")
      .def_ro("before", &Simplified::before)
      .def_ro("model", &Simplified::model)
      .def_ro("summary", &Simplified::summary)
      .def_ro("notes", &Simplified::notes)
      .def("refine", &refine_with, "X"_a, "y"_a, "weights"_a.none(), "groups"_a.none(), "folds"_a, "threads"_a,
           "Refits the smaller model to these rows until it stands still, under another loss than squared error.");
  module.def("simplify", &simplify_with, "model"_a, "summary"_a, "terms"_a.none(), "columns"_a.none(), "drop"_a,
             "threads"_a, "A model of fewer terms or columns, fitted again.");
  module.def("can_refit", &can_refit, "method"_a, "loss"_a,
             "Whether sufficient statistics give the coefficients of a method's models under a loss.");
}

}  // namespace shrimp::python
