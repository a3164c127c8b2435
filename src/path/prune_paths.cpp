#include "path/prune_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "linalg/dense.hpp"

namespace shrimp {
namespace {

void check(const RowSpace& A, std::span<const double> y, const PathOptions& options) {
  if (A.rows() == 0 || A.cols() == 0) throw std::invalid_argument("A has no entries.");
  if (y.size() != A.rows()) {
    throw std::invalid_argument(fmt::format("y has {} entries, but A has {} rows.", y.size(), A.rows()));
  }
  if (!(options.ridge >= 0.0) || !std::isfinite(options.ridge)) {
    throw std::invalid_argument(fmt::format("ridge {} is not a finite number of 0 or more.", options.ridge));
  }
  if (!options.groups.empty() && options.groups.size() != A.cols()) {
    throw std::invalid_argument(
        fmt::format("groups has {} entries, but A has {} columns.", options.groups.size(), A.cols()));
  }
  if (!(options.rank_tolerance >= 0.0 && options.rank_tolerance < 1.0)) {
    throw std::invalid_argument(fmt::format("rank tolerance {} is not in [0, 1).", options.rank_tolerance));
  }
  A.check_entries();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) throw std::invalid_argument(fmt::format("y[{}] = {} is not finite.", i, y[i]));
  }
}

}  // namespace

PrunePaths::PrunePaths(const std::shared_ptr<const RowSpace>& A, std::span<const double> y, const PathOptions& options,
                       const std::function<Matrix()>& gram)
    : rows_(A->rows()),
      A_(A),
      y_(y.begin(), y.end()),
      engine_(make_engine((check(*A, y, options), A), y, options, gram)),
      shelf_(A->rows() * A->cols() * sizeof(double) * 3 / 4) {
  first_.columns = all_columns(A->cols());
  solve(*engine_, first_);
}

void PrunePaths::solve(PathEngine& engine, PathStep& step) const {
  PathSolution solution = engine.solve(step.columns);
  step.coefficients = std::move(solution.coefficients);
  step.rank = solution.rank;
  step.train_mse = solution.residual / static_cast<double>(rows_);
  step.ridge = solution.ridge;
  step.lambda_max = solution.lambda_max;
  step.lambda_min = solution.lambda_min;
}

// The error of coefficients that were not fitted to this step's columns.
void PrunePaths::measure(PathStep& step) const {
  std::vector<double> gap = A_->combine(step.columns, step.coefficients);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] -= y_[i];
  step.train_mse = squared_norm(gap) / static_cast<double>(rows_);
  step.rank = std::min(step.rank, step.columns.size());
}

void PrunePaths::visit(const PruneRule& rule, const PathVisitor& visit, bool more_rules) {
  if (!visit(first_)) return;
  const std::unique_ptr<PathEngine> engine = engine_->clone();
  engine->use_shelf(&shelf_, more_rules);
  PathStep step = first_;
  bool goes_on = true;
  while (goes_on) {
    const std::vector<std::size_t> kept = rule.keep(step);
    if (kept.size() == step.columns.size()) return;
    step = restrict_step(step, kept);
    if (rule.refit && !kept.empty()) {
      solve(*engine, step);
    } else {
      measure(step);
    }
    goes_on = visit(step);
  }
}

}  // namespace shrimp
