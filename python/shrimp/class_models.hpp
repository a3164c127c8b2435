// Models of several classes (shrimp/classes.hpp), as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

void add_class_models(nanobind::module_& module);

}  // namespace shrimp::python
