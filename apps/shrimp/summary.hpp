// A model as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "data/json.hpp"
#include "report/words.hpp"
#include "shrimp/classes.hpp"
#include "shrimp/model.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp::cli {

/// Summary for people: the estimated error next to those of simple models, then the largest twenty terms. With `all`,
/// every term, the scaling of every input and every option.
std::string describe(const Model& model, bool all);

/// The same for several classes: the terms have their fraction of the variance of each linear predictor.
std::string describe(const ClassModel& model, bool all);

/// 90 % intervals of the terms' fractions of variance; none if the model does not determine them.
std::vector<FractionInterval> intervals_of_fractions(const Model& model);

using report::fitted_target;
using report::result_of;

/// A fraction as a bar of up to 20 signs.
std::string bar(double share);

/// [{variables: [names], basis_functions, fraction, p_value, effect}]; the p-value is null if a term has none.
Json terms_json(const Model& model);

/// [{variables, basis_functions, fraction, fractions: {class: number}}]
Json terms_json(const ClassModel& model);

/// {name: "rank" or "log"} of the inputs that do not enter as they are.
Json forms_json(const Model& model);

/// "identity", "log" or "sqrt"
std::string target_form_name(const Model& model);

/// A number, or null where JSON has no word for it.
Json number_json(double value);

}  // namespace shrimp::cli
