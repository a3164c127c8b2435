#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "data/file.hpp"
#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "model/model_text.hpp"
#include "shrimp/classes.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Adds the linear predictors of a block of rows, in scaled inputs.
void add_predictors(const ClassModel& model, MatrixView Z, std::size_t first, Matrix& sums) {
  const Matrix A = evaluate(model.shared.dictionary, Z);
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    const std::span<double> own = sums.col(k).subspan(first, Z.rows);
    std::ranges::fill(own, model.intercepts[k]);
    // BLAS would round rows by their position, and predictions of a row depend on no other row.
    for (std::size_t j = 0; j < A.cols(); ++j) {
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += model.coefficients[k][j] * A(i, j);
    }
  }
}

// Largest fraction first.
std::vector<Term> terms_of_class(const ClassModel& model, std::size_t k) {
  std::vector<Term> terms;
  for (std::size_t t = 0; t < model.shared.terms.size(); ++t) {
    if (!(model.fractions[k][t] > 0.0)) continue;
    terms.push_back(model.shared.terms[t]);
    terms.back().fraction = model.fractions[k][t];
  }
  std::ranges::stable_sort(terms, std::ranges::greater(), &Term::fraction);
  return terms;
}

}  // namespace

Matrix ClassModel::predict_linear(MatrixView X, int threads) const {
  if (X.cols != shared.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns, but the model has {} inputs.", X.cols, shared.inputs.size()));
  }
  constexpr std::size_t block_rows = 512;  // The dictionary of a block stays in cache.
  Matrix sums = Matrix::uninitialized(X.rows, classes.size());
  const ThreadScope scope(threads);
  parallel_for((X.rows + block_rows - 1) / block_rows, [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    const std::size_t rows = std::min(block_rows, X.rows - first);
    add_predictors(*this, scale_inputs({X.data + first, rows, X.cols, X.stride}, shared.scaling), first, sums);
  });
  return sums;
}

Matrix ClassModel::predict_probabilities(MatrixView X, int threads) const {
  Matrix P = predict_linear(X, threads);
  for (std::size_t i = 0; i < P.rows(); ++i) {
    double largest = P(i, 0);
    for (std::size_t k = 1; k < P.cols(); ++k) largest = std::max(largest, P(i, k));
    double total = 0.0;
    for (std::size_t k = 0; k < P.cols(); ++k) total += P(i, k) = std::exp(P(i, k) - largest);
    for (std::size_t k = 0; k < P.cols(); ++k) P(i, k) /= total;
  }
  return P;
}

Model ClassModel::model_of(std::size_t k) const {
  Model model = shared;
  model.target = fmt::format("logit({})", classes.at(k));
  model.options["class"] = classes[k];
  model.options["target"] = shared.target;
  model.coefficients = coefficients[k];
  model.scaling.target_mean = intercepts[k];
  model.terms = terms_of_class(*this, k);
  return model;
}

void save_model(const ClassModel& model, const std::string& path) { write_file(path, to_json(model)); }

ClassModel load_class_model(const std::string& path) {
  return class_model_from_json(read_model_file(path, class_model_format).text(), model_source(path));
}

std::variant<Model, ClassModel> load_any_model(const std::string& path) {
  const FileContent content = read_model_file(path, real_model_format);
  if (is_class_model(content.text())) return class_model_from_json(content.text(), model_source(path));
  return model_from_json(content.text(), model_source(path));
}

}  // namespace shrimp
