#include "linalg/householder.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "linalg/cpu/lapack.hpp"
#include "linalg/dense.hpp"
#include "random/philox.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Wide enough for level-3 speed, narrow enough for the panel to stay in cache (measured from 32 to 128).
constexpr std::size_t panel = 64;
constexpr std::size_t column_tile = 192;

// How far down the columns up to each one reach: their reflections leave the zeros below alone.
std::vector<std::size_t> depths_of(const Matrix& A) {
  std::vector<std::size_t> depths(A.cols());
  parallel_for((A.cols() + column_tile - 1) / column_tile, [&](std::size_t k) {
    for (std::size_t j = k * column_tile; j < std::min(A.cols(), (k + 1) * column_tile); ++j) {
      depths[j] = A.rows();
      while (depths[j] > 0 && A(depths[j] - 1, j) == 0.0) --depths[j];
    }
  });
  std::size_t depth = 0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    depth = std::max({depth, depths[j], std::min(A.rows(), j + 1)});
    depths[j] = depth;
  }
  return depths;
}

// Reflections of successive columns.
struct Panel {
  std::size_t first = 0;
  std::size_t width = 0;
  std::size_t depth = 0;  // Of the rows that they reach into.

  [[nodiscard]] lapack_int rows() const { return lapack_size(depth - first); }
};

// Reflects away what is below the diagonal of the panel's columns.
void reflect(Matrix& A, Matrix& T, const Panel& p) {
  std::vector<double> work(p.width * p.width);
  check_lapack(
      LAPACKE_dgeqrt_work(LAPACK_COL_MAJOR, p.rows(), lapack_size(p.width), lapack_size(p.width), &A(p.first, p.first),
                          lapack_size(A.rows()), T.data() + p.first * T.rows(), lapack_size(T.rows()), work.data()),
      "dgeqrt");
}

// Applies that to `count` columns from `column` on, right of the panel.
void reflect_columns(Matrix& A, const Matrix& T, const Panel& p, std::size_t column, std::size_t count) {
  const lapack_int reflectors = lapack_size(p.width);
  const lapack_int stride = lapack_size(A.rows());
  std::vector<double> work(p.width * count);
  check_lapack(LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', 'T', p.rows(), lapack_size(count), reflectors, reflectors,
                                    &A(p.first, p.first), stride, T.data() + p.first * T.rows(), lapack_size(T.rows()),
                                    &A(p.first, column), stride, work.data()),
               "dgemqrt");
}

// And to all from `column` on, beside `first_of_all`, which is other work.
void reflect_from(Matrix& A, const Matrix& T, const Panel& p, std::size_t column,
                  const std::function<void()>& first_of_all = {}) {
  const std::size_t left = A.cols() - column;
  const std::size_t at_once =
      left < 2048 ? column_tile / 2 : column_tile;  // Of few columns, few: more threads have some.
  const std::size_t others = first_of_all ? 1 : 0;
  parallel_for(others + (left + at_once - 1) / at_once, [&](std::size_t k) {
    if (k < others) return first_of_all();
    const std::size_t start = column + (k - others) * at_once;
    reflect_columns(A, T, p, start, std::min(at_once, A.cols() - start));
  });
}

void reflect_others(Matrix& A, const Matrix& T, const Panel& p) { reflect_from(A, T, p, p.first + p.width); }

// The first rows of the factors, without what is below the diagonal.
Matrix upper_rows(const Matrix& factors, std::size_t rows) {
  Matrix R = Matrix::uninitialized(rows, factors.cols());
  parallel_for(
      R.cols(),
      [&](std::size_t j) {
        const std::span<double> column = R.col(j);
        const std::size_t filled = std::min(j + 1, rows);
        std::copy_n(factors.col(j).begin(), filled, column.begin());
        std::ranges::fill(column.subspan(filled), 0.0);
      },
      static_cast<double>(R.rows()) * static_cast<double>(R.cols()));
  return R;
}

}  // namespace

