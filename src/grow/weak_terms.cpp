#include "grow/weak_terms.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/grouped_rows.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "grow/finish.hpp"
#include "grow/finish_parts.hpp"
#include "grow/input_spread.hpp"
#include "grow/screen.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_rounds = 4;
constexpr std::size_t most_sets = 12;  // Of an order in a round.
constexpr std::size_t most_folds = 5;

// The functions that are screened take memory with the rows: of more, so many are looked at.
constexpr double most_screened_values = 3e7;

// All columns are fitted to all rows together after each round: with more of them, weak terms are not what is missing,
// and a round takes longer than the search did.
constexpr std::size_t most_columns_to_refit = 1500;

constexpr double sure = 1.0;  // Standard errors by which rows of other folds must be predicted better.

std::size_t columns_of(const std::vector<TermShape>& terms) {
  std::size_t columns = 0;
  for (const TermShape& term : terms) columns += columns_of_a_weight(term) * weights_of(term);
  return columns;
}

// What a set explains of the residual, out of fold.
struct Tried {
  TermShape shape;
  RowErrors errors;
  std::vector<double> explained;
};

class WeakTerms {
 public:
  WeakTerms(Grown& grown, const Rows& rows, const GrowOptions& options, const GrowObserver& observer)
      : grown_(grown),
        rows_(rows),
        options_(options),
        observer_(observer),
        order_(rows.groups),
        screen_(rows.X, order_.starts, options.seed, rows.kinds.get(), options.device),
        spreads_(spreads_of(rows.X)),
        folds_(fold(rows, std::min(most_folds, count_units(rows)), options.seed)) {}

  void run() {
    for (std::size_t round = 0; round < most_rounds; ++round) {
      if (observer_.wants_to_end() || !find_some()) return;
      if (observer_.on_change) observer_.on_change(grown_, round + 1, 1.0);
    }
  }

 private:
  [[nodiscard]] std::vector<double> residual() const {
    const Finished model = fit_terms(rows_, grown_, options_.seed, options_.device);
    std::vector<double> r = rows_.y;
    add_scaled(r, -1.0, multiply(evaluate(model.dictionary, rows_.X), model.coefficients));
    for (double& value : r) value -= model.constant;
    return r;
  }

  bool find_some() {
    std::vector<double> r = residual();
    bool found = false;
    const std::size_t highest = std::min(options_.max_order, rows_.X.cols());
    for (std::size_t order = 1; order <= highest && !observer_.wants_to_end(); ++order) {
      for (const ScoredSupport& set : screen_.find(r, sets_of(order))) {
        if (is_full() || observer_.wants_to_end()) return found;
        std::optional<Tried> tried = best_shape(set, r);
        if (!tried) continue;
        add_scaled(r, -1.0, tried->explained);
        grown_.terms.push_back(std::move(tried->shape));
        found = true;
      }
      // Higher orders wait until lower ones are explained.
      if (found && order > 1) break;
    }
    return found;
  }

  [[nodiscard]] bool is_full() const {
    const bool has_all_terms = options_.max_terms > 0 && grown_.terms.size() >= options_.max_terms;
    return has_all_terms || columns_of(grown_.terms) > most_columns_to_refit;
  }

  [[nodiscard]] ScreenedSets sets_of(std::size_t order) const {
    ScreenedSets sets;
    sets.order = order;
    sets.level = screening_level;
    sets.most = most_sets;
    sets.excluded_inputs.assign(rows_.X.cols(), false);
    sets.excluded.insert(options_.exclude.begin(), options_.exclude.end());
    std::set<std::uint32_t> likely;
    for (std::size_t j = 0; j < rows_.X.cols(); ++j) {
      const auto [lowest, highest] = range_of_present(rows_.X.col(j));
      sets.excluded_inputs[j] = lowest == highest;
    }
    for (const Support& term : options_.exclude) {
      if (term.size() == 1) sets.excluded_inputs[term.front()] = true;
    }
    for (const TermShape& term : grown_.terms) {
      if (term.scales.empty() && !term.by_level()) continue;
      likely.insert(term.variables.begin(), term.variables.end());
      sets.excluded.insert(term.variables);
    }
    sets.likely.assign(likely.begin(), likely.end());
    sets.is_over = [this] { return observer_.wants_to_end(); };
    return sets;
  }

  [[nodiscard]] std::optional<Tried> best_shape(const ScoredSupport& set, const std::vector<double>& r) const {
    std::optional<TermShape> best;
    double least = errors_of(r).mean;
    for (const double scale : options_.scale ? std::vector{*options_.scale} : std::vector{0.2, 0.5, 1.2, 3.0}) {
      TermShape shape{set.variables, std::vector<double>(set.variables.size(), scale), options_.smoothness.value_or(0),
                      1.0};
      if (set.variables.size() == 1 && rows_.is_category(set.variables.front())) {
        shape.scales.clear();
        shape.smoothness = 0;
        shape.levels = rows_.kinds->levels[set.variables.front()];
      }
      const double root = std::sqrt(static_cast<double>(set.variables.size()));
      for (std::size_t l = 0; l < shape.scales.size() && !options_.scale; ++l) {
        shape.scales[l] = std::min(scale / root, spreads_[set.variables[l]].largest_scale);
      }
      const FoldSums sums = sum_up(values_of(shape), r);
      for (const double amplitude : {1.0, 0.3, 0.1, 0.03}) {
        const double error = sums.error(grown_.lambda / (amplitude * amplitude));
        if (!(error < least)) continue;
        least = error;
        best = shape;
        best->amplitude = amplitude;
      }
    }
    if (!best) return std::nullopt;
    Tried tried = predict_folds(*best, r);
    return tried.errors.clearly_below(errors_of(r), sure) ? std::optional(std::move(tried)) : std::nullopt;
  }

