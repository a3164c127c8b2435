// A model in words and in JSON.
#pragma once

#include <string>

#include "data/json.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {

/// Terms, scaling, and how the model was made, for people. All terms, or the largest twenty.
std::string describe(const Model& model, bool all_terms);

/// [{variables: [names], columns, share}]
Json terms_json(const Model& model);

/// A number, or null where JSON has no word for it.
Json number_json(double value);

}  // namespace shrimp::cli
