#include "named_rows.hpp"

#include <algorithm>

#include "data/name_index.hpp"

namespace shrimp::cli {
namespace {

CsvOptions only(const std::vector<std::string>& names, int threads) {
  CsvOptions options;
  options.only = names;
  options.threads = threads;
  return options;
}

}  // namespace

NamedRows::NamedRows(const std::string& path, const std::vector<std::string>& names, int threads)
    : path_(path),
      names_(names),
      file_(path, InputFile::Passes::one),
      stream_(file_.bytes(), file_.name(), only(names, threads), no_labels_) {}

void NamedRows::require_all() const { (void)select_columns(heading(), names_, path_); }

void NamedRows::for_each(const std::function<void(MatrixView)>& body) {
  require_all();
  std::vector<std::size_t> columns;
  const NameIndex places(heading().names);
  for (const std::string& name : names_) columns.push_back(*places.find(name));
  stream_.for_each([&](MatrixView values) {
    Matrix selected = Matrix::uninitialized(values.rows, columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::ranges::copy(values.col(columns[k]), selected.col(k).begin());
    }
    body(selected);
  });
}

}  // namespace shrimp::cli
