// Tables with named columns, and how they are read from CSV files.
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
  Matrix values;                      ///< One column per name; a missing cell is NaN.
  std::vector<InputColumn> columns;   ///< How they were understood, one per name; empty: all as numbers.
  std::vector<std::string> left_out;  ///< Names of columns in the file that were not read.
  std::vector<std::string> warnings;  ///< What was odd but could be handled.
};

struct CsvOptions {
  std::vector<std::string> ignore;  ///< Columns to leave out; they may hold text.
  std::vector<std::string> only;    ///< If any are named, every other column is left out.
  /// A column of labels, which may be any text: each different one becomes a number from 0, in the order in
  /// which they first come.
  std::string labels;
  /// Whether columns of text become categories, ISO dates days, and missing cells NaN; else all must be numbers. A
  /// column is what its first cell that is not missing is; a cell of another kind in it is refused.
  bool kinds = false;
  std::vector<std::string> categorical;  ///< With kinds: columns that are categories whatever they hold.
  /// With kinds: columns of which only matters whether a cell is missing (NaN) or not (0), whatever they hold.
  std::vector<std::string> presence;
  /// With kinds: what stands for a missing cell beside nothing, NA, NaN, null and ?, which do in any case.
  std::vector<std::string> missing;
  bool date_parts = false;            ///< With kinds: InputColumn::date_parts of dates.
  std::size_t most_levels = 1000000;  ///< With kinds: a column of more different texts is refused.
  std::vector<std::string> required;  ///< With kinds: numbers all the same, and never missing.
  std::string drop_without;           ///< With kinds: rows in which this column is missing are left out.
  double memory = 0.0;                ///< GiB that may be used; 0: what the machine has free.
  int threads = 0;                    ///< ≥ 0; 0: every core.
};

/// Reads delimited text: comma, semicolon, tab or spaces (found by looking); header or none (columns
/// are then x1, x2, …); quotes, CRLF, byte-order mark and blank lines; decimal commas where the
/// delimiter is no comma; all of that in a gzip or zstd archive, too. "-" is standard input.
/// Columns of true and false, or yes and no, in any case and also beside 0 and 1, are numbers 1 and 0.
/// Throws FileError if the file cannot be read, DataError if its content is not a table of finite
/// numbers (or, with kinds, of columns of one kind each) or does not fit in memory, OptionError if a column to ignore
/// does not exist.
[[nodiscard]] Table read_csv(const std::string& path, const CsvOptions& options = {});

/// The same for text already in memory; `source` names it in messages.
[[nodiscard]] Table parse_csv(std::string_view text, const std::string& source, const CsvOptions& options = {});

/// A table split into inputs X and target y.
struct Dataset {
  std::string source;  ///< Where it comes from, for messages; may be empty.
  std::vector<std::string> inputs;
  std::string target;
  Matrix X;                          ///< A missing cell is NaN.
  std::vector<InputColumn> columns;  ///< One per input; empty: all are numbers.
  bool encoded = false;              ///< Whether the inputs are a model's already (encode_inputs).
  std::vector<double> y;
  std::vector<double> weights;  ///< How much each row counts beside the others, ≥ 0; empty: all the same.
  /// Rows of the same number are fitted, or held out, together; numbers from 0; empty: every row by itself.
  std::vector<std::uint32_t> groups;
  std::vector<std::string> warnings;
  /// For counts, what they were counted over (time, area, persons), > 0; empty: the same for all rows. The model is
  /// then of the rate, counts over exposure.
  std::vector<double> exposure = {};
  std::string exposure_column = {};  ///< Its name, for the model to tell; may be empty.
  std::vector<std::string> classes =
      {};  ///< Names of the two classes that a target of 0 and 1 stands for; may be empty.
};

/// Throws OptionError (with the nearest names) if there is no column `target`.
void require_target(const Table& table, const std::string& target, const std::string& source);

/// Takes the column `target` out of the table. Throws OptionError (with the nearest names) if there is
/// no such column or nothing else is left.
[[nodiscard]] Dataset split_target(Table table, const std::string& target, const std::string& source);

/// Makes the input `column` the rows' weights; "" leaves the data as they are. Throws OptionError if there is no such
/// column or no other input.
[[nodiscard]] Dataset take_weights(Dataset data, const std::string& column, const std::string& source);

/// Makes the input `column` the rows' exposure; "" leaves the data as they are. Throws OptionError if there is no such
/// column or no other input.
[[nodiscard]] Dataset take_exposure(Dataset data, const std::string& column, const std::string& source);

/// Makes the input `column` the rows' groups: rows of equal values belong together. "" leaves the data as they are.
/// Throws OptionError if there is no such column or no other input.
[[nodiscard]] Dataset take_groups(Dataset data, const std::string& column, const std::string& source);

/// The inputs of a model, made of the columns of a table: levels of fewer than five rows share one, missing cells of a
/// number make an input of 0 and 1 where there are five or more (those of a category a level of its own), dates may
/// make more; columns without a cell, and texts that do not repeat, are left out with a warning. `fit` does it itself.
/// Data that are all numbers, and those that are encoded, stay as they are. Throws DataError where no input is left.
[[nodiscard]] Dataset encode_inputs(Dataset data);

/// Makes a weight mean what repetition means, for splits into rows to fit and to choose by, too: equal rows (inputs,
/// target and group) become one with the sum of their weights, rows of weight 0 go, and the rest is sorted. Only what
/// weights say of rows beside each other counts: where all are the same, the data have none and the rows keep their
/// order; other whole numbers, which are counts, are divided by their greatest common divisor, and fractions by their
/// mean. Where fewer than two different rows would be left, the rows stay as they are.
[[nodiscard]] Dataset merge_repeated_rows(Dataset data);

/// Takes back what merge_repeated_rows did where equal rows are observations of their own and not copies of one: most
/// inputs that come more than once have different targets, as where all inputs are categories and the target is one of
/// two classes. Every row is then there as often as its weight says, without weights. Weights that are no counts, or
/// of more than a million rows, stay.
[[nodiscard]] Dataset repeat_observations(Dataset merged);

/// Whether rows repeat or count differently, so that merge_repeated_rows may change the data.
[[nodiscard]] bool has_repeated_rows(const Dataset& data);

/// The named columns in the order asked for. Throws DataError naming the missing ones.
[[nodiscard]] Matrix select_columns(const Table& table, const std::vector<std::string>& names,
                                    const std::string& source);

}  // namespace shrimp
