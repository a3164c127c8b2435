#include "grow/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/present.hpp"
#include "grow/screening_functions.hpp"
#include "grow/tile_products.hpp"
#include "linalg/dense.hpp"
#include "random/philox.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// All triples are looked at up to so many inputs (9880 of them), beyond that those around likely inputs.
constexpr std::size_t most_inputs_for_all_triples = 40;

// Functions of an input: degree 4 sees two waves over its range. Of very many inputs the first two, a slope and a bow,
// which take a quarter of the work.
constexpr std::size_t most_functions = 2400;

// Sets and draws together give so many scores of nothing, but for the fewest and the most draws.
constexpr std::size_t wanted_null_scores = 8000;
constexpr std::size_t fewest_draws = 6;
constexpr std::size_t most_draws = 200;

// Products of low degree alone are few, and see simple effects best: those up to each of these degrees are judged by
// themselves.
constexpr std::size_t degrees[] = {1, 2, 4};

// Σ z² over the products of one set of inputs, by the highest degree in them.
class Judgement {
 public:
  Judgement(std::size_t highest, std::size_t order) : highest_(highest), order_(order) {}

  void add(std::size_t degree, double sum, double squares) {
    if (!(squares > 0.0)) return;
    for (std::size_t k = 0; k < std::size(degrees); ++k) {
      if (degree <= degrees[k]) sums_[k] += sum * sum / squares;
    }
  }

  // −log of the smallest p-value.
  [[nodiscard]] double score() const {
    double best = 0.0;
    for (std::size_t k = 0; k < std::size(degrees) && degrees[k] <= highest_; ++k) {
      std::size_t products = 1;
      for (std::size_t l = 0; l < order_; ++l) products *= degrees[k];
      best = std::max(best, chi_square_surprise(sums_[k], products));
    }
    return best;
  }

 private:
  std::size_t highest_;
  std::size_t order_;
  double sums_[std::size(degrees)] = {};
};

bool is_better(const ScoredSupport& a, const ScoredSupport& b) {
  return a.score != b.score ? a.score > b.score : a.variables < b.variables;
}

void keep_best(std::vector<ScoredSupport>& supports, std::size_t most) {
  std::ranges::sort(supports, is_better);
  if (supports.size() > most) supports.resize(most);
}

}  // namespace

// The residual, its null draws, and what all sets score on them.
struct Screen::Scores {
  std::vector<double> residual;
  std::vector<std::vector<double>> signs;  // Of the groups, for each draw; the residual itself first.
  NullScores null;
  std::vector<ScoredSupport> best;

  [[nodiscard]] std::size_t draws() const { return signs.size() - 1; }
};

// What a tile scores in one draw.
struct Screen::Judged {
  NullScores null;
  std::vector<ScoredSupport> best;
};

Screen::Screen(MatrixView X, const GroupStarts& starts, std::uint64_t seed, const InputKinds* kinds,
               std::shared_ptr<Device> device)
    : rows_(X.rows),
      inputs_(X.cols),
      seed_(seed),
      kinds_(kinds),
      device_(std::move(device)),
      codes_(X.cols),
      starts_(starts ? *starts : std::vector<std::size_t>(X.rows + 1)) {
  degree_ = functions_of_an_input(X.cols);
  if (!starts) std::iota(starts_.begin(), starts_.end(), std::size_t{0});
  U_ = Matrix::uninitialized(rows_, degree_ * inputs_);
  parallel_for(inputs_, [&](std::size_t j) { make_functions(j, X.col(j)); });
}

void Screen::make_functions(std::size_t input, std::span<const double> x) {
  const bool is_category = kinds_ != nullptr && kinds_->is_category(input);
  if (is_category) codes_[input].assign(x.begin(), x.end());
  make_screening_functions(x, is_category ? kinds_->levels[input] : 0, {seed_, input}, U_, degree_ * input, degree_);
}

std::size_t Screen::functions_of_an_input(std::size_t inputs) { return 4 * inputs <= most_functions ? 4 : 2; }

