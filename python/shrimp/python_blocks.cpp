#include "python_blocks.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace nb = nanobind;

namespace shrimp::python {

PythonRows::PythonRows(Dataset heading, nb::callable passes)
    : heading_(std::move(heading)), passes_(std::move(passes)) {}

void PythonRows::rewind() { iterator_ = nb::iter(passes_()); }

std::optional<Dataset> PythonRows::next() {
  const nb::object item = nb::steal(PyIter_Next(iterator_.ptr()));
  if (!item.is_valid()) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return std::nullopt;
  }
  const auto parts = nb::cast<nb::tuple>(item);
  for (auto& [place, levels] : nb::cast<std::vector<std::pair<std::size_t, std::vector<std::string>>>>(parts[5])) {
    std::ranges::move(levels, std::back_inserter(heading_.columns.at(place).levels));
  }
  Dataset block = heading_;
  const auto X = nb::cast<Table2D>(parts[0]);
  block.X = copy_rows(X, 0, X.shape(0));
  block.y = to_vector(nb::cast<Numbers>(parts[1]));
  if (!parts[2].is_none()) block.weights = to_vector(nb::cast<Numbers>(parts[2]));
  if (!parts[3].is_none()) {
    const auto groups = nb::cast<GroupNumbers>(parts[3]);
    block.groups.assign(groups.data(), groups.data() + groups.shape(0));
  }
  if (!parts[4].is_none()) block.exposure = to_vector(nb::cast<Numbers>(parts[4]));
  return block;
}

PythonBlocks::PythonBlocks(Dataset heading, PythonRows& rows, const OnCaller& on_caller)
    : heading_(std::move(heading)), rows_(rows), on_caller_(on_caller) {}

void PythonBlocks::for_each(const std::function<void(const Dataset& block)>& body) {
  on_caller_([this] { rows_.rewind(); });
  for (;;) {
    std::optional<Dataset> block;
    on_caller_([&] { block = rows_.next(); });
    if (!block) return;
    heading_.columns = block->columns;
    body(*block);
  }
}

}  // namespace shrimp::python