  // Centred columns of amplitude 1.
  [[nodiscard]] Matrix values_of(TermShape shape) const {
    shape.amplitude = 1.0;
    Grown alone{{shape}, grown_.lambda, {}, grown_.deviations, 0.0, grown_.kinds};
    Matrix B = ScaledDictionary(alone, options_.seed).evaluate_at(rows_.X);
    const Centring centring(B, rows_);
    return centring.apply(std::move(B));
  }

  struct FoldSums {
    std::vector<NormalEquations> held_out;
    NormalEquations all;

    [[nodiscard]] std::vector<double> solve_without(std::size_t k, double ridge) const {
      return solve_ridge(all.without(NormalEquations(held_out[k])), ridge);
    }

    [[nodiscard]] double error(double ridge) const {
      double sum = 0.0;
      for (std::size_t k = 0; k < held_out.size(); ++k) sum += held_out[k].squared_error(solve_without(k, ridge));
      return sum / all.weight;
    }
  };

  [[nodiscard]] FoldSums sum_up(const Matrix& B, const std::vector<double>& r) const {
    FoldSums sums{{}, NormalEquations(B.cols())};
    for (const RowSplit& split : folds_) {
      Matrix own = gather_rows(B, split.held_out);
      std::vector<double> target;
      std::vector<double> roots;
      double weight = 0.0;
      for (const std::size_t i : split.held_out) {
        roots.push_back(std::sqrt(weight_of(i)));
        weight += weight_of(i);
        target.push_back(roots.back() * r[i]);
      }
      if (!rows_.weights.empty()) scale_rows(own, roots);
      sums.held_out.emplace_back(B.cols());
      sums.held_out.back().add(own, target, weight);
      sums.all.merge(sums.held_out.back());
    }
    return sums;
  }

  [[nodiscard]] Tried predict_folds(const TermShape& shape, const std::vector<double>& r) const {
    const Matrix B = values_of(shape);
    const FoldSums sums = sum_up(B, r);
    Tried tried{shape, {}, std::vector<double>(r.size(), 0.0)};
    for (std::size_t k = 0; k < folds_.size(); ++k) {
      const std::vector<double> c = sums.solve_without(k, grown_.lambda / (shape.amplitude * shape.amplitude));
      const std::vector<double> fitted = multiply(gather_rows(B, folds_[k].held_out), c);
      for (std::size_t i = 0; i < fitted.size(); ++i) tried.explained[folds_[k].held_out[i]] = fitted[i];
    }
    std::vector<double> left = r;
    add_scaled(left, -1.0, tried.explained);
    tried.errors = errors_of(left);
    return tried;
  }

  [[nodiscard]] double weight_of(std::size_t i) const { return rows_.weights.empty() ? 1.0 : rows_.weights[i]; }

  [[nodiscard]] RowErrors errors_of(const std::vector<double>& r) const {
    RowErrors errors;
    const double mean_weight = rows_.total_weight() / static_cast<double>(rows_.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
      errors.squares.push_back(weight_of(i) / mean_weight * r[i] * r[i]);
      errors.mean += errors.squares.back() / static_cast<double>(r.size());
    }
    errors.starts = order_.starts;
    return errors;
  }

  Grown& grown_;
  const Rows& rows_;
  const GrowOptions& options_;
  const GrowObserver& observer_;
  GroupOrder order_;
  Screen screen_;
  std::vector<InputSpread> spreads_;
  std::vector<RowSplit> folds_;
};

}  // namespace

void add_weak_terms(Grown& grown, const Rows& rows, const GrowOptions& options, const GrowObserver& observer) {
  if (columns_of(grown.terms) > most_columns_to_refit) return;
  const double functions = static_cast<double>(Screen::functions_of_an_input(rows.X.cols()) * rows.X.cols());
  const auto most_rows = static_cast<std::size_t>(most_screened_values / std::max(1.0, functions));
  const bool in_order = rows.groups.empty();
  if (rows.size() <= most_rows && in_order) {
    WeakTerms(grown, rows, options, observer).run();
    return;
  }
  std::vector<std::size_t> which = sample_rows(rows, std::min(most_rows, rows.size()), options.seed);
  Rows some = gather(rows, which);
  if (!some.groups.empty()) some = gather(some, GroupOrder(some.groups).order);
  WeakTerms(grown, some, options, observer).run();
}

}  // namespace shrimp