std::vector<double> Screen::signs(std::uint64_t name, std::uint32_t draw) const {
  PhiloxStream random(seed_, Stream::signs, name, draw);
  std::vector<double> drawn(starts_.size() - 1, 1.0);
  std::uint64_t bits = 0;
  for (std::size_t g = 0; g < drawn.size(); ++g, bits >>= 1U) {
    if (g % 64 == 0) bits = random.next();
    if ((bits & 1U) != 0) drawn[g] = -1.0;
  }
  return drawn;
}

std::vector<double> Screen::flip_signs(std::span<const double> residual, std::uint64_t name, std::uint32_t draw) const {
  const std::vector<double> drawn = signs(name, draw);
  std::vector<double> flipped(residual.begin(), residual.end());
  for (std::size_t g = 0; g < drawn.size(); ++g) {
    for (std::size_t i = starts_[g]; i < starts_[g + 1]; ++i) flipped[i] *= drawn[g];
  }
  return flipped;
}

std::vector<std::uint32_t> Screen::usable(const std::vector<bool>& excluded) const {
  std::vector<std::uint32_t> inputs;
  for (std::uint32_t j = 0; j < inputs_; ++j) {
    if (!excluded[j]) inputs.push_back(j);
  }
  return inputs;
}

// With few inputs each triple is seen with its last input as the third. With many, triples have a likely input, and are
// seen with the last likely one.
std::vector<Screen::PairsOf> Screen::thirds(const ScreenedSets& sets) const {
  const std::vector<std::uint32_t> inputs = usable(sets.excluded_inputs);
  std::vector<bool> likely(inputs_, inputs.size() <= most_inputs_for_all_triples);
  for (const std::uint32_t j : sets.likely) likely[j] = true;
  std::vector<PairsOf> result;
  for (const std::uint32_t third : inputs) {
    if (!likely[third]) continue;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t j : inputs) {
      if (j != third && !(likely[j] && j > third)) others.push_back(j);
    }
    if (others.size() > 1) result.push_back({std::move(others), third});
  }
  return result;
}

std::size_t Screen::count_sets(const ScreenedSets& sets) const {
  const std::size_t d = usable(sets.excluded_inputs).size();
  if (sets.order == 1) return d;
  if (sets.order == 2) return d * (d - 1) / 2;
  std::size_t count = 0;
  for (const PairsOf& pairs : thirds(sets)) count += pairs.inputs.size() * (pairs.inputs.size() - 1) / 2;
  return count;
}

namespace {

std::size_t draws_for(std::size_t sets) {
  return std::clamp(wanted_null_scores / std::max<std::size_t>(1, sets), fewest_draws, most_draws);
}

}  // namespace

double Screen::work_of(const ScreenedSets& sets) const {
  const std::size_t count = count_sets(sets);
  double products = 1.0;
  for (std::size_t l = 0; l < sets.order; ++l) products *= static_cast<double>(functions_of(sets.order));
  return static_cast<double>(count) * products * static_cast<double>(rows_) * static_cast<double>(draws_for(count) + 2);
}

std::vector<ScoredSupport> Screen::find(std::span<const double> residual, const ScreenedSets& sets) const {
  const std::size_t count = count_sets(sets);
  if (count == 0) return {};
  Scores scores;
  scores.residual.assign(residual.begin(), residual.end());
  scores.signs.emplace_back(starts_.size() - 1, 1.0);
  for (std::uint32_t draw = 0; draw < draws_for(count); ++draw) scores.signs.push_back(signs(sets.order, draw));
  if (sets.order == 1) {
    score_inputs(scores, sets);
  } else if (sets.order == 2) {
    score_pairs(scores, sets, {usable(sets.excluded_inputs), std::nullopt});
  } else {
    score_triples(scores, sets);
  }
  if (sets.is_over && sets.is_over()) return {};
  keep_best(scores.best, sets.most);
  for (ScoredSupport& support : scores.best) support.chance = scores.null.chance(support.score, scores.draws());
  std::erase_if(scores.best, [&](const ScoredSupport& support) { return !(support.chance < sets.level); });
  return std::move(scores.best);
}