HouseholderQr::HouseholderQr(Matrix A) : factors_(std::move(A)) {
  const std::size_t reflectors = std::min(factors_.rows(), factors_.cols());
  const std::size_t block = std::min(panel, reflectors);
  T_ = Matrix(block, reflectors);
  const std::vector<std::size_t> depths = depths_of(factors_);
  const auto panel_at = [&](std::size_t first) {
    const std::size_t width = std::min(block, reflectors - first);
    return Panel{first, width, depths[first + width - 1]};
  };
  // A panel is one thread's work. It is done while the others still reflect what is right of it by the panel before.
  for (std::size_t first = 0; first < reflectors; first += block) {
    const Panel reflections = panel_at(first);
    if (first == 0) reflect(factors_, T_, reflections);
    const std::size_t next = first + reflections.width;
    if (next >= reflectors) {
      reflect_others(factors_, T_, reflections);
      break;
    }
    const Panel later = panel_at(next);
    reflect_from(factors_, T_, reflections, next + later.width, [&] {
      reflect_columns(factors_, T_, reflections, next, later.width);
      reflect(factors_, T_, later);
    });
  }
}

Matrix HouseholderQr::R() const { return upper_rows(factors_, std::min(factors_.rows(), factors_.cols())); }

void HouseholderQr::apply(std::span<double> b, char transposed) const {
  std::vector<double> work(T_.rows());
  check_lapack(
      LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', transposed, lapack_size(factors_.rows()), 1, lapack_size(T_.cols()),
                           lapack_size(T_.rows()), factors_.data(), lapack_size(factors_.rows()), T_.data(),
                           lapack_size(T_.rows()), b.data(), lapack_size(factors_.rows()), work.data()),
      "dgemqrt");
}

void HouseholderQr::apply_transposed(std::span<double> b) const { apply(b, 'T'); }

void HouseholderQr::apply(std::span<double> b) const { apply(b, 'N'); }

namespace {

// Of the upper triangle of the first n rows and columns.
double upper_rcond(const Matrix& R, std::size_t n) {
  double rcond = 0.0;
  std::vector<double> work(3 * n);
  std::vector<lapack_int> integers(n);
  check_lapack(LAPACKE_dtrcon_work(LAPACK_COL_MAJOR, '1', 'U', 'N', lapack_size(n), R.data(), lapack_size(R.rows()),
                                   &rcond, work.data(), integers.data()),
               "dtrcon");
  return rcond;
}

void solve_upper(const Matrix& R, std::size_t n, std::span<double> b, CBLAS_TRANSPOSE transposed) {
  cblas_dtrsv(CblasColMajor, CblasUpper, transposed, CblasNonUnit, lapack_size(n), R.data(), lapack_size(R.rows()),
              b.data(), 1);
}

}  // namespace

double triangle_rcond(const Matrix& R) { return upper_rcond(R, R.rows()); }

void solve_triangle(const Matrix& R, std::span<double> b, bool transposed) {
  solve_upper(R, R.rows(), b, transposed ? CblasTrans : CblasNoTrans);
}

namespace {

constexpr std::size_t pivot_panel = 48;
constexpr std::size_t oversampling = 8;

double largest_column(const Matrix& A) {
  std::vector<double> norms(A.cols());
  parallel_for(
      A.cols(), [&](std::size_t j) { norms[j] = cblas_dnrm2(lapack_size(A.rows()), A.col(j).data(), 1); },
      static_cast<double>(A.rows()) * static_cast<double>(A.cols()));
  return std::ranges::max(norms);
}

Matrix random_signs(std::size_t rows, std::size_t cols) {
  Matrix signs = Matrix::uninitialized(rows, cols);
  PhiloxStream random(0, Stream::sketch, rows, 1);
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < rows * cols; ++k) {
    if (k % 64 == 0) bits = random.next();
    signs.data()[k] = (bits >> (k % 64) & 1U) != 0 ? 1.0 : -1.0;
  }
  return signs;
}

// Columns of a sketch that stand out, by pivoted QR: the order, and the triangle that later columns are compared with.
struct SketchPivots {
  std::vector<lapack_int> order;  // From 1.
  Matrix S;
};

SketchPivots choose_pivots(const Matrix& sketch) {
  SketchPivots result{std::vector<lapack_int>(sketch.cols(), 0), Matrix(sketch)};
  std::vector<double> tau(std::min(sketch.rows(), sketch.cols()));
  check_lapack(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, lapack_size(sketch.rows()), lapack_size(sketch.cols()), result.S.data(),
                              lapack_size(sketch.rows()), result.order.data(), tau.data()),
               "dgeqp3");
  for (std::size_t j = 0; j < result.S.cols(); ++j) {
    for (std::size_t i = j + 1; i < result.S.rows(); ++i) result.S(i, j) = 0.0;
  }
  return result;
}

