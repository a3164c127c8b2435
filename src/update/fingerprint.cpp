#include "update/fingerprint.hpp"

namespace shrimp {

void Hash::add(std::span<const double> values) {
  add(static_cast<std::uint64_t>(values.size()));
  for (const double value : values) add(value);
}

void Hash::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

// The finaliser of splitmix64.
std::uint64_t Hash::value() const {
  std::uint64_t z = state_ + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return z == 0 ? 1 : z;
}

std::uint64_t hash_columns(const Model& model) {
  Hash hash;
  for (const std::string& name : model.inputs) hash.add(name);
  const Scaling& scaling = model.scaling;
  for (const auto* values :
       {&scaling.input_mean, &scaling.input_scale, &scaling.input_lowest, &scaling.input_highest}) {
    hash.add(*values);
  }
  for (const Warp& warp : scaling.input_warps) {
    hash.add(static_cast<std::uint64_t>(warp.kind));
    hash.add(static_cast<std::uint64_t>(warp.negative));
    hash.add(warp.values);
    hash.add(warp.ranks);
  }
  hash.add(static_cast<std::uint64_t>(scaling.target_form));
  hash.add(scaling.target_scale);
  const Dictionary& dictionary = model.dictionary;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    hash.add(static_cast<std::uint64_t>(dictionary.functions[k]));
    for (const std::uint32_t variable : dictionary.support(k)) hash.add(static_cast<std::uint64_t>(variable));
    hash.add(dictionary.weights.weights(dictionary.rows[k]));
    if (!dictionary.weights.phases.empty()) hash.add(dictionary.weights.phases[dictionary.rows[k]]);
  }
  if (!dictionary.has_kernels()) return hash.value();
  hash.add(dictionary.gamma);
  hash.add(static_cast<std::uint64_t>(dictionary.kernel_order));
  hash.add(static_cast<std::uint64_t>(dictionary.kernel_law));
  return hash.value();
}

std::uint64_t hash_coefficients(const Model& model) {
  Hash hash;
  hash.add(model.coefficients);
  hash.add(model.scaling.target_mean);
  return hash.value();
}

}  // namespace shrimp
