#include "named_rows.hpp"

#include <algorithm>
#include <iterator>

#include "data/name_index.hpp"
#include "fit/term_names.hpp"

namespace shrimp::cli {

std::vector<std::string> missing_words_of(const Model& model) {
  const auto words = model.options.find("missing");
  return words == model.options.end() ? std::vector<std::string>() : parse_names("missing", words->second);
}

CsvOptions reading_for(const Model& model, const std::vector<std::string>& others, int threads, bool names_classes) {
  CsvOptions options;
  options.only = columns_of_table(model.inputs, model.columns);
  options.only.insert(options.only.end(), others.begin(), others.end());
  for (const std::string& name : others) {
    if (std::ranges::find(model.inputs, name) != model.inputs.end()) continue;
    (names_classes && name == others.front() ? options.categorical : options.required).push_back(name);
  }
  options.threads = threads;
  options.missing = missing_words_of(model);
  ask_for(model.inputs, model.columns, options);
  return options;
}

NamedRows::NamedRows(const std::string& path, const Model& model, std::vector<std::string> others, int threads,
                     bool names_classes)
    : path_(path),
      inputs_(model.inputs),
      columns_(model.columns),
      others_(std::move(others)),
      file_(path, InputFile::Passes::one),
      stream_(file_.bytes(), file_.name(), reading_for(model, others_, threads, names_classes), labels_) {}

std::vector<std::string> NamedRows::levels() const {
  const std::optional<std::size_t> place = NameIndex(heading().names).find(others_.front());
  return place ? heading().columns[*place].levels : std::vector<std::string>();
}

void NamedRows::require_all() const {
  std::vector<std::string> names = columns_of_table(inputs_, columns_);
  names.insert(names.end(), others_.begin(), others_.end());
  Table table;
  table.names = heading().names;
  table.left_out = heading().left_out;
  table.values = Matrix(0, table.names.size());
  (void)select_columns(table, names, path_);
}

void NamedRows::for_each(const std::function<void(MatrixView)>& body) {
  require_all();
  encoder_.emplace(inputs_, columns_, heading().names, path_);
  std::vector<std::size_t> places;
  const NameIndex index(heading().names);
  for (const std::string& name : others_) places.push_back(*index.find(name));
  stream_.for_each([&](MatrixView values) {
    const Matrix X = encoder_->encode(values, heading().columns);
    if (places.empty()) return body(X);
    Matrix rows = Matrix::uninitialized(values.rows, X.cols() + places.size());
    for (std::size_t j = 0; j < X.cols(); ++j) std::ranges::copy(X.col(j), rows.col(j).begin());
    for (std::size_t k = 0; k < places.size(); ++k) {
      std::ranges::copy(values.col(places[k]), rows.col(X.cols() + k).begin());
    }
    body(rows);
  });
}

Matrix NamedRows::all() {
  std::vector<Matrix> blocks;
  std::size_t rows = 0;
  for_each([&](MatrixView values) {
    blocks.emplace_back(values);
    rows += values.rows;
  });
  Matrix all = Matrix::uninitialized(rows, inputs_.size() + others_.size());
  std::size_t first = 0;
  for (const Matrix& block : blocks) {
    for (std::size_t j = 0; j < block.cols(); ++j) {
      std::ranges::copy(block.col(j), all.col(j).begin() + static_cast<std::ptrdiff_t>(first));
    }
    first += block.rows();
  }
  return all;
}

std::vector<std::string> NamedRows::warnings() const {
  std::vector<std::string> warnings = stream_.warnings();
  if (encoder_) std::ranges::move(encoder_->warnings(), std::back_inserter(warnings));
  return warnings;
}

}  // namespace shrimp::cli
