#include "model/model_loss.hpp"

#include <charconv>

#include "objective/objective.hpp"

namespace shrimp {

Loss loss_of(const Model& model) {
  const auto told = model.options.find("loss");
  if (told == model.options.end()) return Loss::squared;
  if (told->second == name_of(Loss::custom)) return Loss::custom;
  for (const Objective* objective : all_objectives()) {
    if (told->second == objective->name) return objective->loss;
  }
  return Loss::squared;
}

LossFunction loss_function_of(const Model& model) {
  const auto number = [](const auto& values, const char* name) {
    double value = 0.0;
    if (const auto found = values.find(name); found != values.end()) {
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    }
    return value;
  };
  const Loss loss = loss_of(model);
  LossParameters parameters;
  if (loss == Loss::tweedie) parameters.shape = number(model.options, "tweedie-power");
  if (loss == Loss::quantile) parameters.shape = number(model.options, "quantile");
  return LossFunction(loss, parameters);
}

std::string class_of(const Model& model) {
  const auto found = model.options.find("class");
  return found == model.options.end() ? "" : found->second;
}

std::string target_column(const Model& model) {
  const auto found = model.options.find("target");
  return found == model.options.end() ? model.target : found->second;
}

std::string exposure_of(const Model& model) {
  const auto told = model.options.find("exposure");
  return told == model.options.end() ? "" : told->second;
}

}  // namespace shrimp
