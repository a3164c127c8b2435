// Rows of a file block by block, with the inputs that a model asks for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/csv_stream.hpp"
#include "data/encode.hpp"
#include "data/input_file.hpp"
#include "shrimp/model.hpp"

namespace shrimp::cli {

class NamedRows {
 public:
  /// Columns that the model's inputs are not made of, and that are not among these `others`, numbers in every row, are
  /// passed over; missing ones are not there.
  /// The first of these names classes where the model is of such, and may be any text: its rows have codes of `levels`.
  NamedRows(const std::string& path, const Model& model, std::vector<std::string> others, int threads,
            bool names_classes = false);

  /// Of classes in the rows so far, by their codes.
  [[nodiscard]] std::vector<std::string> levels() const;

  /// Names and warnings; no rows.
  [[nodiscard]] const Table& heading() const { return stream_.heading(); }

  /// Throws DataError naming the missing columns.
  void require_all() const;

  /// Calls body with one block after the other: the model's inputs, then the others in the order given; once.
  void for_each(const std::function<void(MatrixView)>& body);
  /// All of them.
  [[nodiscard]] Matrix all();

  /// What was odd in the rows that were passed on: levels that the model does not know, and the like.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  std::string path_;
  std::vector<std::string> inputs_;
  std::vector<InputColumn> columns_;
  std::vector<std::string> others_;
  InputFile file_;
  CsvLabels labels_;
  CsvStream stream_;
  std::optional<InputEncoder> encoder_;
};

/// How files are read for a model: its categories as such, and what stood for missing cells when it was fitted.
CsvOptions reading_for(const Model& model, const std::vector<std::string>& others, int threads,
                       bool names_classes = false);

/// What stood for missing cells when it was fitted, beside the usual.
std::vector<std::string> missing_words_of(const Model& model);

}  // namespace shrimp::cli
