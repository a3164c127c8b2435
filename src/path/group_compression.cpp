#include "path/group_compression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "linalg/small.hpp"
#include "linalg/threads.hpp"
#include "random/philox.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

constexpr std::size_t sketch_rows = 64;
constexpr std::size_t smallest_gain = 3;  // Columns per dimension below which the detour does not pay.
constexpr std::size_t largest_rank = 40;  // Well below sketch_rows, so that a rank is seen and not cut.

// One group: its columns in A, and A_g = 1 t + Û D.
struct Group {
  Columns columns;
  Matrix U;  // Û, m×r: orthogonal columns in falling order of norm.
  Matrix D;  // r×n
};

// A sparse sign matrix Ω (m×sketch_rows): every row of A goes to two sketch rows.
class RowSketch {
 public:
  explicit RowSketch(std::size_t rows) {
    PhiloxStream random(0, Stream::sketch, rows);
    for (std::size_t i = 0; i < 2 * rows; ++i) {
      const std::uint64_t bits = random.next();
      targets_.push_back(static_cast<std::uint32_t>(bits % sketch_rows));
      signs_.push_back((bits >> 63) != 0 ? 1.0 : -1.0);
    }
  }

  [[nodiscard]] Matrix apply(MatrixView A, const Columns& columns, const std::vector<double>& means) const {
    Matrix S(sketch_rows, columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::span<const double> a = A.col(columns[k]);
      const std::span<double> s = S.col(k);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double value = a[i] - means[columns[k]];
        s[targets_[2 * i]] += signs_[2 * i] * value;
        s[targets_[2 * i + 1]] += signs_[2 * i + 1] * value;
      }
    }
    return S;
  }

 private:
  std::vector<std::uint32_t> targets_;
  std::vector<double> signs_;
};

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
  const Interpolation W = interpolate_columns(sketch.apply(A, group.columns, means), tolerance, largest_rank);
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
  for (std::size_t k = 0; k < r; ++k) {
    for (double& value : svd.U.col(k)) value *= svd.sigma[k];
  }
  group.U = std::move(svd.U);
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
    for (std::size_t k = 0; k < groups[g].U.cols(); ++k) {
      const double size = std::sqrt(squared_norm(groups[g].U.col(k)));
      if (size > cut) order.push_back({size, g, k});
    }
  }
  std::ranges::stable_sort(order, std::greater<>(), &GradedColumn::norm);
  return order;
}

std::optional<CompressedProblem> assemble(std::span<const double> constant, std::vector<Group> groups,
                                          std::vector<double> means, CompressedProblem problem, double tolerance);

