#include "path/group_compression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "linalg/row_sketch.hpp"
#include "linalg/small.hpp"
#include "solvers/minimum_norm.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t sketch_rows = 64;
constexpr std::size_t smallest_gain = 2;  // Columns per dimension below which the detour does not pay.
constexpr std::size_t largest_rank = 40;  // Well below sketch_rows, so that a rank is seen and not cut.

// One group: its columns in A, and A_g = 1 t + Û D, Û = U diag(sigma).
struct Group {
  Columns columns;
  Matrix U;                   // m×r: orthonormal columns.
  std::vector<double> sigma;  // Falling.
  Matrix D;                   // r×n
};

// All groups with every column: nothing but directions at rounding level is missing, so that any set of columns can be
// compressed anew from here.
struct Root {
  std::vector<Group> groups;
  std::vector<double> means;  // t
  std::vector<double> y;
  struct Place {
    std::size_t group;
    std::size_t column;
  };
  std::vector<Place> places;  // Of every column of A.
};

Matrix sketch_of(const RowSketch& sketch, MatrixView A, const Columns& columns, const std::vector<double>& means) {
  Matrix S(sketch.rows(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) sketch.add(A.col(columns[k]), means[columns[k]], S.col(k));
  return S;
}

std::vector<double> column_means(MatrixView A) {
  std::vector<double> means(A.cols);
  parallel_for(A.cols, [&](std::size_t j) {
    const std::span<const double> a = A.col(j);
    means[j] = std::accumulate(a.begin(), a.end(), 0.0) / static_cast<double>(A.rows);
  });
  return means;
}

// Fills in Û and D; false where the rank is too high. The columns chosen by pivoting interpolate the others:
// A_g − 1t ≈ A_J W, and W = L_w D with orthonormal D.
bool compress_group(MatrixView A, const std::vector<double>& means, const RowSketch& sketch, double tolerance,
                    Group& group) {
  const Interpolation W = interpolate_columns(sketch_of(sketch, A, group.columns, means), tolerance, largest_rank);
  if (!W.found) return false;
  const std::size_t r = W.columns.size();
  if (r == 0) {
    group.U = Matrix(A.rows, 0);
    group.D = Matrix(0, group.columns.size());
    return true;
  }
  Matrix A_J = Matrix::uninitialized(A.rows, r);
  for (std::size_t k = 0; k < r; ++k) {
    const std::size_t column = group.columns[W.columns[k]];
    for (std::size_t i = 0; i < A.rows; ++i) A_J(i, k) = A(i, column) - means[column];
  }
  OrthonormalRows rows = orthonormalize_rows(W.weights);
  // Û = A_J L_w turned by its right singular vectors, so that columns come out orthogonal and graded.
  ThinSvd svd = thin_svd(multiply(MatrixView(A_J), MatrixView(rows.L)));
  group.U = std::move(svd.U);
  group.sigma = std::move(svd.sigma);
  group.D = multiply(MatrixView(svd.Vt), MatrixView(rows.D));
  return true;
}

struct GradedColumn {
  double norm;
  std::size_t group;
  std::size_t column;
};

// The columns of every Û above the cut, largest first.
std::vector<GradedColumn> grade(const std::vector<Group>& groups, double cut) {
  std::vector<GradedColumn> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < groups[g].sigma.size(); ++k) {
      if (groups[g].sigma[k] > cut) order.push_back({groups[g].sigma[k], g, k});
    }
  }
  std::ranges::stable_sort(order, std::greater<>(), &GradedColumn::norm);
  return order;
}

std::optional<CompressedProblem> assemble(const std::shared_ptr<const Root>& root, const Columns& P, double tolerance);

