// The theory subcommands that look at rows: a table's, or random ones.
#pragma once

#include "command_line.hpp"

namespace shrimp::cli {

void add_coherence(const Command& app);
void add_kernel_error(const Command& app);

}  // namespace shrimp::cli
