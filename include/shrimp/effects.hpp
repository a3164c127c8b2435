// The effect of each term of a model in words.
#pragma once

#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// The effect of each term in words, for people. Main effects of numbers over the training distribution of their input:
/// "increasing, linear", "decreasing, curved", "increasing, steps", "rises, then falls", "falls, then rises" or
/// "non-monotone"; "increasing" or "decreasing" of two values, "higher where missing" or "lower where missing" of
/// missing cells. A category acts "by level". Terms of several inputs: "interaction", or "interactions above order 3"
/// for what more than four inputs do beyond interactions of three. "" where the model has no marginals.
[[nodiscard]] std::vector<std::string> term_effects(const Model& model, int threads = 0);

}  // namespace shrimp
