// What a model's fit took for an error.
#pragma once

#include <string>

#include "objective/objective.hpp"
#include "shrimp/loss.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// Squared where the model does not tell, as files of older programs do not.
Loss loss_of(const Model& model);

/// That loss with the parameters of the model's options, and no scale of residuals. A custom loss has no function.
LossFunction loss_function_of(const Model& model);

/// The column that counts were counted over, which `evaluate` needs; "" for none.
std::string exposure_of(const Model& model);

/// The class that a model of loss multinomial describes (shrimp/classes.hpp); "" for other models.
std::string class_of(const Model& model);

/// The column that the model was fitted to; of one class, that of all classes.
std::string target_column(const Model& model);

}  // namespace shrimp
