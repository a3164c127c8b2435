// The page that shows a model, as Python asks for it.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

void add_reports(nanobind::module_& module);

}  // namespace shrimp::python
