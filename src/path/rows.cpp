#include "path/rows.hpp"

#include <cmath>

#include "data/standardize.hpp"
#include "linalg/dense.hpp"
#include "path/dictionary_rows.hpp"

namespace shrimp {

Rows scale(const Dataset& data, const Scaling& scaling) {
  return {scale_inputs(data.X, scaling), scale_target(data.y, scaling), data.weights};
}

Rows gather(const Rows& rows, std::span<const std::size_t> which) {
  Rows part{gather_rows(rows.X, which), {}, {}};
  for (const std::size_t i : which) {
    part.y.push_back(rows.y[i]);
    if (!rows.weights.empty()) part.weights.push_back(rows.weights[i]);
  }
  return part;
}

double Equations::mean_squared_error(const PathStep& step) const { return squared_error(step) / total_weight; }

double Equations::squared_error(const PathStep& step) const {
  std::vector<double> gap = A->combine(step.columns, step.coefficients);
  for (std::size_t i = 0; i < y.size(); ++i) gap[i] -= y[i];
  return squared_norm(gap);
}

EquationMaker::EquationMaker(std::shared_ptr<const Dictionary> dictionary, const Rows& rows, bool store)
    : dictionary_(std::move(dictionary)), rows_(rows) {
  for (const double weight : rows.weights) roots_.push_back(std::sqrt(weight));
  if (!store) return;
  Matrix A = evaluate(*dictionary_, rows.X);
  if (!roots_.empty()) scale_rows(A, roots_);
  A_ = std::make_shared<const Matrix>(std::move(A));
}

Equations EquationMaker::make(std::shared_ptr<const RowSpace> A, std::span<const std::size_t> which) const {
  Equations equations;
  equations.A = std::move(A);
  for (const std::size_t i : which) {
    equations.y.push_back(rows_.y[i] * (roots_.empty() ? 1.0 : roots_[i]));
    if (!roots_.empty()) equations.roots.push_back(roots_[i]);
    equations.total_weight += rows_.weights.empty() ? 1.0 : rows_.weights[i];
  }
  return equations;
}

Equations EquationMaker::range(std::size_t first, std::size_t count) const {
  std::vector<std::size_t> which = all_columns(count);
  for (std::size_t& i : which) i += first;
  return A_ ? make(stored(A_, first, which), which) : some(which);
}

Equations EquationMaker::some(std::span<const std::size_t> which) const {
  if (A_) return make(stored(std::make_shared<const Matrix>(gather_rows(*A_, which)), 0, which), which);
  return make(std::make_shared<DictionaryRows>(dictionary_, gather_rows(rows_.X, which), factors(which)), which);
}

std::shared_ptr<const RowSpace> EquationMaker::stored(std::shared_ptr<const Matrix> A, std::size_t first,
                                                      std::span<const std::size_t> which) const {
  return std::make_shared<StoredDictionaryRows>(std::move(A), first, dictionary_, gather_rows(rows_.X, which),
                                                factors(which));
}

std::vector<double> EquationMaker::factors(std::span<const std::size_t> which) const {
  std::vector<double> result;
  for (const std::size_t i : which) {
    if (!roots_.empty()) result.push_back(roots_[i]);
  }
  return result;
}

}  // namespace shrimp
