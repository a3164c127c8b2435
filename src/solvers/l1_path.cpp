#include "solvers/l1_path.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/dense.hpp"
#include "linalg/updatable_qr.hpp"
#include "solvers/l1.hpp"

namespace shrimp {
namespace {

// Long enough for a product with all of A to be a small part, short enough for the working set to foresee.
constexpr std::size_t steps_between_checks = 20;
constexpr std::size_t least_working_size = 128;
constexpr double dependent = 1e-12;        // Less of a column outside the span of the others cannot be solved with.
constexpr double tie = 1e-12;              // Steps shorter than this part of λ are rounding.
constexpr double violation = 1e-9;         // Columns beyond λ by more than this part of it were missed.
constexpr double smallest_lambda = 1e-13;  // Of the largest; breakpoints below are rounding.
constexpr double rounding_lambda = 1e-11;  // Of the largest; below, a constraint that is met to the tolerance is met.
constexpr std::size_t largest_factor = std::size_t{1} << 26;  // Numbers in Q: half a gigabyte.

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// A point of the path, and what its segment is computed from.
struct Front {
  double lambda;
  std::vector<std::size_t> support;
  std::vector<double> signs;
  UpdatableQr qr;  // Of the support's columns.
  std::size_t last_left = none;
  double last_left_sign = 0.0;
  std::size_t last_joined = none;
};

/// From here to the next breakpoint c_S(λ) = at_zero − λ slope, y − A c(λ) = orthogonal + λ direction.
struct Segment {
  std::vector<double> at_zero;
  std::vector<double> slope;
  std::vector<double> orthogonal;
  std::vector<double> direction;
  double orthogonal_norm;
  double direction_norm;

  [[nodiscard]] std::vector<double> residual(double lambda) const {
    std::vector<double> r(orthogonal);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] += lambda * direction[i];
    return r;
  }
};

struct Event {
  double lambda = 0.0;
  bool joins = false;
  std::size_t place = 0;  // In the working set where it joins, in the support where it leaves.
  double sign = 0.0;
};

class Path {
 public:
  Path(const CountedOperator& A, std::span<const double> y, double sigma, double tolerance, std::size_t most_steps)
      : A_(A),
        y_(y),
        sigma_(sigma),
        tolerance_(tolerance),
        y_norm_(std::sqrt(squared_norm(y))),
        most_steps_(most_steps),
        front_{.lambda = 0.0, .support = {}, .signs = {}, .qr = UpdatableQr(A.rows())} {}

  L1PathEnd follow();

 private:
  enum class Stage { going, ended, stuck };

  void start();
  void choose_working_set();
  void fetch(std::vector<std::size_t> chosen);
  Stage follow_steps();
  Stage step();
  bool every_column_agrees(bool ended);
  void keep_checkpoint();
  void return_to_checkpoint();

  [[nodiscard]] Segment segment() const;
  [[nodiscard]] Event next_joining(std::span<const double> a) const;
  [[nodiscard]] Event next_leaving(const Segment& line) const;
  [[nodiscard]] double lambda_at_sigma(const Segment& line) const;
  struct Shortfall {
    double excess;   // ‖r‖ − σ over ‖y‖
    double missing;  // To the least norm.
    double norm;     // ‖c‖₁

    [[nodiscard]] double gap() const { return missing / std::max(1.0, norm); }
  };
  [[nodiscard]] Shortfall shortfall(const Segment& line) const;
  [[nodiscard]] bool is_good_enough(const Segment& line) const;
  [[nodiscard]] bool is_better(const Shortfall& now) const;
  void remember_if_better();
  [[nodiscard]] L1PathEnd better_end(bool finished) const;
  void join(const Event& event);
  void leave(const Event& event);
  [[nodiscard]] L1PathEnd end(bool finished) const;

  const CountedOperator& A_;
  std::span<const double> y_;
  double sigma_;
  double tolerance_;
  double y_norm_;
  std::size_t most_steps_;
  std::size_t steps_ = 0;
  double largest_lambda_ = 0.0;

  Front front_;
  std::vector<char> in_support_;
  std::vector<char> barred_;  // Depends on the support, or left it as it joined: waits until the support has changed.