// M = R̃ [t; D]: the first column of R̃ goes with the means t, the others with the rows of the groups' D.
class GroupedRows : public RowSpace {
 public:
  /// Column k is column origin[k] of the root, and `groups` number columns as here.
  GroupedRows(std::shared_ptr<const Root> root, Columns origin, Matrix R, std::vector<std::vector<std::size_t>> slots,
              std::vector<Group> groups)
      : root_(std::move(root)),
        origin_(std::move(origin)),
        R_(std::move(R)),
        groups_(std::move(groups)),
        slots_(std::move(slots)),
        places_(origin_.size()) {
    for (const std::size_t column : origin_) means_.push_back(root_->means[column]);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t k = 0; k < groups_[g].columns.size(); ++k) places_[groups_[g].columns[k]] = {g, k};
    }
  }

  [[nodiscard]] std::size_t rows() const override { return R_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return means_.size(); }

  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override {
    std::vector<double> w(R_.cols(), 0.0);
    for (std::size_t k = 0; k < P.size(); ++k) {
      const auto [g, place] = places_[P[k]];
      w[0] += means_[P[k]] * c[k];
      const std::span<const double> d = groups_[g].D.col(place);
      for (std::size_t l = 0; l < slots_[g].size(); ++l) w[slots_[g][l]] += d[l] * c[k];
    }
    return shrimp::multiply(MatrixView(R_), std::span<const double>(w));
  }

  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override {
    const std::vector<double> u = shrimp::multiply_transposed(MatrixView(R_), z);
    std::vector<double> c(P.size());
    for (std::size_t k = 0; k < P.size(); ++k) {
      const auto [g, place] = places_[P[k]];
      c[k] = means_[P[k]] * u[0];
      const std::span<const double> d = groups_[g].D.col(place);
      for (std::size_t l = 0; l < slots_[g].size(); ++l) c[k] += d[l] * u[slots_[g][l]];
    }
    return c;
  }

  // R̃ E R̃ᵀ with E = [t; D_P][t; D_P]ᵀ: block diagonal but for its first row and column.
  void add_gram(Matrix& G, double alpha, const Columns& P) const override {
    const std::vector<Columns> parts = split(P);
    std::vector<double> border(R_.cols(), 0.0);  // [t; D_P] tᵀ
    for (const std::size_t column : P) border[0] += means_[column] * means_[column];
    Matrix F(R_.rows(), R_.cols() - 1);
    parallel_for(groups_.size(), [&](std::size_t g) {
      for (const std::size_t place : parts[g]) {
        const double mean = means_[groups_[g].columns[place]];
        for (std::size_t l = 0; l < slots_[g].size(); ++l) border[slots_[g][l]] += mean * groups_[g].D(l, place);
      }
      // E_g = V diag(e) Vᵀ, so R̃_g V diag(√e) is a square root's worth of columns.
      const Matrix D = leading_rows(gather_columns(groups_[g].D, parts[g]), slots_[g].size());
      const Matrix root = gram_root(D);
      const Matrix columns = shrimp::multiply(MatrixView(gather_columns(R_, slots_[g])), MatrixView(root));
      for (std::size_t l = 0; l < slots_[g].size(); ++l)
        std::ranges::copy(columns.col(l), F.col(slots_[g][l] - 1).begin());
    });
    shrimp::add_gram(G, alpha, F);
    // r₀ vᵀ + v r₀ᵀ − t·t r₀ r₀ᵀ with v = R̃ border (whose first entry counts r₀ r₀ᵀ once already).
    const std::vector<double> v = shrimp::multiply(MatrixView(R_), std::span<const double>(border));
    const std::span<const double> r0 = R_.col(0);
    parallel_for(G.cols(), [&](std::size_t j) {
      for (std::size_t i = j; i < G.rows(); ++i) {
        G(i, j) += alpha * (r0[i] * v[j] + v[i] * r0[j] - border[0] * r0[i] * r0[j]);
      }
    });
  }

  [[nodiscard]] bool is_lossy() const override { return true; }

  [[nodiscard]] std::optional<CompressedProblem> recompress(const Columns& P, double cut) const override {
    Columns origin;
    for (const std::size_t k : P) origin.push_back(origin_[k]);
    return assemble(root_, origin, cut);
  }

  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override {
    Matrix M = Matrix::uninitialized(R_.rows(), P.size());
    const std::vector<Columns> parts = split(P);
    std::vector<Matrix> products(groups_.size());
    parallel_for(groups_.size(), [&](std::size_t g) {
      products[g] =
          shrimp::multiply(MatrixView(gather_columns(R_, slots_[g])),
                           MatrixView(leading_rows(gather_columns(groups_[g].D, parts[g]), slots_[g].size())));
    });
    std::vector<std::size_t> used(groups_.size(), 0);
    for (std::size_t k = 0; k < P.size(); ++k) {
      const std::size_t g = places_[P[k]].group;
      const std::span<const double> part = products[g].col(used[g]++);
      for (std::size_t i = 0; i < R_.rows(); ++i) M(i, k) = means_[P[k]] * R_(i, 0) + part[i];
    }
    return M;
  }

 private:
  // The places of P in each group, in the order of P.
  [[nodiscard]] std::vector<Columns> split(std::span<const std::size_t> P) const {
    std::vector<Columns> parts(groups_.size());
    for (const std::size_t column : P) parts[places_[column].group].push_back(places_[column].column);
    return parts;
  }

  static Matrix leading_rows(Matrix D, std::size_t rows) {
    return rows == D.rows() ? std::move(D) : Matrix(MatrixView{D.data(), rows, D.cols(), D.rows()});
  }

  std::shared_ptr<const Root> root_;
  Columns origin_;
  Matrix R_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> slots_;  // Columns of R̃ of each group's Û; fewer than r_g where some were cut.
  std::vector<double> means_;
  std::vector<Root::Place> places_;
};

