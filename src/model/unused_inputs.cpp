#include "model/unused_inputs.hpp"

namespace shrimp {

std::vector<bool> used_inputs(const Dictionary& dictionary, std::size_t inputs) {
  std::vector<bool> used(inputs, false);
  for (const std::uint32_t variable : dictionary.weights.variables) used[variable] = true;
  return used;
}

void forget_unused_forms(Scaling& scaling, const Dictionary& dictionary) {
  if (scaling.input_warps.empty()) return;
  const std::vector<bool> used = used_inputs(dictionary, scaling.input_warps.size());
  bool any = false;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (!used[j]) scaling.input_warps[j] = {};
    any = any || scaling.input_warps[j].kind != Warp::Kind::none;
  }
  if (!any) scaling.input_warps.clear();
}

void forget_unused_inputs(Model& model) {
  forget_unused_forms(model.scaling, model.dictionary);
  const std::vector<bool> used = used_inputs(model.dictionary, model.inputs.size());
  for (std::size_t j = 0; j < model.marginals.size(); ++j) {
    if (!used[j]) model.marginals[j] = {};
  }
}

}  // namespace shrimp
