#include "update/column_subset.hpp"

#include "linalg/dense.hpp"
#include "model/unused_inputs.hpp"
#include "update/fingerprint.hpp"

namespace shrimp {

Model with_columns(const Model& model, std::span<const std::size_t> kept) {
  Model smaller = model;
  smaller.dictionary = model.dictionary.subset(kept);
  smaller.coefficients.clear();
  for (const std::size_t k : kept) smaller.coefficients.push_back(model.coefficients[k]);
  if (model.penalty) {
    smaller.penalty->scales.assign(smaller.dictionary.weights.size(), 0.0);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      smaller.penalty->scales[smaller.dictionary.rows[k]] = model.penalty->scales[model.dictionary.rows[kept[k]]];
    }
  }
  forget_unused_inputs(smaller);
  return smaller;
}

TriangularSystem with_columns(const TriangularSystem& sums, std::span<const std::size_t> kept) {
  std::vector<std::size_t> columns = {0};
  for (const std::size_t k : kept) columns.push_back(k + 1);
  TriangularSystem fewer(columns.size());
  fewer.add(gather_columns(sums.R, columns), sums.b, sums.weight);
  fewer.rows = sums.rows;
  fewer.rest += sums.rest;
  return fewer;
}

ModelSummary with_columns(const ModelSummary& summary, std::span<const std::size_t> kept, const Model& smaller) {
  auto content = std::make_unique<ModelSummary::Content>(summary.content());
  content->columns = kept.size() + 1;
  content->columns_hash = hash_columns(smaller);
  content->model_hash = 0;
  for (auto& [fold, sums] : content->sums) sums = with_columns(sums, kept);
  return ModelSummary(std::move(content));
}

}  // namespace shrimp
