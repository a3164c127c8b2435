// What several subcommands take: a table, a target, the fit's parameters.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/fit.hpp"
#include "shrimp/table.hpp"

namespace shrimp::cli {

/// The flags of a fit. Values come from flags, then SHRIMP_* variables, then the --config file.
class FitArguments {
 public:
  explicit FitArguments(CLI::App& command);

  /// The options in force. Throws OptionError.
  [[nodiscard]] FitOptions options();

  /// The training data, and the validation data where --validation names a file.
  [[nodiscard]] Dataset read_train(const FitOptions& options) const;
  [[nodiscard]] std::optional<Dataset> read_validation(const FitOptions& options, const Dataset& train) const;

  bool json = false;
  bool quiet = false;
  bool verbose = false;

 private:
  CLI::App& command_;
  std::string train_;
  std::string target_;
  std::vector<std::string> ignore_;
  std::string config_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, bool> switches_;
  std::string validation_file_;
};

/// Rows with the same inputs and target as `train`; other columns are passed over.
Dataset read_matching(const std::string& path, const Dataset& train, const FitOptions& options);

/// The same with the names of a model.
Dataset read_matching(const std::string& path, const std::vector<std::string>& inputs, const std::string& target,
                      int threads);

/// To standard error, unless quiet.
void print_warnings(const std::vector<std::string>& warnings, bool quiet);

}  // namespace shrimp::cli
