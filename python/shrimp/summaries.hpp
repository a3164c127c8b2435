// Summaries of rows, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

void add_summaries(nanobind::module_& module);

}  // namespace shrimp::python
