// Tables of any length: fitting and predicting them block by block.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

void add_tables(nanobind::module_& module);

}  // namespace shrimp::python
