// The effect of each term of a model in words.
#pragma once

#include <string>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// Effect of each term in words. Empty texts if the model has no marginals.
///   main effect of a number    "increasing, linear", "decreasing, curved", "increasing, steps", "rises, then falls",
///                              "falls, then rises" or "non-monotone", over the training distribution
///   … of two values            "increasing" or "decreasing"
///   … of missing cells         "higher where missing" or "lower where missing"
///   main effect of a category  "by level"
///   several inputs             "interaction", or "interactions above order 3" for the part of a term of more than four
///                              inputs that interactions of three do not contain
[[nodiscard]] std::vector<std::string> term_effects(const Model& model, int threads = 0);

}  // namespace shrimp