// M = R̃ [t; D]: the first column of R̃ goes with the means t, the others with the rows of the groups' D.
class GroupedRows : public RowSpace {
 public:
  GroupedRows(Matrix R, std::vector<std::vector<std::size_t>> slots, std::vector<Group> groups,
              std::vector<double> means)
      : R_(std::move(R)), groups_(std::move(groups)), slots_(std::move(slots)), means_(std::move(means)) {
    places_.resize(means_.size());
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
    return multiply(MatrixView(R_), std::span<const double>(w));
  }

  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override {
    const std::vector<double> u = multiply_transposed(MatrixView(R_), z);
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
    Matrix F(R_.rows(), R_.cols() - 1);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const std::size_t place : parts[g]) {
        const double mean = means_[groups_[g].columns[place]];
        border[0] += mean * mean;
        for (std::size_t l = 0; l < slots_[g].size(); ++l) border[slots_[g][l]] += mean * groups_[g].D(l, place);
      }
      // E_g = V diag(e) Vᵀ, so R̃_g V diag(√e) is a square root's worth of columns.
      const Matrix D = leading_rows(gather_columns(groups_[g].D, parts[g]), slots_[g].size());
      const Matrix root = gram_root(D);
      const Matrix columns = multiply(MatrixView(gather_columns(R_, slots_[g])), MatrixView(root));
      for (std::size_t l = 0; l < slots_[g].size(); ++l)
        std::ranges::copy(columns.col(l), F.col(slots_[g][l] - 1).begin());
    }
    shrimp::add_gram(G, alpha, F);
    // r₀ vᵀ + v r₀ᵀ − t·t r₀ r₀ᵀ with v = R̃ border (whose first entry counts r₀ r₀ᵀ once already).
    const std::vector<double> v = multiply(MatrixView(R_), std::span<const double>(border));
    const std::span<const double> r0 = R_.col(0);
    for (std::size_t j = 0; j < G.cols(); ++j) {
      for (std::size_t i = j; i < G.rows(); ++i) {
        G(i, j) += alpha * (r0[i] * v[j] + v[i] * r0[j] - border[0] * r0[i] * r0[j]);
      }
    }
  }

  [[nodiscard]] bool is_lossy() const override { return true; }

  // Û_g D_P = Û_g diag(1/σ) X diag(σ') Yᵀ with diag(σ) D_P = X diag(σ') Yᵀ, which is small.
  [[nodiscard]] std::optional<CompressedProblem> recompress(const CompressedProblem& problem, const Columns& P,
                                                            double cut) const override {
    std::vector<Group> kept(groups_.size());
    std::vector<double> kept_means;
    for (std::size_t k = 0; k < P.size(); ++k) {
      kept[places_[P[k]].group].columns.push_back(k);
      kept_means.push_back(means_[P[k]]);
    }
    const std::vector<Columns> parts = split(P);
    parallel_for(groups_.size(), [&](std::size_t g) {
      Matrix U = gather_columns(R_, slots_[g]);
      Matrix D = leading_rows(gather_columns(groups_[g].D, parts[g]), slots_[g].size());
      recompress_group(U, D, problem.scale, kept[g]);
    });
    std::erase_if(kept, [](const Group& group) { return group.columns.empty(); });
    std::vector<double> constant(R_.col(0).begin(), R_.col(0).end());
    for (std::size_t i = 0; i < constant.size(); ++i) constant[i] *= problem.scale[i];
    CompressedProblem smaller;
    smaller.equations = problem.equations;
    smaller.rest = problem.rest;
    smaller.b = problem.b;
    for (std::size_t i = 0; i < smaller.b.size(); ++i) smaller.b[i] *= problem.scale[i];
    return assemble(constant, std::move(kept), std::move(kept_means), std::move(smaller), cut);
  }

  [[nodiscard]] Matrix gather(const Columns& P) const override {
    Matrix M = Matrix::uninitialized(R_.rows(), P.size());
    Columns order;  // Column k of P is column order[k] of its group's product.
    const std::vector<Columns> parts = split(P);
    std::vector<Matrix> products;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      products.push_back(multiply(MatrixView(gather_columns(R_, slots_[g])),
                                  MatrixView(leading_rows(gather_columns(groups_[g].D, parts[g]), slots_[g].size()))));
    }
    std::vector<std::size_t> used(groups_.size(), 0);
    for (std::size_t k = 0; k < P.size(); ++k) {
      const std::size_t g = places_[P[k]].group;
      const std::span<const double> part = products[g].col(used[g]++);
      for (std::size_t i = 0; i < R_.rows(); ++i) M(i, k) = means_[P[k]] * R_(i, 0) + part[i];
    }
    return M;
  }

 private:
  struct Place {
    std::size_t group;
    std::size_t column;
  };

  // The places of P in each group, in the order of P.
  [[nodiscard]] std::vector<Columns> split(const Columns& P) const {
    std::vector<Columns> parts(groups_.size());
    for (const std::size_t column : P) parts[places_[column].group].push_back(places_[column].column);
    return parts;
  }

  static void recompress_group(Matrix& U, Matrix& D, std::span<const double> scale, Group& group) {
    for (std::size_t k = 0; k < U.cols(); ++k) {
      const std::span<double> u = U.col(k);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] *= scale[i];
      const double sigma = std::sqrt(squared_norm(u));
      for (double& value : u) value /= sigma;
      for (std::size_t j = 0; j < D.cols(); ++j) D(k, j) *= sigma;
    }
    if (U.cols() == 0 || D.cols() == 0) {
      group.U = Matrix(U.rows(), 0);
      group.D = Matrix(0, D.cols());
      return;
    }
    // The SVD of Dᵀ, which is tall, or of D where few columns are left.
    const bool few = D.cols() < D.rows();
    const ThinSvd svd = thin_svd(few ? Matrix(D) : transpose(D));
    const Matrix X = few ? Matrix(svd.U) : transpose(svd.Vt);
    group.D = few ? Matrix(svd.Vt) : transpose(svd.U);
    group.U = multiply(MatrixView(U), MatrixView(X));
    for (std::size_t k = 0; k < group.U.cols(); ++k) {
      for (double& value : group.U.col(k)) value *= svd.sigma[k];
    }
  }

  static Matrix leading_rows(Matrix D, std::size_t rows) {
    return rows == D.rows() ? std::move(D) : Matrix(MatrixView{D.data(), rows, D.cols(), D.rows()});
  }

  Matrix R_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> slots_;  // Columns of R̃ of each group's Û; fewer than r_g where some were cut.
  std::vector<double> means_;
  std::vector<Place> places_;
};

