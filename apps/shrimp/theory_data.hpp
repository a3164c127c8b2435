// The theory subcommands that look at rows: a table's, or random ones.
#pragma once

#include <CLI/CLI.hpp>

namespace shrimp::cli {

void add_coherence(CLI::App& app);
void add_kernel_error(CLI::App& app);

}  // namespace shrimp::cli
