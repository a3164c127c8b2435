// Any text is either a model that works or a ModelFileError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "shrimp/shrimp.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void use(const shrimp::Model& model) {
  const shrimp::Matrix X(3, model.inputs.size());
  require(model.predict(X, 1).size() == 3);
  for (const shrimp::Term& term : model.terms) require(!term.variables.empty() && !(model.term_name(term) == "()"));
  const std::string text = shrimp::to_json(model);
  require(shrimp::to_json(shrimp::model_from_json(text, "again")) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(shrimp::model_from_json({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const shrimp::ModelFileError&) {
    return 0;
  }
  return 0;
}