std::vector<Group> make_groups(std::span<const std::uint32_t> numbers) {
  std::map<std::uint32_t, Group> found;
  for (std::size_t j = 0; j < numbers.size(); ++j) found[numbers[j]].columns.push_back(j);
  std::vector<Group> groups;
  for (auto& [number, group] : found) groups.push_back(std::move(group));
  return groups;
}

bool compress_all(MatrixView A, const std::vector<double>& means, double tolerance, std::vector<Group>& groups) {
  const RowSketch sketch(A.rows);
  // Most dictionaries that do not compress show it in the first group.
  if (!compress_group(A, means, sketch, tolerance, groups.front())) return false;
  std::vector<char> fine(groups.size(), 1);
  parallel_for(groups.size() - 1, [&](std::size_t k) {
    fine[k + 1] = compress_group(A, means, sketch, tolerance, groups[k + 1]) ? 1 : 0;
  });
  return std::ranges::all_of(fine, [](char value) { return value != 0; });
}

// [1, Û] = Q R, columns in falling order of norm.
std::optional<CompressedProblem> assemble(std::span<const double> constant, std::vector<Group> groups,
                                          std::vector<double> means, CompressedProblem problem, double tolerance) {
  double top = std::sqrt(squared_norm(constant) * squared_norm(means));
  for (const Group& group : groups) {
    if (group.U.cols() > 0) top = std::max(top, std::sqrt(squared_norm(group.U.col(0))));
  }
  const std::vector<GradedColumn> order = grade(groups, tolerance * top);
  if (smallest_gain * order.size() > means.size()) return std::nullopt;

  Matrix U = Matrix::uninitialized(constant.size(), order.size() + 1);
  std::ranges::copy(constant, U.col(0).begin());
  std::vector<std::vector<std::size_t>> slots(groups.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::ranges::copy(groups[order[k].group].U.col(order[k].column), U.col(k + 1).begin());
    slots[order[k].group].push_back(k + 1);
  }
  for (Group& group : groups) group.U = Matrix();

  const HouseholderQr qr(std::move(U));
  Matrix R = qr.R();
  qr.apply_transposed(problem.b);
  problem.rest += squared_norm(std::span(problem.b).subspan(R.rows()));
  problem.b.resize(R.rows());
  constexpr double dependent = 1e-7;
  for (std::size_t i = 0; i < R.rows(); ++i) {
    const double pivot = std::abs(R(i, i));
    if (!(pivot > (i > 0 ? dependent * order[i - 1].norm : 0.0))) return std::nullopt;
    problem.scale.push_back(pivot);
    problem.b[i] /= pivot;
  }
  for (std::size_t j = 0; j < R.cols(); ++j) {
    for (std::size_t i = 0; i < R.rows(); ++i) R(i, j) /= problem.scale[i];
  }
  problem.M = std::make_shared<GroupedRows>(std::move(R), std::move(slots), std::move(groups), std::move(means));
  return problem;
}

}  // namespace

std::optional<CompressedProblem> compress_groups(const RowSpace& rows, std::span<const double> y,
                                                 const PathOptions& options) {
  if (!rows.dense()) return std::nullopt;
  const MatrixView A = *rows.dense();
  if (options.groups.size() != A.cols) return std::nullopt;
  std::vector<Group> groups = make_groups(options.groups);
  if (A.cols < smallest_gain * sketch_rows || A.cols / groups.size() < sketch_rows) return std::nullopt;
  const std::vector<double> means = column_means(A);
  const double tolerance =
      options.rank_tolerance > 0.0 ? options.rank_tolerance : default_rank_tolerance(A.rows, A.cols);
  // Within a group two more digits are kept than the whole is cut off at.
  const double group_tolerance = std::max(0.01 * tolerance, 32.0 * std::numeric_limits<double>::epsilon());
  if (!compress_all(A, means, group_tolerance, groups)) return std::nullopt;

  CompressedProblem problem;
  problem.equations = A.rows;
  problem.b.assign(y.begin(), y.end());
  return assemble(std::vector<double>(A.rows, 1.0), std::move(groups), means, std::move(problem), tolerance);
}

}  // namespace shrimp
