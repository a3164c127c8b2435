// Tables whose parts lie elsewhere.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

void add_parts(nanobind::module_& module);

}  // namespace shrimp::python
