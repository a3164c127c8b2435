#include "report/commands.hpp"

#include <fmt/format.h>

#include "model/model_loss.hpp"

namespace shrimp::report {

std::string shell_word(const std::string& text) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.,:/=%@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string fit_command(const Model& model, const char* command) {
  std::string line = fmt::format("shrimp {} TRAIN.csv --target {}", command, shell_word(target_column(model)));
  if (!model.given) return line;
  for (const auto& [name, value] : *model.given) {
    line += value == "true" ? fmt::format(" --{}", name) : fmt::format(" --{} {}", name, shell_word(value));
  }
  if (const std::string exposure = exposure_of(model); !exposure.empty() && !model.given->contains("exposure")) {
    line += " --exposure " + shell_word(exposure);
  }
  return line;
}

}  // namespace shrimp::report
