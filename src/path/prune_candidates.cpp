// The prune methods: one loop with different rules.
#include <algorithm>
#include <map>

#include "path/candidates.hpp"
#include "path/prune_paths.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// A number per column, the same for columns on the same support.
std::vector<std::uint32_t> support_numbers(const Dictionary& dictionary) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> row_numbers;
  for (std::size_t j = 0; j < dictionary.weights.size(); ++j) {
    const auto support = dictionary.weights.support(j);
    const std::vector<std::uint32_t> key(support.begin(), support.end());
    row_numbers.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  std::vector<std::uint32_t> result;
  for (const std::uint32_t row : dictionary.rows) result.push_back(row_numbers[row]);
  return result;
}

PathOptions path_options(const FitOptions& options, std::span<const std::uint32_t> groups) {
  PathOptions path;
  path.rank_tolerance = options.rank_tolerance;
  path.ridge = options.ridge.value_or(0.0);
  path.ridge_by_gcv = options.ridge_by_gcv;
  path.spectrum = options.spectrum;
  path.groups = groups;
  return path;
}

PruneRule keep_all() {
  return {[](const PathStep& step) { return all_columns(step.columns.size()); }};
}

class PruneCandidates : public Candidates {
 public:
  PruneCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : options_(options),
        thresholds_(grid.penalties),
        rates_(options.prune_rates),
        columns_(problem.dictionary.columns()),
        groups_(support_numbers(problem.dictionary)),
        paths_(problem.equations.A, problem.equations.y, path_options(options, groups_), problem.gram) {
    std::ranges::sort(rates_);
  }

  void visit(std::size_t branch, const PathVisitor& visit) override {
    const double rate = rates_[branch];
    const bool more = branch + 1 < rates_.size();
    switch (options_.method) {
      case Method::min_l2:
        return paths_.visit(keep_all(), visit);
      case Method::naive_prune:
        return paths_.visit(drop_smallest(rate, false), visit);
      case Method::random_prune:
        return paths_.visit(drop_at_random(rate, columns_, options_.seed), visit, more);
      case Method::stlsq:
        return visit_thresholds(visit);
      default:
        return paths_.visit(drop_smallest(rate), visit, more);
    }
  }

  [[nodiscard]] std::optional<Reduction> with_rows(const Equations& more, const Columns& P) const override {
    return paths_.with_rows(more.A.get(), more.y, P);
  }

 private:
  // A threshold's fit is the one that it drops no more columns of.
  void visit_thresholds(const PathVisitor& visit) {
    for (const double threshold : thresholds_) {
      PathStep last;
      paths_.visit(drop_below(threshold), [&](const PathStep& step) {
        last = step;
        return true;
      });
      last.penalty = threshold;
      if (!visit(last)) return;
    }
  }

  const FitOptions& options_;
  std::vector<double> thresholds_;
  std::vector<double> rates_;
  std::size_t columns_;
  std::vector<std::uint32_t> groups_;
  PrunePaths paths_;
};

// Orthogonal factors of A itself lose least, and what they lose a second solve with a more accurate residual brings
// back.
std::vector<double> fit_exactly(const Matrix& A, std::span<const double> y, double rank_tolerance) {
  std::vector<double> c = solve_minimum_norm(Matrix(A), y, rank_tolerance).coefficients;
  std::vector<double> residual(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    long double gap = y[i];
    for (std::size_t j = 0; j < A.cols(); ++j) gap -= static_cast<long double>(A(i, j)) * c[j];
    residual[i] = static_cast<double>(gap);
  }
  const std::vector<double> correction = solve_minimum_norm(Matrix(A), residual, rank_tolerance).coefficients;
  for (std::size_t j = 0; j < c.size(); ++j) c[j] += correction[j];
  return c;
}

}  // namespace

std::vector<double> fit_columns(const Dictionary& dictionary, const Equations& equations, const FitOptions& options,
                                double ridge) {
  constexpr double little = 4e9;
  const auto m = static_cast<double>(equations.A->rows());
  const auto n = static_cast<double>(equations.A->cols());
  if (ridge == 0.0 && m * n * std::min(m, n) <= little) {
    return fit_exactly(equations.A->gather(all_columns(equations.A->cols())), equations.y, options.rank_tolerance);
  }
  const std::vector<std::uint32_t> groups = support_numbers(dictionary);
  PathOptions path = path_options(options, groups);
  path.ridge = ridge;
  path.ridge_by_gcv = false;
  path.spectrum = false;
  std::vector<double> coefficients;
  PrunePaths(equations.A, equations.y, path).visit(keep_all(), [&](const PathStep& step) {
    coefficients = step.coefficients;
    return false;
  });
  return coefficients;
}

std::unique_ptr<Candidates> prune_candidates(const Problem& problem, const FitOptions& options, const Grid& grid) {
  return std::make_unique<PruneCandidates>(problem, options, grid);
}

}  // namespace shrimp
