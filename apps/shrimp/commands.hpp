// The subcommands. Each adds itself to the command line and runs when it was named.
#pragma once

#include <CLI/CLI.hpp>

namespace shrimp::cli {

void add_fit(CLI::App& app);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_inspect(CLI::App& app);
void add_path(CLI::App& app);
void add_compare(CLI::App& app);
void add_experiment(CLI::App& app);
void add_theory(CLI::App& app);

/// The version of the objects that --json prints.
inline constexpr int schema_version = 1;

}  // namespace shrimp::cli
