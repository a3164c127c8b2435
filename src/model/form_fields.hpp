// Fields of model files that tell the forms of inputs and target, in the object of the scaling.
#pragma once

#include "model/json_fields.hpp"

namespace shrimp {

/// Nothing where all are as they are.
void add_forms(Json& json, const Scaling& scaling);

/// Into a scaling of which all else is read.
void read_forms(const Reader& reader, Scaling& scaling);

}  // namespace shrimp
