// A model in words and in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "shrimp/model.hpp"

namespace shrimp::cli {

/// Terms, scaling, and how the model was made, for people. All terms, or the largest twenty.
std::string describe(const Model& model, bool all_terms);

/// [{variables: [names], columns, share}]
nlohmann::ordered_json terms_json(const Model& model);

/// A number, or null where JSON has no word for it.
nlohmann::ordered_json number_json(double value);

}  // namespace shrimp::cli
