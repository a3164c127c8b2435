#include "path/device_path_solver.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "linalg/column_view.hpp"
#include "path/path_solver.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

Columns without(const Columns& all, const Columns& some) {
  Columns rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

// Where the columns `some` stand among `all`.
Columns places_in(const Columns& all, const Columns& some) {
  Columns places;
  places.reserve(some.size());
  std::size_t place = 0;
  for (const std::size_t column : some) {
    while (all[place] != column) ++place;
    places.push_back(place);
  }
  return places;
}

}  // namespace

DevicePathSolver::DevicePathSolver(std::shared_ptr<const RowSpace> A, std::span<const double> y,
                                   const PathOptions& options)
    : A_(std::move(A)), y_(y.begin(), y.end()), options_(options) {}

std::unique_ptr<PathEngine> DevicePathSolver::clone() const {
  auto copy = std::make_unique<DevicePathSolver>(A_, y_, options_);
  copy->y_on_device_ = y_on_device_;
  copy->columns_ = columns_;
  copy->gram_ = gram_;
  copy->gram_is_wide_ = gram_is_wide_;
  copy->host_columns_ = host_columns_;
  if (host_ != nullptr) copy->host_ = host_->clone();
  return copy;
}

std::optional<Reduction> DevicePathSolver::with_rows(const RowSpace* more, std::span<const double> y,
                                                     const Columns& P) const {
  if (host_ == nullptr || !host_columns_.empty()) return std::nullopt;
  return host_->with_rows(more, y, P);
}

PathSolution DevicePathSolver::solve(const Columns& P) {
  if (host_ == nullptr) {
    try {
      keep_columns(P);
      if (auto solution = solve_on_device()) return *std::move(solution);
    } catch (const DeviceMemoryError&) {
      gram_ = {};  // Room for what the host will ask for.
    }
    hand_over(P);
  }
  return host_->solve(host_columns_.empty() ? P : places_in(host_columns_, P));
}

void DevicePathSolver::keep_columns(const Columns& P) {
  if (y_on_device_.empty()) y_on_device_ = device().upload(column_of(y_));
  if (!gram_.empty() && P.size() == columns_.size()) return;
  if (is_wide(P)) {
    keep_wide(P);
  } else {
    keep_tall(P);
  }
}

void DevicePathSolver::keep_wide(Columns P) {
  const std::size_t m = A_->rows();
  Columns dropped = gram_.empty() ? Columns() : without(columns_.numbers, P);
  const bool downdates = !gram_.empty() && dropped.size() < P.size();
  DeviceMatrix G = device().make(m, m);
  columns_ = rows().choose(std::move(P));
  if (downdates) {
    device().copy(gram_, G);
    rows().add_gram(G, -1.0, rows().choose(std::move(dropped)));
  } else {
    device().fill(G, 0.0);
    rows().add_gram(G, 1.0, columns_);
  }
  gram_ = std::move(G);
  gram_is_wide_ = true;
}

void DevicePathSolver::keep_tall(Columns P) {
  if (gram_.empty() || gram_is_wide_) {
    gram_ = {};
    columns_ = rows().choose(std::move(P));
    gram_ = rows().gram_of_columns(columns_);
    gram_is_wide_ = false;
    return;
  }
  const Columns places = places_in(columns_.numbers, P);
  DeviceMatrix part = device().make(places.size(), places.size());
  device().gather_symmetric(gram_, device().upload(std::span<const std::size_t>(places)), part);
  columns_ = rows().choose(std::move(P));
  gram_ = std::move(part);
}

// y − A_P c
DeviceMatrix DevicePathSolver::residual(const DeviceMatrix& c) const {
  DeviceMatrix gap = device().make(y_.size(), 1);
  device().copy(y_on_device_, gap);
  device().add_scaled(gap, -1.0, rows().combine(columns_, c));
  return gap;
}

// What to add to c for the gap that it leaves. z is such that c = A_Pᵀ z in the wide case, where c stays in the row
// space of A_P; the tall case has no need of it.
DeviceMatrix DevicePathSolver::correction(const DeviceMatrix& L, const DeviceMatrix& gap, const DeviceMatrix& c,
                                          DeviceMatrix& z) const {
  if (gram_is_wide_) {
    DeviceMatrix step = device().make(gap.rows, 1);
    device().copy(gap, step);
    device().add_scaled(step, -options_.ridge, z);
    device().solve(L, step);
    device().add_scaled(z, 1.0, step);
    return rows().project(columns_, step);
  }
  DeviceMatrix step = rows().project(columns_, gap);
  device().add_scaled(step, -options_.ridge, c);
  device().solve(L, step);
  return step;
}

std::optional<PathSolution> DevicePathSolver::solve_on_device() const {
  constexpr int most_refinements = 4;
  constexpr double converged = 1e-8;
  constexpr double hopeless = 1e-3;
  DeviceMatrix L = device().make(gram_.rows, gram_.cols);
  device().copy(gram_, L);
  if (!device().factor(L, options_.ridge)) return std::nullopt;

  DeviceMatrix c = device().make(columns_.size(), 1);
  DeviceMatrix z = device().make(gram_is_wide_ ? y_.size() : 0, 1);
  device().fill(c, 0.0);
  device().fill(z, 0.0);
  DeviceMatrix gap = y_on_device_;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= most_refinements; ++k) {
    const DeviceMatrix step = correction(L, gap, c, z);
    device().add_scaled(c, 1.0, step);
    gap = residual(c);
    const double size = device().norm(step) / std::max(device().norm(c), std::numeric_limits<double>::min());
    if (!(size <= last)) return std::nullopt;
    if (k > 0 && size <= converged) {
      const double left = device().norm(gap);
      const Matrix values = device().download(c);
      return PathSolution{{values.data(), values.data() + values.rows()},
                          std::min(A_->rows(), columns_.size()),
                          left * left,
                          options_.ridge,
                          0.0,
                          0.0};
    }
    last = k == 0 ? hopeless : size;
  }
  return std::nullopt;
}

// The tolerance stays that of the rows of A, which a triangle no longer has.
void DevicePathSolver::hand_over(const Columns& P) {
  gram_ = {};
  if (!is_wide(P)) {
    try {
      Reduction triangle = rows().reduce(rows().choose(P), device().upload(column_of(y_)));
      PathOptions options = options_;
      options.groups = {};
      if (options.rank_tolerance == 0.0) options.rank_tolerance = default_rank_tolerance(A_->rows(), P.size());
      const std::vector<double> b = triangle.b;
      host_ = std::make_unique<PathSolver>(std::make_shared<ReducedRows>(std::move(triangle)), b, options);
      host_columns_ = P;
      return;
    } catch (const DeviceMemoryError&) {
      // Then all of A it is, in blocks.
    }
  }
  host_ = std::make_unique<PathSolver>(A_, y_, options_);
}

}  // namespace shrimp
