// How a model file tells what its inputs are beside numbers.
#pragma once

#include <string>
#include <vector>

#include "model/json_fields.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// One object per input, empty for a number under its own name.
std::vector<Json> columns_to_json(const std::vector<InputColumn>& columns);

/// Files without them have numbers alone.
void read_columns(const Reader& reader, Model& model, const std::string& source);

}  // namespace shrimp
