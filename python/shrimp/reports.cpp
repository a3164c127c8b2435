#include "reports.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "data/file.hpp"
#include "shrimp/report.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

/// Columns, training error, validation error, and whether it was chosen.
using Step = std::tuple<std::size_t, double, double, bool>;

void add_path(ReportOptions& options, const std::vector<Step>& steps) {
  for (const auto& [columns, train_mse, validation_mse, chosen] : steps) {
    PathRecord record;
    record.step = options.path.size();
    record.basis_functions = columns;
    record.train_mse = train_mse;
    record.validation_mse = validation_mse;
    if (chosen) options.chosen = record.step;
    options.path.push_back(record);
  }
}

void write_report(const Model& model, const std::string& path, const std::optional<Table2D>& X,
                  const std::optional<Numbers>& y, const std::optional<Numbers>& exposure,
                  const std::vector<Step>& steps, int threads) {
  const nb::gil_scoped_release unlocked;
  ReportOptions options;
  options.threads = threads;
  add_path(options, steps);
  TestRows test(model, "X");
  if (X && y) {
    std::size_t first = 0;
    read_in_parts(*X, [&](MatrixView part) {
      const std::span own(y->data() + first, part.rows);
      if (exposure) {
        test.add(part, own, std::span(exposure->data() + first, part.rows), threads);
      } else {
        test.add(part, own, threads);
      }
      first += part.rows;
    });
    options.test = &test;
  }
  write_file(path, report_page(model, options));
}

}  // namespace

void add_reports(nb::module_& module) {
  module.def("write_report", &write_report, "model"_a, "path"_a, "X"_a.none(), "y"_a.none(), "exposure"_a.none(),
             "steps"_a, "threads"_a);
}

}  // namespace shrimp::python