std::vector<Group> make_groups(std::span<const std::uint32_t> numbers) {
  std::map<std::uint32_t, Group> found;
  for (std::size_t j = 0; j < numbers.size(); ++j) found[numbers[j]].columns.push_back(j);
  std::vector<Group> groups;
  for (auto& [number, group] : found) groups.push_back(std::move(group));
  return groups;
}

bool compress_all(MatrixView A, const std::vector<double>& means, double tolerance, std::vector<Group>& groups) {
  const RowSketch sketch(A.rows, sketch_rows);
  // Most dictionaries that do not compress show it in the first group.
  Group& first = groups.front();
  if (!compress_group(A, means, sketch, tolerance, first) || first.sigma.size() == first.columns.size()) return false;
  std::vector<char> fine(groups.size(), 1);
  parallel_for(groups.size() - 1, [&](std::size_t k) {
    fine[k + 1] = compress_group(A, means, sketch, tolerance, groups[k + 1]) ? 1 : 0;
  });
  return std::ranges::all_of(fine, [](char value) { return value != 0; });
}

// How many rows of R are left when the last ones go whose entries are all no larger than the cut.
std::size_t rows_above(const Matrix& R, double cut) {
  std::size_t rows = R.rows();
  while (rows > 1) {
    double squares = 0.0;
    for (std::size_t j = 0; j < R.cols(); ++j) squares += R(rows - 1, j) * R(rows - 1, j);
    if (squares > cut * cut) break;
    --rows;
  }
  return rows;
}

// Û D_P = U X diag(σ') Yᵀ with diag(σ) D_P = X diag(σ') Yᵀ, which is small.
void restrict_group(const Group& whole, const Columns& places, Group& part) {
  const std::size_t rows = whole.U.rows();
  if (whole.U.cols() == 0 || places.empty()) {
    part.U = Matrix(rows, 0);
    part.D = Matrix(0, places.size());
    return;
  }
  Matrix D = gather_columns(whole.D, places);
  scale_rows(D, whole.sigma);
  // The SVD of Dᵀ, which is tall, or of D where few columns are left.
  const bool few = D.cols() < D.rows();
  ThinSvd svd = thin_svd(few ? std::move(D) : transpose(D));
  part.U = multiply(MatrixView(whole.U), MatrixView(few ? Matrix(svd.U) : transpose(svd.Vt)));
  part.D = few ? Matrix(svd.Vt) : transpose(svd.U);
  part.sigma = std::move(svd.sigma);
}