void permute_columns(Matrix& A, std::vector<std::size_t>& names, std::size_t first, std::span<const lapack_int> order) {
  std::vector<std::size_t> columns;
  std::vector<std::size_t> new_names;
  for (const lapack_int k : order) {
    columns.push_back(first + static_cast<std::size_t>(k) - 1);
    new_names.push_back(names[columns.back()]);
  }
  // Every tile of rows follows each cycle with one spare column.
  const auto permute = [&](std::size_t row, std::size_t count) {
    const auto part = [&](std::size_t k) { return A.col(first + k).subspan(row, count); };
    std::vector<char> done(columns.size(), 0);
    std::vector<double> spare(count);
    for (std::size_t start = 0; start < columns.size(); ++start) {
      if (done[start] != 0 || columns[start] == first + start) continue;
      std::ranges::copy(part(start), spare.begin());
      std::size_t at = start;
      while (true) {
        done[at] = 1;
        const std::size_t from = columns[at] - first;
        if (from == start) break;
        std::ranges::copy(part(from), part(at).begin());
        at = from;
      }
      std::ranges::copy(spare, part(at).begin());
    }
  };
  parallel_for((A.rows() + column_tile - 1) / column_tile,
               [&](std::size_t k) { permute(k * column_tile, std::min(column_tile, A.rows() - k * column_tile)); },
               static_cast<double>(A.rows()) * static_cast<double>(columns.size()));
  std::ranges::copy(new_names, names.begin() + static_cast<std::ptrdiff_t>(first));
}

// The sketch of what is left once the first `width` columns are projected out: [S12 − S11 R11⁻¹ R12; S22].
Matrix update_sketch(const Matrix& S, const Matrix& factors, std::size_t first, std::size_t width) {
  const std::size_t left = S.cols() - width;
  Matrix sketch(S.rows(), left);
  for (std::size_t j = 0; j < left; ++j) std::ranges::copy(S.col(width + j), sketch.col(j).begin());
  Matrix X = Matrix::uninitialized(width, left);
  for (std::size_t j = 0; j < left; ++j)
    std::copy_n(factors.col(first + width + j).begin() + static_cast<std::ptrdiff_t>(first), width, X.col(j).begin());
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, lapack_size(width), lapack_size(left),
              1.0, factors.data() + first + first * factors.rows(), lapack_size(factors.rows()), X.data(),
              lapack_size(width));
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, lapack_size(width), lapack_size(left), lapack_size(width),
              -1.0, S.data(), lapack_size(S.rows()), X.data(), lapack_size(width), 1.0, sketch.data(),
              lapack_size(S.rows()));
  return sketch;
}

}  // namespace

RankRevealingQr::RankRevealingQr(Matrix A, double tolerance, bool ranked)
    : factors_(std::move(A)), pivots_(factors_.cols()) {
  const std::size_t most = std::min(factors_.rows(), factors_.cols());
  T_ = Matrix(std::min(pivot_panel, most), most);
  std::iota(pivots_.begin(), pivots_.end(), std::size_t{0});
  size_ = largest_column(factors_);
  const std::vector<std::size_t> depths = depths_of(factors_);
  if (ranked) factor_in_order(depths, tolerance);
  factor_by_pivots(depths.back(), tolerance);
}

// As long as the diagonal stays well above the cut-off.
void RankRevealingQr::factor_in_order(std::span<const std::size_t> depths, double tolerance) {
  constexpr double well_above = 100.0;
  const std::size_t most = T_.cols();
  while (reflectors_ < most) {
    const std::size_t width = std::min(T_.rows(), most - reflectors_);
    const Panel panel{reflectors_, width, depths[reflectors_ + width - 1]};
    const Matrix before(
        MatrixView{&factors_(panel.first, panel.first), panel.depth - panel.first, width, factors_.rows()});
    reflect(factors_, T_, panel);
    for (std::size_t k = panel.first; k < panel.first + width; ++k) {
      if (diagonal(k) > well_above * tolerance * size_) continue;
      for (std::size_t j = 0; j < width; ++j) std::ranges::copy(before.col(j), &factors_(panel.first, panel.first + j));
      return;
    }
    reflect_others(factors_, T_, panel);
    reflectors_ += width;
    rank_ = reflectors_;
  }
}

