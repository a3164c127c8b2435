#include "model/model_loss.hpp"

#include "data/loss.hpp"

namespace shrimp {

Loss loss_of(const Model& model) {
  const auto told = model.options.find("loss");
  for (const Loss loss : {Loss::logistic, Loss::poisson, Loss::huber, Loss::multinomial}) {
    if (told != model.options.end() && told->second == name_of(loss)) return loss;
  }
  return Loss::squared;
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