  std::vector<std::size_t> working_;  // Columns, in rising order,
  Matrix working_columns_;
  std::vector<double> working_products_;  // and a_jᵀ(y − A c) of each.
  std::size_t working_size_ = least_working_size;

  Front checkpoint_{.lambda = 0.0, .support = {}, .signs = {}, .qr = UpdatableQr(0)};
  std::vector<double> products_;  // Aᵀ(y − A c) at the checkpoint.
  std::vector<double> scores_;    // How near to joining each column came.

  L1PathEnd best_;
  double best_error_ = std::numeric_limits<double>::infinity();
};

void Path::start() {
  products_ = A_.multiply_transposed(y_);
  scores_.resize(products_.size());
  for (std::size_t j = 0; j < products_.size(); ++j) scores_[j] = std::abs(products_[j]);
  largest_lambda_ = *std::ranges::max_element(scores_);
  for (double& score : scores_) score /= largest_lambda_;
  front_.lambda = largest_lambda_;
  in_support_.assign(products_.size(), 0);
  barred_.assign(products_.size(), 0);
  keep_checkpoint();
}

void Path::choose_working_set() {
  const std::size_t size = std::min(scores_.size(), working_size_ + 2 * front_.support.size());
  std::vector<std::size_t> chosen(scores_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const auto nearer = [&](std::size_t a, std::size_t b) {
    if (in_support_[a] != in_support_[b]) return in_support_[a] > in_support_[b];
    return scores_[a] != scores_[b] ? scores_[a] > scores_[b] : a < b;
  };
  if (size < chosen.size())
    std::ranges::nth_element(chosen, chosen.begin() + static_cast<std::ptrdiff_t>(size), nearer);
  chosen.resize(size);
  std::ranges::sort(chosen);
  fetch(std::move(chosen));
  working_products_.resize(size);
  for (std::size_t k = 0; k < size; ++k) working_products_[k] = products_[working_[k]];
}

// Columns may be dear where A is not stored: those at hand are kept.
void Path::fetch(std::vector<std::size_t> chosen) {
  std::vector<std::size_t> missing;
  std::ranges::set_difference(chosen, working_, std::back_inserter(missing));
  const Matrix fetched = A_.gather(missing);
  Matrix columns = Matrix::uninitialized(A_.rows(), chosen.size());
  std::size_t next_missing = 0;
  std::size_t at_hand = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    while (at_hand < working_.size() && working_[at_hand] < chosen[k]) ++at_hand;
    const bool known = at_hand < working_.size() && working_[at_hand] == chosen[k];
    std::ranges::copy(known ? std::as_const(working_columns_).col(at_hand) : fetched.col(next_missing++),
                      columns.col(k).begin());
  }
  working_ = std::move(chosen);
  working_columns_ = std::move(columns);
}

void Path::keep_checkpoint() { checkpoint_ = front_; }

void Path::return_to_checkpoint() {
  front_ = checkpoint_;
  std::ranges::fill(in_support_, 0);
  for (const std::size_t j : front_.support) in_support_[j] = 1;
}

// A_Sᵀ(y − A_S c) = λ s with A_S = Q R. What is left of y is projected twice: divided by a small λ, what rounding left
// of the support in it would spoil the dual.
Segment Path::segment() const {
  const std::vector<double> z = front_.qr.solve_transposed(front_.signs);
  Segment line;
  line.orthogonal.assign(y_.begin(), y_.end());
  std::vector<double> along(front_.support.size(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> part = front_.qr.project(line.orthogonal);
    const std::vector<double> combined = front_.qr.combine(part);
    for (std::size_t i = 0; i < y_.size(); ++i) line.orthogonal[i] -= combined[i];
    for (std::size_t k = 0; k < along.size(); ++k) along[k] += part[k];
  }
  line.at_zero = front_.qr.solve(along);
  line.slope = front_.qr.solve(z);
  line.direction = front_.qr.combine(z);
  line.orthogonal_norm = std::sqrt(squared_norm(line.orthogonal));
  line.direction_norm = std::sqrt(squared_norm(z));
  return line;
}

// a_jᵀ(y − A c(λ)) = b + λ a meets λ if b > 0 and a < 1, and −λ if b < 0 and a > −1.
Event Path::next_joining(std::span<const double> a) const {
  Event next;
  for (std::size_t k = 0; k < working_.size(); ++k) {
    const std::size_t j = working_[k];
    if (in_support_[j] != 0 || barred_[j] != 0) continue;
    const double b = working_products_[k] - front_.lambda * a[k];
    const double sign = b > 0.0 ? 1.0 : -1.0;
    if (b == 0.0 || sign * a[k] >= 1.0 || (j == front_.last_left && sign == front_.last_left_sign)) continue;
    const double lambda = std::min(std::abs(b) / (1.0 - sign * a[k]), front_.lambda);
    if (lambda > next.lambda) next = {lambda, true, k, sign};
  }
  return next;
}

Event Path::next_leaving(const Segment& line) const {
  Event next;
  for (std::size_t k = 0; k < front_.support.size(); ++k) {
    if (!(front_.signs[k] * line.slope[k] < 0.0 && front_.signs[k] * line.at_zero[k] < 0.0)) continue;
    const double lambda = std::min(line.at_zero[k] / line.slope[k], front_.lambda);
    if (lambda > next.lambda) next = {lambda, false, k, front_.signs[k]};
  }
  return next;
}

double Path::lambda_at_sigma(const Segment& line) const {
  const double above = sigma_ - line.orthogonal_norm;
  if (above <= 0.0) return 0.0;
  return std::min(front_.lambda, std::sqrt(above * (sigma_ + line.orthogonal_norm)) / line.direction_norm);
}

// Where σ is 0 and columns are nearly dependent, the last part of the path is endless and only changes what rounding
// makes of y, while its dual points lose their digits. For σ the point at λ lacks ‖r‖(‖r‖ − σ)/λ of optimality,
// r = y − A c.
Path::Shortfall Path::shortfall(const Segment& line) const {
  const double residual = std::hypot(line.orthogonal_norm, front_.lambda * line.direction_norm);
  const double excess = std::max(0.0, residual - sigma_);
  double norm = 0.0;
  for (std::size_t k = 0; k < line.slope.size(); ++k) norm += std::abs(line.at_zero[k] - front_.lambda * line.slope[k]);
  const double missing = excess == 0.0 ? 0.0 : residual * excess / front_.lambda;
  return {excess / y_norm_, missing, norm};
}

bool Path::is_good_enough(const Segment& line) const {
  const Shortfall left = shortfall(line);
  if (left.excess > tolerance_) return false;
  return left.gap() <= tolerance_ || front_.lambda <= rounding_lambda * largest_lambda_;
}

Path::Stage Path::step() {
  A_.check_stop();
  const Segment line = segment();
  if (is_good_enough(line)) return Stage::ended;
  const std::vector<double> a = DenseOperator(working_columns_).multiply_transposed(line.direction);
  const Event joining = next_joining(a);
  const Event leaving = next_leaving(line);
  const Event event = leaving.lambda >= joining.lambda ? leaving : joining;
  const double goal = lambda_at_sigma(line);
  if (event.lambda <= std::max(goal, smallest_lambda * largest_lambda_)) {
    front_.lambda = goal;
    return Stage::ended;
  }
  if (steps_ == most_steps_ || front_.support.size() * y_.size() > largest_factor) return Stage::stuck;
  ++steps_;
  for (std::size_t k = 0; k < a.size(); ++k) working_products_[k] -= (front_.lambda - event.lambda) * a[k];
  const bool moved = event.lambda < (1.0 - tie) * front_.lambda;
  front_.lambda = event.lambda;
  if (event.joins) {
    join(event);
  } else {
    if (moved) std::ranges::fill(barred_, 0);
    if (!moved && front_.support[event.place] == front_.last_joined) barred_[front_.last_joined] = 1;
    leave(event);
  }
  return Stage::going;
}

void Path::join(const Event& event) {
  const std::size_t j = working_[event.place];
  front_.last_left = none;
  if (!front_.qr.append(working_columns_.col(event.place), dependent)) {
    barred_[j] = 1;
    return;
  }
  front_.support.push_back(j);
  front_.signs.push_back(event.sign);
  in_support_[j] = 1;
  front_.last_joined = j;
}

void Path::leave(const Event& event) {
  const auto place = static_cast<std::ptrdiff_t>(event.place);
  front_.last_left = front_.support[event.place];
  front_.last_left_sign = event.sign;
  front_.last_joined = none;
  in_support_[front_.last_left] = 0;
  front_.qr.remove(event.place);
  front_.support.erase(front_.support.begin() + place);
  front_.signs.erase(front_.signs.begin() + place);
}

Path::Stage Path::follow_steps() {
  for (std::size_t k = 0; k < steps_between_checks; ++k) {
    const Stage stage = step();
    if (stage != Stage::going) return stage;
    if (front_.lambda < 0.5 * checkpoint_.lambda) break;
  }
  return Stage::going;
}

// |a_jᵀ(y − A c)| ≤ λ for every j makes c the minimiser, whatever happened on the way.
bool Path::every_column_agrees(bool ended) {
  const Segment line = segment();
  const bool limit = ended && front_.lambda == 0.0;
  const double scale = limit ? 1.0 : front_.lambda;
  std::vector<double> products = A_.multiply_transposed(limit ? line.direction : line.residual(front_.lambda));
  const bool agrees = largest_magnitude(products) <= (1.0 + violation) * scale || working_.size() == scores_.size();
  for (std::size_t j = 0; j < scores_.size(); ++j) {
    const double score = std::abs(products[j]) / scale;
    scores_[j] = agrees ? score : std::max(scores_[j], score);
  }
  if (agrees) products_ = std::move(products);
  return agrees;
}

L1PathEnd Path::end(bool finished) const {
  const Segment line = segment();
  L1PathEnd result{std::vector<double>(scores_.size(), 0.0), line.direction, front_.lambda, steps_, finished};
  std::vector<double> c(front_.support.size());
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = line.at_zero[k] - front_.lambda * line.slope[k];
  for (std::size_t k = 0; k < c.size(); ++k) result.coefficients[front_.support[k]] = c[k];
  if (front_.lambda > 0.0) {
    result.dual = line.residual(front_.lambda);
    for (double& value : result.dual) value /= front_.lambda;
  }
  return result;
}

// Rounding can make later points worse than earlier ones, and their norms so large that nothing is missing relative to
// them: the norm of the best point is what counts.
bool Path::is_better(const Shortfall& now) const {
  const double norm = std::max(1.0, l1_norm(best_.coefficients));
  return std::max(now.excess, now.missing / norm) < best_error_;
}

void Path::remember_if_better() {
  const Shortfall now = shortfall(segment());
  if (!is_better(now)) return;
  best_ = end(false);
  best_error_ = std::max(now.excess, now.gap());
}

L1PathEnd Path::better_end(bool finished) const {
  const Segment line = segment();
  // λ = 0 is the answer: ‖r‖ ≤ σ with a dual point to prove it, or no c comes nearer to y.
  const bool proven =
      finished && front_.lambda == 0.0 && largest_magnitude(A_.multiply_transposed(line.direction)) <= 1.0 + tolerance_;
  L1PathEnd result = proven || is_better(shortfall(line)) ? end(finished) : best_;
  result.steps = steps_;
  result.finished = finished;
  return result;
}

L1PathEnd Path::follow() {
  start();
  while (true) {
    choose_working_set();
    const Stage stage = follow_steps();
    if (stage == Stage::stuck) return better_end(false);
    if (every_column_agrees(stage == Stage::ended)) {
      if (stage == Stage::ended) return better_end(true);
      keep_checkpoint();
      remember_if_better();
      working_size_ = std::max(least_working_size, working_size_ - working_size_ / 20);
    } else {
      return_to_checkpoint();
      working_size_ += working_size_ / 4;
    }
    std::ranges::fill(barred_, 0);
  }
}

}  // namespace

L1PathEnd follow_l1_path(const CountedOperator& A, std::span<const double> y, double sigma, double tolerance,
                         std::size_t most_steps) {
  return Path(A, y, sigma, tolerance, most_steps).follow();
}

}  // namespace shrimp
