#include "tables.hpp"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "data/bad_cell.hpp"
#include "data/csv_stream.hpp"
#include "data/encode.hpp"
#include "data/file.hpp"
#include "data/input_file.hpp"
#include "data/names.hpp"
#include "fit/term_names.hpp"
#include "given_options.hpp"
#include "kinds.hpp"
#include "python_blocks.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/model.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace shrimp::python {
namespace {

using Names = std::vector<std::string>;

Table heading_of(const Names& names) {
  Table table;
  table.names = names;
  table.values = Matrix(0, names.size());
  return table;
}

// Which columns are inputs, in the words of a CSV file if some are missing.
Names inputs_of(Names names, const std::string& target, const std::string& weights, const std::string& groups,
                const std::string& exposure, const Names& ignore, const std::string& source) {
  for (const std::string& name : ignore) {
    if (find_name(names, name)) continue;
    throw OptionError(fmt::format("{} has no column \"{}\" to ignore.\n{}", source, name, suggest_names(names, name)));
  }
  std::erase_if(names, [&](const std::string& name) { return find_name(ignore, name).has_value(); });
  Dataset data = take_weights(split_target(heading_of(names), target, source), weights, source);
  return take_groups(take_exposure(std::move(data), exposure, source), groups, source).inputs;
}

void require_columns(const Names& names, const Names& wanted, const std::string& source) {
  (void)select_columns(heading_of(names), wanted, source);
}

FitResult fit_csv(const std::string& path, const std::string& target, const std::string& weights,
                  const std::string& groups, const std::string& exposure, const Names& ignore, const Texts& options,
                  const nb::object& report) {
  auto fit_file = [=](const FitOptions& own, const FitObserver& observer, const OnCaller&) {
    CsvOptions csv;
    csv.ignore = ignore;
    csv.kinds = true;
    csv.required = {target};
    for (const std::string& column : {weights, exposure}) {
      if (!column.empty()) csv.required.push_back(column);
    }
    csv.memory = own.machine.memory;
    csv.threads = own.machine.threads;
    const std::unique_ptr<RowBlocks> blocks = read_csv_blocks(path, target, weights, groups, csv, exposure);
    FitResult result = fit(*blocks, own, observer);
    const std::vector<std::string>& odd = blocks->heading().warnings;
    result.warnings.insert(result.warnings.begin(), odd.begin(), odd.end());
    return result;
  };
  return fit_as_given(options, std::move(fit_file), report);
}

FitResult fit_rows(const nb::callable& passes, const Names& inputs, const Kinds& kinds, const std::string& target,
                   const std::string& exposure, const std::string& source, const Texts& options,
                   const nb::object& report) {
  Dataset heading;
  heading.source = source;
  heading.inputs = inputs;
  heading.columns = columns_of_kinds(kinds);
  heading.target = target;
  heading.exposure_column = exposure;
  PythonRows rows(heading, passes);
  auto fit_passes = [heading, &rows](const FitOptions& own, const FitObserver& observer, const OnCaller& on_caller) {
    PythonBlocks blocks(heading, rows, on_caller);
    return fit(blocks, own, observer);
  };
  return fit_as_given(options, std::move(fit_passes), report);
}

// The columns that a model asks for, of a CSV file, block by block.
class CsvInputs {
 public:
  CsvInputs(const std::string& path, const Model& model, int threads)
      : file_(path, InputFile::Passes::one),
        stream_(file_.bytes(), file_.name(), reading_for(model, threads), labels_),
        encoder_(model.inputs, model.columns, stream_.heading().names, path) {}

  [[nodiscard]] const std::vector<std::string>& warnings() const { return stream_.heading().warnings; }
  [[nodiscard]] std::vector<std::string> odd() const { return encoder_.warnings(); }

  Array2D next() {
    Matrix block;
    {
      const Unlocked unlocked;
      const std::optional<MatrixView> values = stream_.next();
      if (values) block = encoder_.encode(*values, stream_.heading().columns);
    }
    if (block.rows() == 0) throw nb::stop_iteration();
    return to_array(std::move(block));
  }

 private:
  static CsvOptions reading_for(const Model& model, int threads) {
    CsvOptions options;
    options.only = columns_of_table(model.inputs, model.columns);
    options.threads = threads;
    if (const auto words = model.options.find("missing"); words != model.options.end()) {
      options.missing = parse_names("missing", words->second);
    }
    ask_for(model.inputs, model.columns, options);
    return options;
  }

