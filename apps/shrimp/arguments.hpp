// What several subcommands take: a table, a target, the fit's parameters.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "separate_files.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/parameters.hpp"
#include "shrimp/table.hpp"

namespace shrimp::cli {

/// The flags of a fit. Values come from flags, then SHRIMP_* variables, then the --config file.
class FitArguments {
 public:
  /// `names_method`: whether --method is one of them.
  explicit FitArguments(const Command& command, bool names_method = true);

  /// The options in force. Throws OptionError.
  [[nodiscard]] FitOptions options();

  /// The files that a fit of these options reads. Call it after options().
  [[nodiscard]] std::vector<ReadFile> files() const;

  /// The training data, and the validation data where --validation names a file.
  [[nodiscard]] Dataset read_train(const FitOptions& options) const;
  /// The training data block by block, where that is what the method takes and no other file judges it; else none.
  [[nodiscard]] std::unique_ptr<RowBlocks> stream_train(const FitOptions& options) const;
  [[nodiscard]] std::optional<Dataset> read_validation(const FitOptions& options, const Dataset& train) const;
  /// Of another file, the rows with the same columns and target.
  [[nodiscard]] Dataset read_like(const std::string& path, const Dataset& train, const FitOptions& options) const;

  /// One line on stderr about the target where no loss was given: that it has classes, or that it may have some. Call
  /// it after options().
  [[nodiscard]] std::string target_line(const Dataset& train, const FitOptions& options) const;

  /// What stands for missing cells beside the usual, as it was given.
  [[nodiscard]] std::string missing_words() const;
  /// Name of the column with the exposure of counts; "" for none.
  [[nodiscard]] const std::string& exposure() const { return exposure_; }
  /// Columns that are left out because it was asked for.
  [[nodiscard]] std::vector<std::string> ignored() const;

  bool json = false;
  bool quiet = false;
  bool verbose = false;

 private:
  void add(const Parameter& parameter);
  /// The loss for a target whose values are texts; none for other targets.
  [[nodiscard]] std::optional<Loss> loss_of_text_target(const FitOptions& options) const;
  [[nodiscard]] CsvOptions csv_options(const FitOptions& options) const;

  Command command_;
  bool names_method_;
  std::string train_;
  std::string target_;
  std::string weights_;
  std::string exposure_;
  std::string groups_;
  std::vector<std::string> ignore_;
  std::vector<std::string> categorical_;
  std::vector<std::string> missing_;
  bool date_parts_ = false;
  bool drop_missing_target_ = false;
  std::string config_;
  std::map<std::string, std::vector<std::string>> flags_;  // As often as they were given.
  std::map<std::string, bool> switches_;
  std::string validation_file_;
  bool gives_loss_ = false;
};

/// The named columns of a file; others are passed over, and missing ones are not there.
Table read_named(const std::string& path, std::vector<std::string> names, int threads);

/// To standard error, unless quiet.
void print_warnings(const std::vector<std::string>& warnings, bool quiet);

}  // namespace shrimp::cli