void RankRevealingQr::factor_by_pivots(std::size_t depth, double tolerance) {
  const std::size_t most = T_.cols();
  if (reflectors_ == most) return;
  Matrix sketch = multiply(MatrixView(random_signs(pivot_panel + oversampling, depth - reflectors_)),
                           MatrixView{&factors_(reflectors_, reflectors_), depth - reflectors_,
                                      factors_.cols() - reflectors_, factors_.rows()});
  bool pivoting = true;  // Until nothing is left but directions below the tolerance, which may come in any order.
  while (reflectors_ < most) {
    const Panel panel{reflectors_, std::min(T_.rows(), most - reflectors_), depth};
    Matrix S;
    if (pivoting) {
      SketchPivots pivots = choose_pivots(sketch);
      permute_columns(factors_, pivots_, panel.first, pivots.order);
      S = std::move(pivots.S);
    }
    reflect(factors_, T_, panel);
    reflect_others(factors_, T_, panel);
    reflectors_ += panel.width;
    while (rank_ < reflectors_ && diagonal(rank_) > tolerance * size_) ++rank_;
    pivoting = rank_ == reflectors_ && reflectors_ < most;
    if (pivoting) sketch = update_sketch(S, factors_, panel.first, panel.width);
  }
}

double RankRevealingQr::diagonal(std::size_t k) const { return std::abs(factors_(k, k)); }

Matrix RankRevealingQr::rows(std::size_t count) const { return upper_rows(factors_, count); }

// The solutions of R₁ z + R₂ t = b are z = R₁⁻¹ b − W t, W = R₁⁻¹ R₂: the shortest has [W; I] t nearest to [R₁⁻¹ b; 0].
// Once t is known, z is solved for anew, so that no more is lost than the equations themselves allow.
std::vector<double> RankRevealingQr::least_norm(std::span<const double> b) const {
  const std::size_t n = factors_.cols();
  std::vector<double> z(b.begin(), b.end());
  std::vector<double> t(n - rank_, 0.0);
  if (rank_ < n && rank_ > 0) {
    constexpr std::size_t at_once = 32;  // Few columns are dependent.
    const Matrix R2(MatrixView{factors_.col(rank_).data(), rank_, n - rank_, factors_.rows()});
    Matrix stacked(n, n - rank_);
    parallel_for((t.size() + at_once - 1) / at_once, [&](std::size_t k) {
      const std::size_t first = k * at_once;
      const std::size_t count = std::min(at_once, t.size() - first);
      for (std::size_t j = first; j < first + count; ++j) {
        std::ranges::copy(R2.col(j), stacked.col(j).begin());
        stacked(rank_ + j, j) = 1.0;
      }
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, lapack_size(rank_),
                  lapack_size(count), 1.0, factors_.data(), lapack_size(factors_.rows()), stacked.col(first).data(),
                  lapack_size(n));
    });
    // [W; I] t ≈ [R₁⁻¹ b; 0]
    std::vector<double> basic = z;
    solve_upper(factors_, rank_, basic, CblasNoTrans);
    basic.resize(n, 0.0);
    const HouseholderQr qr(std::move(stacked));
    qr.apply_transposed(basic);
    std::copy_n(basic.begin(), t.size(), t.begin());
    solve_triangle(qr.R(), t, false);
    add_scaled(z, -1.0, multiply(MatrixView(R2), std::span<const double>(t)));
  }
  solve_upper(factors_, rank_, z, CblasNoTrans);
  z.insert(z.end(), t.begin(), t.end());
  std::vector<double> c(n);
  for (std::size_t k = 0; k < n; ++k) c[pivots_[k]] = z[k];
  return c;
}

double RankRevealingQr::rcond() const {
  if (!rcond_) rcond_ = upper_rcond(factors_, rank_);
  return *rcond_;
}

void RankRevealingQr::apply_transposed(double* C, std::size_t cols) const {
  std::vector<double> work(T_.rows() * cols);
  check_lapack(LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', 'T', lapack_size(factors_.rows()), lapack_size(cols),
                                    lapack_size(reflectors_), lapack_size(T_.rows()), factors_.data(),
                                    lapack_size(factors_.rows()), T_.data(), lapack_size(T_.rows()), C,
                                    lapack_size(factors_.rows()), work.data()),
               "dgemqrt");
}

void RankRevealingQr::apply_transposed(Matrix& C) const {
  parallel_for((C.cols() + column_tile - 1) / column_tile, [&](std::size_t k) {
    apply_transposed(C.col(k * column_tile).data(), std::min(column_tile, C.cols() - k * column_tile));
  });
}

void RankRevealingQr::apply_transposed(std::span<double> b) const { apply_transposed(b.data(), 1); }

}  // namespace shrimp