void Screen::score_inputs(Scores& scores, const ScreenedSets& sets) const {
  const std::size_t groups = starts_.size() - 1;
  const std::vector<std::uint32_t> inputs = usable(sets.excluded_inputs);
  Matrix flipped = Matrix::uninitialized(groups, scores.signs.size());
  for (std::size_t draw = 0; draw < scores.signs.size(); ++draw) {
    std::ranges::copy(scores.signs[draw], flipped.col(draw).begin());
  }
  std::vector<Judged> judged(inputs.size());
  parallel_for(inputs.size(), [&](std::size_t k) {
    const std::uint32_t j = inputs[k];
    if (!codes_[j].empty()) {
      judged[k] = judge_levels(scores, j);
      if (sets.excluded.contains({j})) judged[k].best.clear();
      return;
    }
    Matrix s(groups, degree_);
    for (std::size_t a = 0; a < degree_; ++a) {
      const std::span<const double> u = U_.col(degree_ * j + a);
      for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = starts_[g]; i < starts_[g + 1]; ++i) s(g, a) += scores.residual[i] * u[i];
      }
    }
    const Matrix sums = multiply_transposed(s, flipped);
    for (std::size_t draw = 0; draw < scores.signs.size(); ++draw) {
      Judgement judgement(degree_, 1);
      for (std::size_t a = 0; a < degree_; ++a) judgement.add(a + 1, sums(a, draw), squared_norm(s.col(a)));
      if (draw > 0) {
        judged[k].null.add(judgement.score());
      } else if (!sets.excluded.contains({j})) {
        judged[k].best.push_back({{j}, judgement.score(), 1.0});
      }
    }
  });
  for (const Judged& input : judged) {
    scores.null.merge(input.null);
    scores.best.insert(scores.best.end(), input.best.begin(), input.best.end());
  }
}

// Rows of a level, group by group: Σ over levels of (Σ_g s_g)²/Σ_g s_g².
Screen::Judged Screen::judge_levels(const Scores& scores, std::uint32_t input) const {
  const std::vector<double>& codes = codes_[input];
  const std::size_t levels = kinds_->levels[input];
  const std::size_t draws = scores.signs.size();
  const double mean = std::accumulate(scores.residual.begin(), scores.residual.end(), 0.0) / static_cast<double>(rows_);
  std::vector<double> squares(levels, 0.0);
  Matrix sums(levels, draws);
  std::vector<double> of_group(levels, 0.0);
  std::vector<std::size_t> met;
  for (std::size_t g = 0; g + 1 < starts_.size(); ++g) {
    for (std::size_t i = starts_[g]; i < starts_[g + 1]; ++i) {
      if (is_missing(codes[i])) continue;
      const auto level = static_cast<std::size_t>(codes[i]);
      if (of_group[level] == 0.0) met.push_back(level);
      of_group[level] += scores.residual[i] - mean;
    }
    for (const std::size_t level : met) {
      const double s = std::exchange(of_group[level], 0.0);
      squares[level] += s * s;
      for (std::size_t draw = 0; draw < draws; ++draw) sums(level, draw) += scores.signs[draw][g] * s;
    }
    met.clear();
  }
  Judged judged;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    double sum = 0.0;
    std::size_t freedom = 0;
    for (std::size_t level = 0; level < levels; ++level) {
      if (!(squares[level] > 0.0)) continue;
      sum += sums(level, draw) * sums(level, draw) / squares[level];
      ++freedom;
    }
    // Even, as the law of the sum is told; with one level more, it says a little less.
    const double score = freedom == 0 ? 0.0 : chi_square_surprise(sum, freedom + freedom % 2);
    draw > 0 ? judged.null.add(score) : judged.best.push_back({{input}, score, 1.0});
  }
  return judged;
}

