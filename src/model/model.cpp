#include "shrimp/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/file.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "linalg/dense.hpp"
#include "model/column_sums.hpp"
#include "model/model_text.hpp"
#include "model/unused_inputs.hpp"
#include "threads/threads.hpp"

namespace shrimp {

void add_columns(const Model& model, MatrixView Z, std::span<double> sums) {
  const Matrix A = evaluate(model.dictionary, Z);
  for (std::size_t k = 0; k < A.cols(); ++k) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += model.coefficients[k] * A(i, k);
  }
}

std::vector<double> Model::predict(MatrixView X, int threads) const {
  if (X.cols != inputs.size()) {
    throw std::invalid_argument(fmt::format("X has {} columns, but the model has {} inputs.", X.cols, inputs.size()));
  }
  // Blocks of rows keep the block's dictionary in cache, and memory small for any number of rows.
  constexpr std::size_t block_rows = 512;
  std::vector<double> prediction(X.rows);
  const ThreadScope scope(threads);
  parallel_for((X.rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    const std::size_t rows = std::min(block_rows, X.rows - first);
    const Matrix Z = scale_inputs({X.data + first, rows, X.cols, X.stride}, scaling);
    add_columns(*this, Z, std::span(prediction).subspan(first, rows));
    for (std::size_t i = 0; i < rows; ++i) prediction[first + i] = target_value(scaling, prediction[first + i]);
  });
  return prediction;
}

std::vector<std::pair<std::size_t, std::string>> input_forms(const Model& model) {
  const std::vector<bool> used = used_inputs(model.dictionary, model.inputs.size());
  std::vector<std::pair<std::size_t, std::string>> forms;
  for (std::size_t j = 0; j < used.size(); ++j) {
    const Warp::Kind kind = warp_of(model.scaling, j).kind;
    if (used[j] && kind != Warp::Kind::none) forms.emplace_back(j, name_of(kind));
  }
  return forms;
}

std::string Model::term_name(const Term& term) const {
  std::vector<std::string> names;
  for (const std::uint32_t variable : term.variables) names.push_back(inputs[variable]);
  return names.size() == 1 ? names.front() : fmt::format("({})", fmt::join(names, ", "));
}

std::string Model::short_term_name(const Term& term) const {
  constexpr std::size_t most = 4;
  const std::vector<std::uint32_t>& own = term.variables;
  if (own.size() <= most) return term_name(term);
  return fmt::format("({}, {}, {}, … {} inputs)", inputs[own[0]], inputs[own[1]], inputs[own[2]], own.size());
}

void save_model(const Model& model, const std::string& path) { write_file(path, to_json(model)); }

Model load_model(const std::string& path) {
  return model_from_json(read_model_file(path, real_model_format).text(), model_source(path));
}

}  // namespace shrimp
