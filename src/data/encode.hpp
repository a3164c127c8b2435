// From the columns of a table to the inputs of a model: rare levels share one, missing cells and dates make inputs of
// their own, and what cannot be learnt from is left out.
#pragma once

#include <string>
#include <vector>

#include "data/name_index.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// Fewer rows tell nothing of a level, or of missing cells, that their noise does not hide: such levels share one code,
/// and such cells have no effect of their own.
inline constexpr std::size_t fewest_rows_of_a_level = 5;

/// Of more levels, those of fewest rows share the last code. Terms are found on 4000 rows at most, eight for each.
inline constexpr std::size_t most_levels = 500;

struct InputPlan {
  std::vector<std::string> inputs;
  std::vector<InputColumn> columns;   ///< One per input.
  std::vector<std::string> warnings;  ///< Of columns that were left out.
};

/// Whether any column is more than numbers, or has missing cells.
[[nodiscard]] bool needs_encoding(const Dataset& data);

/// Throws DataError where no input is left.
[[nodiscard]] InputPlan plan_inputs(const Dataset& data);

/// Makes the inputs of a model of rows of a table that has its columns.
class InputEncoder {
 public:
  /// `columns` may be empty: every input is the number in the column of its name. Throws DataError naming the columns
  /// that the table lacks.
  InputEncoder(std::vector<std::string> inputs, std::vector<InputColumn> columns, const std::vector<std::string>& names,
               std::string source);

  /// `kinds` says how the table's columns were understood; empty: as numbers. Levels may become more from one call to
  /// the next. Throws DataError where a column is of another kind than the model's.
  [[nodiscard]] Matrix encode(MatrixView values, const std::vector<InputColumn>& kinds);

  /// What was odd in the rows so far: levels that the model does not know, cells missing where it has seen none.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Input {
    std::size_t place = 0;             ///< Among the table's columns.
    std::vector<double> codes;         ///< Of the table's levels; NaN: not known.
    std::size_t rows_unknown = 0;      ///< Rows of such levels,
    std::vector<std::string> unknown;  ///< some of them,
    std::size_t rows_missing = 0;      ///< and rows without a cell that have no effect of their own.
  };

  void check_kind(std::size_t k, const InputColumn& kind) const;
  void encode_levels(std::size_t k, std::span<const double> from, const InputColumn& kind, std::span<double> to);
  [[nodiscard]] double code_of(std::size_t k, const std::string& level) const;
  [[nodiscard]] const std::string& column_name(std::size_t k) const;

  std::vector<std::string> inputs_;
  std::vector<InputColumn> columns_;
  std::string source_;
  std::vector<Input> state_;
  std::vector<std::unordered_map<std::string, double>> known_;  // Codes of levels, by name.
  std::vector<double> missing_codes_;                           // NaN: missing cells have no level.
  std::vector<bool> tells_missing_;                             // Whether another input says that a cell is missing.
};

/// The data with the inputs of the plan.
[[nodiscard]] Dataset encode(Dataset data, const std::vector<std::string>& inputs,
                             const std::vector<InputColumn>& columns);

/// The table's columns that a model's inputs are made of, each once.
[[nodiscard]] std::vector<std::string> columns_of_table(const std::vector<std::string>& inputs,
                                                        const std::vector<InputColumn>& columns);

/// How a file is read for these inputs: categories as such whatever they hold.
void ask_for(const std::vector<std::string>& inputs, const std::vector<InputColumn>& columns, CsvOptions& options);

}  // namespace shrimp