  InputFile file_;
  CsvLabels labels_;
  CsvStream stream_;
  InputEncoder encoder_;
};

class RowEncoder {
 public:
  RowEncoder(const Model& model, const Names& names, const std::string& source)
      : encoder_(model.inputs, model.columns, names, source) {}

  Array2D encode(const Table2D& X, const Kinds& kinds) {
    return to_array(encoder_.encode(copy_rows(X, 0, X.shape(0)), columns_of_kinds(kinds)));
  }

  [[nodiscard]] std::vector<std::string> odd() const { return encoder_.warnings(); }

 private:
  InputEncoder encoder_;
};

// The file that `shrimp predict` writes.
class PredictionFile {
 public:
  explicit PredictionFile(const std::string& path) : file_(std::make_unique<OutputFile>(path)) {
    file_->write("prediction\n");
  }

  void write(const Numbers& values) const {
    std::string text;
    for (std::size_t i = 0; i < values.shape(0); ++i) {
      fmt::format_to(std::back_inserter(text), "{}\n", values.data()[i]);
    }
    const Unlocked unlocked;
    file_->write(text);
  }

  void finish() { file_->finish(); }
  void discard() { file_.reset(); }

 private:
  std::unique_ptr<OutputFile> file_;
};

// Rows outside the training range, counted over blocks.
class ClippedCount {
 public:
  explicit ClippedCount(const Model& model)
      : model_(model), all_{0, 0, std::vector<std::size_t>(model.inputs.size())} {}

  void add(const Table2D& X) {
    if (model_.scaling.input_lowest.empty()) return;
    const Unlocked unlocked;
    read_in_parts(X, [&](MatrixView part) {
      const ClippedRows clipped = clipped_rows(model_, part);
      all_.of += clipped.of;
      all_.rows += clipped.rows;
      std::ranges::transform(all_.by_input, clipped.by_input, all_.by_input.begin(), std::plus());
    });
  }

  [[nodiscard]] std::string warning() const { return clipping_warning(model_, all_); }

 private:
  const Model& model_;
  ClippedRows all_;
};

}  // namespace

void add_tables(nb::module_& module) {
  module.attr("rows_of_a_block") = rows_of_a_block;
  module.attr("most_levels") = CsvOptions().most_levels;
  module.def("complaint_about_levels", &complaint_about_levels, "most"_a, "place"_a, "leave_out"_a);
  module.def("inputs_of", &inputs_of, "names"_a, "target"_a, "weights"_a, "groups"_a, "exposure"_a, "ignore"_a,
             "source"_a, "The columns that are inputs; raises where one that is named is missing.");
  module.def("require_columns", &require_columns, "names"_a, "wanted"_a, "source"_a);
  module.def("fit_csv", &fit_csv, "path"_a, "target"_a, "weights"_a, "groups"_a, "exposure"_a, "ignore"_a, "options"_a,
             "report"_a.none());
  module.def("fit_rows", &fit_rows, "passes"_a, "inputs"_a, "kinds"_a, "target"_a, "exposure"_a, "source"_a,
             "options"_a, "report"_a.none());
  nb::class_<RowEncoder>(module, "RowEncoder", "Rows of a table as the inputs of a model, block by block.")
      .def(nb::init<const Model&, const Names&, const std::string&>(), "model"_a, "names"_a, "source"_a)
      .def("encode", &RowEncoder::encode, "X"_a, "kinds"_a, "levels may become more from one call to the next")
      .def_prop_ro("odd", &RowEncoder::odd, "what was odd in the rows so far");
  nb::class_<CsvInputs>(module, "CsvInputs", "Columns of a CSV file, block by block.")
      .def(nb::init<const std::string&, const Model&, int>(), "path"_a, "model"_a, "threads"_a)
      .def_prop_ro("warnings", &CsvInputs::warnings)
      .def_prop_ro("odd", &CsvInputs::odd, "what was odd in the rows so far")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &CsvInputs::next);
  nb::class_<PredictionFile>(module, "PredictionFile", "A CSV file of predictions that is there when it is finished.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("write", &PredictionFile::write, "values"_a)
      .def("finish", &PredictionFile::finish)
      .def("discard", &PredictionFile::discard, "what was not finished goes; nothing may be written after it");
  nb::class_<ClippedCount>(module, "ClippedCount", "Rows outside the training range, counted over blocks.")
      .def(nb::init<const Model&>(), "model"_a, nb::keep_alive<1, 2>())
      .def("add", &ClippedCount::add, "X"_a)
      .def_prop_ro("warning", &ClippedCount::warning, "in words; empty if there are none");
}

}  // namespace shrimp::python
