// Lines that a reader may type.
#pragma once

#include <string>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// A text as one word of a shell's command.
[[nodiscard]] std::string shell_word(const std::string& text);

/// "shrimp fit TRAIN.csv --target y" and the options that the model was made with, for `fit` or another command that
/// takes them.
[[nodiscard]] std::string fit_command(const Model& model, const char* command);

}  // namespace shrimp::report
