#include "model/model_loss.hpp"

#include "data/loss.hpp"

namespace shrimp {

Loss loss_of(const Model& model) {
  const auto told = model.options.find("loss");
  for (const Loss loss : {Loss::logistic, Loss::poisson, Loss::huber}) {
    if (told != model.options.end() && told->second == name_of(loss)) return loss;
  }
  return Loss::squared;
}

std::string exposure_of(const Model& model) {
  const auto told = model.options.find("exposure");
  return told == model.options.end() ? "" : told->second;
}

}  // namespace shrimp
