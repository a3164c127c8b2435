// Tables with named columns, and the reader of CSV files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/columns.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct Table {
  std::vector<std::string> names;
  Matrix values;                      ///< One column per name; missing cells are NaN.
  std::vector<InputColumn> columns;   ///< Column types, one per name; empty means all numbers.
  std::vector<std::string> left_out;  ///< Names of columns in the file that were not read.
  std::vector<std::string> warnings;  ///< Problems that could be handled.
};

struct CsvOptions {
  std::vector<std::string> ignore;  ///< Columns to ignore; they may contain text.
  std::vector<std::string> only;    ///< If not empty, all other columns are ignored.
  /// Column of labels, which may be any text. Different labels are numbered from 0, in order of first appearance.
  std::string labels;
  /// Whether text columns are categories, ISO dates are days, and missing cells are NaN; otherwise all cells must be
  /// numbers. The first cell that is not missing determines the type of a column; cells of other types are refused.
  bool kinds = false;
  std::vector<std::string> categorical;  ///< With kinds: columns that are always categories.
  /// With kinds: columns that are read as 0, or NaN if the cell is missing.
  std::vector<std::string> presence;
  /// With kinds: markers of missing cells in addition to empty cells, NA, NaN, null and ?.
  std::vector<std::string> missing;
  bool date_parts = false;            ///< With kinds: InputColumn::date_parts of date columns.
  std::size_t most_levels = 1000000;  ///< With kinds: maximum number of different texts in a column.
  std::vector<std::string> required;  ///< With kinds: columns that must be numbers without missing cells.
  std::string drop_without;           ///< With kinds: rows in which this column is missing are dropped.
  double memory = 0.0;                ///< Memory limit in GiB; 0 means the free memory.
  int threads = 0;                    ///< ≥ 0; 0 means all cores.
};

/// Reads delimited text. The delimiter (comma, semicolon, tab or spaces) is detected, and so is the header; without
/// one, columns are named x1, x2, …. Quotes, CRLF, a byte-order mark and blank lines are accepted, and decimal commas
/// if the delimiter is not a comma. The text may be a gzip or zstd archive. "-" is standard input. Columns of true and
/// false, or yes and no, in any case and also mixed with 0 and 1, become numbers 1 and 0.
///
/// Throws FileError if the file cannot be read. Throws DataError if it is not a table of finite numbers (with kinds: of
/// columns of one type each) or does not fit in memory. Throws OptionError if a column to ignore does not exist.
[[nodiscard]] Table read_csv(const std::string& path, const CsvOptions& options = {});

/// Overload for text in memory; `source` names it in messages.
[[nodiscard]] Table parse_csv(std::string_view text, const std::string& source, const CsvOptions& options = {});

/// A table split into inputs X and target y.
struct Dataset {
  std::string source;  ///< Source of the data for messages; may be empty.
  std::vector<std::string> inputs;
  std::string target;
  Matrix X;                          ///< Missing cells are NaN.
  std::vector<InputColumn> columns;  ///< One per input; empty means all numbers.
  bool encoded = false;              ///< Whether the inputs are already a model's (encode_inputs).
  std::vector<double> y;
  std::vector<double> weights;  ///< Row weights ≥ 0; empty means equal weights.
  /// Group numbers from 0: rows of one group are held out together. Empty means no groups.
  std::vector<std::uint32_t> groups;
  std::vector<std::string> warnings;
  /// For counts: exposure > 0, such as time, area or persons; empty means equal exposures. The model fits the rate,
  /// which is the count divided by the exposure.
  std::vector<double> exposure = {};
  std::string exposure_column = {};       ///< Name of the exposure column, stored in the model; may be empty.
  std::vector<std::string> classes = {};  ///< Names of classes 0, 1, …; may be empty.
  /// If y are counts divided by their exposures and weights are relative exposures: the exposure of a row of weight 1.
  /// Otherwise 0.
  double exposure_of_weight = 0.0;
};

/// Throws OptionError (with the nearest names) if there is no column `target`.
void require_target(const Table& table, const std::string& target, const std::string& source);

/// Splits the column `target` from the table. Throws OptionError (with the nearest names) if there is no such column or
/// no other column.
[[nodiscard]] Dataset split_target(Table table, const std::string& target, const std::string& source);

/// Uses the input `column` as row weights; empty text leaves the data unchanged. Throws OptionError if there is no such
/// column or no other input.
[[nodiscard]] Dataset take_weights(Dataset data, const std::string& column, const std::string& source);

/// Uses the input `column` as exposure; empty text leaves the data unchanged. Throws OptionError if there is no such
/// column or no other input.
[[nodiscard]] Dataset take_exposure(Dataset data, const std::string& column, const std::string& source);

/// Uses the input `column` as group labels: rows with equal labels form a group. Empty text leaves the data unchanged.
/// Throws OptionError if there is no such column or no other input.
[[nodiscard]] Dataset take_groups(Dataset data, const std::string& column, const std::string& source);

/// Derives the inputs of a model from the columns of a table. Levels with fewer than five rows are pooled. Missing
/// cells of a number give an indicator input if there are five or more; those of a category are a level. Dates may give
/// further inputs. Columns without cells, and texts that do not repeat, are dropped with a warning. `fit` calls it.
/// Numeric and encoded data are unchanged. Throws DataError if no input remains.
[[nodiscard]] Dataset encode_inputs(Dataset data);

/// Merges equal rows (inputs, target and group) and adds their weights. Weights are then equivalent to repetition, also
/// in splits into training and validation rows. Rows of weight 0 are removed, and the rest is sorted. Only ratios of
/// weights matter. Equal weights are removed, and the order of rows is kept. Other integer weights (counts) are divided
/// by their greatest common divisor, and fractional weights by their mean. The data are unchanged if fewer than two
/// different rows would remain.
[[nodiscard]] Dataset merge_repeated_rows(Dataset data);

/// Reverts merge_repeated_rows if equal rows are independent observations instead of copies. This is assumed if most
/// repeated inputs have different targets, as for categorical inputs and two classes. Each row is then repeated as
/// often as its weight states, without weights. Weights that are not counts, or exceed a million rows in total, are
/// kept.
[[nodiscard]] Dataset repeat_observations(Dataset merged);

/// Whether rows are repeated or weighted, so that merge_repeated_rows may change the data.
[[nodiscard]] bool has_repeated_rows(const Dataset& data);

/// The named columns in the given order. Throws DataError that names the missing ones.
[[nodiscard]] Matrix select_columns(const Table& table, const std::vector<std::string>& names,
                                    const std::string& source);

}  // namespace shrimp
