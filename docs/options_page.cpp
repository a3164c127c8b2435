// Prints docs/options.md from the table of parameters.
#include <fmt/format.h>

#include "shrimp/parameters.hpp"

int main() {
  fmt::print(
      "# Options of a fit\n\n"
      "Generated from the table of parameters by `make docs`; a test compares them.\n\n"
      "A value comes from the flag `--NAME`, else from the variable `SHRIMP_NAME`, else from `NAME = …` in the file "
      "that\n"
      "`--config` names (TOML), else it is the default.\n\n"
      "| option | value | default | what it does |\n|---|---|---|---|\n");
  for (const shrimp::Parameter& parameter : shrimp::fit_parameters()) {
    fmt::print("| `--{}` | {} | {} | {} |\n", parameter.name, parameter.range.empty() ? "switch" : parameter.range,
               parameter.fallback, parameter.help);
  }
}
