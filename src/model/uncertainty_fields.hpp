// How sure a model is, in its file.
#pragma once

#include "model/json_fields.hpp"

namespace shrimp {

Json uncertainty_to_json(const Uncertainty& uncertainty);

/// For a model of so many columns.
Uncertainty read_uncertainty(const Reader& reader, std::size_t columns);

}  // namespace shrimp
