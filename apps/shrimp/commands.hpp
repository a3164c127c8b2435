// The subcommands. Each adds itself to the command line and runs when it was named.
#pragma once

#include "command_line.hpp"

namespace shrimp::cli {

void add_fit(const Command& app);
void add_predict(const Command& app);
void add_evaluate(const Command& app);
void add_inspect(const Command& app);
void add_export(const Command& app);
void add_summarize(const Command& app);
void add_merge(const Command& app);
void add_update(const Command& app);
void add_simplify(const Command& app);
void add_sensitivity(const Command& app);
void add_explain(const Command& app);
void add_report(const Command& app);
void add_path(const Command& app);
void add_compare(const Command& app);
void add_experiment(const Command& app);
void add_theory(const Command& app);

/// The version of the objects that --json prints.
inline constexpr int schema_version = 2;

}  // namespace shrimp::cli
