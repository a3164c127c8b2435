// A model in words and in JSON.
#pragma once

#include <string>

#include "data/json.hpp"
#include "report/words.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {

/// Terms, errors, scaling, and how the model was made, for people; with every term and option, or the largest twenty
/// terms and the options that were given.
std::string describe(const Model& model, bool all);

using report::fitted_target;
using report::result_of;

/// A share as up to 20 signs.
std::string bar(double share);

/// [{variables: [names], basis_functions, fraction, p_value}]; the p-value is null where a term has none.
Json terms_json(const Model& model);

/// {name: "rank" or "log"} of the inputs that do not enter as they are.
Json forms_json(const Model& model);

/// "identity", "log" or "sqrt"
std::string target_form_name(const Model& model);

/// A number, or null where JSON has no word for it.
Json number_json(double value);

}  // namespace shrimp::cli
