#include "update/fold_sums.hpp"

#include <cmath>

#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

const ModelSummary::Content& checked(const Model& model, const ModelSummary& summary) {
  if (!summary.is_of_columns_of(model))
    throw DataError("the sufficient statistics do not match the model's basis functions.");
  if (summary.rows() == 0) {
    throw DataError("there are no rows to fit: the tables are empty, or all weights are 0.");
  }
  return summary.content();
}

TriangularSystem finite(TriangularSystem sums) {
  const double size = squared_norm({sums.R.data(), sums.R.rows() * sums.R.cols()}) + squared_norm(sums.b) + sums.rest;
  if (std::isfinite(size)) return sums;
  throw DataError(
      "the sufficient statistics are too large to solve for the coefficients.\nCheck the rows for numbers of extreme "
      "size.");
}

FoldError error_of(const std::vector<double>& squares, const std::vector<double>& weights, double weight) {
  FoldError error;
  for (const double own : squares) error.mean += own / weight;
  double variance = 0.0;
  for (std::size_t k = 0; k < squares.size(); ++k) {
    variance += std::pow((squares[k] - weights[k] * error.mean) / weight, 2);
  }
  const auto count = static_cast<double>(squares.size());
  error.standard_error = std::sqrt(variance * count / (count - 1.0));
  return error;
}

}  // namespace

FoldSums::FoldSums(const Model& model, const ModelSummary& summary)
    : content_(checked(model, summary)),
      solver_(model, refit_rule(model, "the model")),
      total_(finite(content_.all())),
      unit_(content_.unit.value(total_.weight / static_cast<double>(total_.rows))),
      kept_((model.scaling.target_mean - content_.target_mean) / content_.target_scale) {}

std::vector<double> FoldSums::solve(const TriangularSystem& sums) const { return solver_.solve(sums, unit_, kept_); }

RidgeProblem FoldSums::problem(const TriangularSystem& sums) const { return solver_.problem(sums, unit_, kept_); }

std::vector<double> FoldSums::solve(const Model& smaller, const TriangularSystem& fewer) const {
  return ColumnSolver(smaller, refit_rule(smaller, "the model")).solve(fewer, unit_, kept_);
}

std::optional<FoldError> FoldSums::error(const Fit& fit) const {
  std::vector<const TriangularSystem*> folds;
  for (const auto& [fold, own] : content_.sums) folds.push_back(&own);
  if (folds.size() < 2) return std::nullopt;
  // Sums of the folds after each; those before are summed up on the way.
  std::vector<TriangularSystem> after;
  after.emplace_back(content_.columns);
  for (std::size_t k = folds.size() - 1; k > 0; --k) {
    after.push_back(after.back());
    after.back().merge(*folds[k]);
  }
  TriangularSystem others(content_.columns);
  std::vector<double> squares;
  std::vector<double> weights;
  for (const TriangularSystem* fold : folds) {
    TriangularSystem rest = std::move(after.back());
    after.pop_back();
    rest.merge(others);
    squares.push_back(fold->squared_error(fit(rest)));
    weights.push_back(fold->weight);
    others.merge(*fold);
  }
  return error_of(squares, weights, total_.weight);
}

}  // namespace shrimp