void Screen::score_triples(Scores& scores, const ScreenedSets& sets) const {
  for (const PairsOf& pairs : thirds(sets)) {
    if (sets.is_over && sets.is_over()) return;
    score_pairs(scores, sets, pairs);
  }
}

// Of all pairs in the tile; the third input's functions are the factors of the products.
Screen::Judged Screen::judge(const Tile& tile, const Products& products, std::size_t draw, const ScreenedSets& sets,
                             const PairsOf& pairs) const {
  const std::size_t p = functions_of(sets.order);
  Judged judged;
  for (std::size_t i = tile.row_first; i < tile.row_last; ++i) {
    for (std::size_t j = tile.column_first; j < std::min(i, tile.column_last); ++j) {
      Judgement judgement(p, sets.order);
      for (std::size_t c = 0; c < products.squares.size(); ++c) {
        for (std::size_t b = 0; b < p; ++b) {
          for (std::size_t a = 0; a < p; ++a) {
            const std::size_t row = p * (i - tile.row_first) + a;
            const std::size_t column = p * (j - tile.column_first) + b;
            judgement.add(std::max({a, b, c}) + 1, products.sums[draw][c](row, column),
                          products.squares[c](row, column));
          }
        }
      }
      const double score = judgement.score();
      if (draw > 0) {
        judged.null.add(score);
        continue;
      }
      if (judged.best.size() == sets.most && !(score > judged.best.back().score)) continue;
      Support support = {pairs.inputs[j], pairs.inputs[i]};
      if (pairs.third) support.push_back(*pairs.third);
      std::ranges::sort(support);
      if (sets.excluded.contains(support)) continue;
      judged.best.push_back({std::move(support), score, 1.0});
      keep_best(judged.best, sets.most);
    }
  }
  return judged;
}

void Screen::score_pairs(Scores& scores, const ScreenedSets& sets, const PairsOf& pairs) const {
  const std::size_t p = functions_of(sets.order);
  std::vector<std::size_t> columns;
  for (const std::uint32_t j : pairs.inputs) {
    for (std::size_t a = 0; a < p; ++a) columns.push_back(degree_ * j + a);
  }
  std::vector<std::vector<double>> factors(pairs.third ? p : 1, scores.residual);
  for (std::size_t c = 0; c < factors.size() && pairs.third; ++c) {
    const std::span<const double> of_third = U_.col(degree_ * *pairs.third + c);
    for (std::size_t i = 0; i < rows_; ++i) factors[c][i] *= of_third[i];
  }
  // So many tiles at a time that their products take about a hundred megabytes.
  constexpr std::size_t entries_at_a_time = 12000000;
  const std::size_t draws = scores.signs.size();
  const std::size_t of_a_tile = factors.size() * (draws + 1);
  const TileProducts multiply(gather_columns(U_, columns), p, std::move(factors), starts_, scores.signs, device_);
  const std::size_t side = multiply.tile_columns();
  const std::size_t batch = std::max<std::size_t>(1, entries_at_a_time / (of_a_tile * side * side));
  const std::vector<Tile> tiles = lower_tiles(pairs.inputs.size(), p, side);
  for (std::size_t first = 0; first < tiles.size(); first += batch) {
    if (sets.is_over && sets.is_over()) return;
    const std::span<const Tile> own = std::span(tiles).subspan(first, std::min(batch, tiles.size() - first));
    const std::vector<Products> products = multiply.of(own);
    std::vector<Judged> judged(own.size() * draws);
    parallel_for(judged.size(), [&](std::size_t k) {
      judged[k] = judge(own[k / draws], products[k / draws], k % draws, sets, pairs);
    });
    for (const Judged& part : judged) {
      scores.null.merge(part.null);
      scores.best.insert(scores.best.end(), part.best.begin(), part.best.end());
    }
    keep_best(scores.best, sets.most);
  }
}

}  // namespace shrimp