// The groups of the columns P alone, numbered as in P; groups without a column are left out.
std::vector<Group> restrict_groups(const Root& root, const Columns& P) {
  std::vector<Group> parts(root.groups.size());
  std::vector<Columns> places(root.groups.size());
  for (std::size_t k = 0; k < P.size(); ++k) {
    const auto [group, column] = root.places[P[k]];
    parts[group].columns.push_back(k);
    places[group].push_back(column);
  }
  parallel_for(parts.size(), [&](std::size_t g) { restrict_group(root.groups[g], places[g], parts[g]); });
  std::erase_if(parts, [](const Group& group) { return group.columns.empty(); });
  return parts;
}

// [1, Û] = Q R, columns in falling order of norm.
std::optional<CompressedProblem> assemble(const std::shared_ptr<const Root>& root, const Columns& P, double tolerance) {
  std::vector<Group> groups = restrict_groups(*root, P);
  const std::size_t m = root->y.size();
  double squared_means = 0.0;
  for (const std::size_t column : P) squared_means += root->means[column] * root->means[column];
  double top = std::sqrt(static_cast<double>(m) * squared_means);
  for (const Group& group : groups) {
    if (!group.sigma.empty()) top = std::max(top, group.sigma.front());
  }
  const std::vector<GradedColumn> order = grade(groups, tolerance * top);
  if (smallest_gain * order.size() > P.size()) return std::nullopt;

  Matrix U = Matrix::uninitialized(m, order.size() + 1);
  std::ranges::fill(U.col(0), 1.0);
  std::vector<std::vector<std::size_t>> slots(groups.size());
  for (std::size_t k = 0; k < order.size(); ++k) slots[order[k].group].push_back(k + 1);
  parallel_for(order.size(), [&](std::size_t k) {
    std::ranges::transform(groups[order[k].group].U.col(order[k].column), U.col(k + 1).begin(),
                           [&](double value) { return value * order[k].norm; });
  });
  for (Group& group : groups) group.U = Matrix();

  CompressedProblem problem;
  problem.equations = m;
  problem.b = root->y;
  const HouseholderQr qr(std::move(U));
  Matrix R = qr.R();
  R = Matrix(MatrixView{R.data(), rows_above(R, tolerance * top), R.cols(), R.rows()});
  qr.apply_transposed(problem.b);
  problem.rest = squared_norm(std::span(problem.b).subspan(R.rows()));
  problem.b.resize(R.rows());
  constexpr double dependent = 1e-7;
  for (std::size_t i = 0; i < R.rows(); ++i) {
    const double pivot = std::abs(R(i, i));
    if (!(pivot > (i > 0 ? dependent * order[i - 1].norm : 0.0))) return std::nullopt;
    problem.scale.push_back(pivot);
    problem.b[i] /= pivot;
  }
  parallel_for(R.cols(), [&](std::size_t j) {
    for (std::size_t i = 0; i < R.rows(); ++i) R(i, j) /= problem.scale[i];
  });
  problem.M = std::make_shared<GroupedRows>(root, P, std::move(R), std::move(slots), std::move(groups));
  return problem;
}

}  // namespace

std::optional<CompressedProblem> compress_groups(const RowSpace& rows, std::span<const double> y,
                                                 const PathOptions& options) {
  if (!rows.dense()) return std::nullopt;
  const MatrixView A = *rows.dense();
  if (options.groups.size() != A.cols) return std::nullopt;
  auto root = std::make_shared<Root>();
  root->groups = make_groups(options.groups);
  if (A.cols < smallest_gain * sketch_rows || A.cols / root->groups.size() < sketch_rows) return std::nullopt;
  root->means = column_means(A);
  constexpr double rounding_level = 32.0 * std::numeric_limits<double>::epsilon();
  if (!compress_all(A, root->means, rounding_level, root->groups)) return std::nullopt;
  root->y.assign(y.begin(), y.end());
  root->places.resize(A.cols);
  for (std::size_t g = 0; g < root->groups.size(); ++g) {
    const Columns& columns = root->groups[g].columns;
    for (std::size_t k = 0; k < columns.size(); ++k) root->places[columns[k]] = {g, k};
  }
  const double tolerance =
      options.rank_tolerance > 0.0 ? options.rank_tolerance : default_rank_tolerance(A.rows, A.cols);
  return assemble(root, all_columns(A.cols), tolerance);
}

}  // namespace shrimp
