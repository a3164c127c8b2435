#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "data/grouped_rows.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "grow/contained_effects.hpp"
#include "grow/finish_parts.hpp"
#include "grow/growing_fit.hpp"
#include "grow/screen.hpp"
#include "grow/shape_tuning.hpp"

namespace shrimp {
namespace {

// A term counts as better if it gains more than so many standard errors of the gain: half of one, since chance was
// asked before; a change of shape, which nobody asked, a whole one.
constexpr double add_deviations = 0.5;
constexpr double tune_deviations = 1.0;
// A jump says more than a curve, and its place is the best of many: three.
constexpr double jump_deviations = 3.0;

// Smallest fraction of the variance for which an effect gets its own term: what a table of rounded percentages shows as
// 1 %.
constexpr double smallest_own_effect = 0.005;

// An error that fell by less hardly changed.
constexpr double much_less = 0.9;

// Shares of the target's variance: what is left is rounding.
constexpr double smallest_error = 1e-15;

class Grower {
 public:
  Grower(const Rows& rows, GroupStarts starts, const GrowOptions& options, const GrowObserver& observer)
      : rows_(rows),
        options_(options),
        observer_(observer),
        starts_(std::move(starts)),
        fit_(rows, starts_, options.ridge.value_or(1.0), options.seed),
        rows_to_tune_(some_of(rows, options.seed)),
        part_(rows_to_tune_, fit_),
        excluded_inputs_(rows.X.cols(), false) {
    for (std::size_t j = 0; j < rows.X.cols(); ++j) {
      const auto [lowest, highest] = range_of_present(rows.X.col(j));
      excluded_inputs_[j] = lowest == highest;
    }
    for (const Support& term : options.exclude) {
      if (term.size() == 1) excluded_inputs_[term.front()] = true;
    }
  }

  // Each round: look for terms in what is left, move all shapes to where the evidence is largest, let go of terms that
  // no longer help.
  Grown run() {
    constexpr std::size_t most_rounds = 60;  // Budgets end searches long before.
    constexpr int steps_of_a_round = 10;
    constexpr int steps_at_the_end = 20;
    screen_.emplace(rows_.X, starts_, options_.seed, rows_.kinds.get(), options_.device);
    for (const Support& term : options_.include) add_included(term);
    if (!fit_.terms().empty()) tune_lambda();
    for (round_ = 1; round_ <= most_rounds && !is_over(); ++round_) {
      const double before = smoother().error();
      const bool found = find_terms() || find_lines();
      tune(steps_of_a_round);
      try_other_laws();
      drop_useless();
      report();
      if (smoother().error() < smallest_error) break;
      if (!found && !(smoother().error() < much_less * before)) break;
    }
    tune(steps_at_the_end);
    asked_law_.clear();
    try_other_laws();
    try_jumps();
    drop_useless();
    return grown();
  }

  // From the end of another search. None where nothing moves, or where the errors rise.
  std::optional<Grown> move_effects(const Grown& found) {
    constexpr int steps_after_moves = 10;
    fit_.set(found.terms, found.lambda);
    const RowErrors before = smoother().errors();
    if (!move_effects_to_own_terms()) return std::nullopt;
    tune(steps_after_moves);
    drop_useless();
    settle_own_effects();
    if (is_overfull() || !is_good_enough(smoother().errors(), before)) return std::nullopt;
    Grown result = grown();
    result.own_effects = settled_;
    result.work += found.work;
    return result;
  }

 private:
  [[nodiscard]] const LeaveOneOutRidge& smoother() const { return fit_.smoother(); }

  // Of more rows, shapes are tuned on so many, chosen at random.
  static Rows some_of(const Rows& rows, std::uint64_t seed) {
    constexpr std::size_t enough = 1000;
    if (rows.size() <= enough) return {};
    std::vector<std::size_t> which = permutation(rows.size(), seed);
    which.resize(enough);
    std::ranges::sort(which);
    return gather(rows, which);
  }

  [[nodiscard]] double work() const { return fit_.work() + part_.work() + screen_work_; }

  [[nodiscard]] bool is_over() const { return work() >= options_.budget || observer_.wants_to_end(); }

  [[nodiscard]] Grown grown() const {
    Grown result{fit_.terms(), smoother().lambda(), smoother().errors(), fit_.input_deviations(), work(), rows_.kinds};
    const double unit = fit_.target_deviation() * fit_.target_deviation();
    result.errors.mean *= unit;
    for (double& square : result.errors.squares) square *= unit;
    return result;
  }

  void report() const {
    if (observer_.on_change) observer_.on_change(grown(), round_, std::min(1.0, work() / options_.budget));
  }

  void tune_lambda() {
    if (!options_.ridge) fit_.tune_lambda();
  }

  void add(const TermShape& term) {
    fit_.add(term);
    report();
  }

  [[nodiscard]] bool has(const Support& variables, bool linear) const {
    return std::ranges::any_of(
        fit_.terms(), [&](const TermShape& term) { return term.variables == variables && term.linear() == linear; });
  }

  [[nodiscard]] bool is_included(const TermShape& term) const {
    return std::ranges::find(options_.include, term.variables) != options_.include.end();
  }

  [[nodiscard]] std::size_t count_terms() const {
    std::size_t count = 0;
    for (const TermShape& term : fit_.terms()) count += term.linear() ? term.variables.size() : 1;
    return count;
  }

  [[nodiscard]] bool is_full() const { return options_.max_terms > 0 && count_terms() >= options_.max_terms; }
  [[nodiscard]] bool is_overfull() const { return options_.max_terms > 0 && count_terms() > options_.max_terms; }

  // A line, where there is none yet, and smooth functions of several scales.
  [[nodiscard]] std::vector<TermShape> shapes_of(const Support& variables) const {
    std::vector<TermShape> shapes;
    const std::size_t q = variables.size();
    if (q == 1 && rows_.is_category(variables.front())) {
      TermShape levels{variables, {}, 0, 1.0};
      levels.levels = rows_.kinds->levels[variables.front()];
      if (!has(variables, false)) shapes.push_back(levels);
      return shapes;
    }
    if (q == 1 && !has(variables, true)) shapes.push_back({variables, {}, 0, 1.0});
    if (has(variables, false)) return shapes;
    // A factor of 2.5 apart, from nearly a line to three waves over four standard deviations; tuning does the rest.
    const std::vector<double> scales = options_.scale ? std::vector{*options_.scale} : std::vector{0.2, 0.5, 1.2, 3.0};
    for (const double scale : scales) {
      std::vector<double> own(q, scale);
      for (std::size_t l = 0; l < q; ++l) {
        if (rows_.is_category(variables[l])) own[l] = 1.0;
        if (options_.scale || rows_.is_category(variables[l])) continue;
        own[l] = std::min(scale / std::sqrt(static_cast<double>(q)), fit_.spreads()[variables[l]].largest_scale);
      }
      shapes.push_back({variables, own, options_.smoothness.value_or(0), 1.0});
    }
    return shapes;
  }

  // What a caller wants is added whether it helps or not, in the shape that does best.
  void add_included(const Support& variables) {
    const std::vector<TermShape> shapes = shapes_of(variables);
    if (shapes.empty()) return;
    const std::vector<RowErrors> errors = smoother().errors_with_each(fit_.blocks_of(shapes));
    const auto least = std::ranges::min_element(errors, {}, [](const RowErrors& shape) { return shape.mean; });
    add(shapes[static_cast<std::size_t>(least - errors.begin())]);
  }

  [[nodiscard]] std::vector<std::uint32_t> used_inputs() const {
    std::set<std::uint32_t> used;
    for (const TermShape& term : fit_.terms()) {
      if (!term.linear() || term.variables.size() == 1) used.insert(term.variables.begin(), term.variables.end());
    }
    return {used.begin(), used.end()};
  }

  // Sets that nothing more can be added for: what the caller excludes, and what the model has in every form.
  [[nodiscard]] std::set<Support> settled() const {
    std::set<Support> sets(options_.exclude.begin(), options_.exclude.end());
    for (const TermShape& term : fit_.terms()) {
      if (term.linear()) continue;
      if (term.variables.size() > 1 || term.by_level() || has(term.variables, true)) sets.insert(term.variables);
    }
    return sets;
  }

  [[nodiscard]] std::vector<ScoredSupport> screen(std::size_t order) {
    // Pairs and triples that score high often share an input, and the first of them explains the others.
    constexpr std::size_t most_sets = 12;
    ScreenedSets sets;
    sets.order = order;
    sets.level = screening_level;
    sets.most = order == 1 ? rows_.X.cols() : most_sets;
    sets.likely = used_inputs();
    sets.excluded_inputs = excluded_inputs_;
    sets.excluded = settled();
    sets.is_over = [this] { return observer_.wants_to_end(); };
    const double needed = screen_->work_of(sets);
    // What does not fit into the budget any more is left out, rather than begun.
    if (work() + needed > options_.budget) {
      screen_work_ = options_.budget;
      return {};
    }
    screen_work_ += needed;
    return screen_->find(smoother().residual(), sets);
  }

  // Higher orders wait until lower ones are explained: what these leave would hide what those do.
  bool find_terms() {
    bool added = false;
    const std::size_t highest = std::min(options_.max_order, rows_.X.cols());
    for (std::size_t order = 1; order <= highest && !is_over(); ++order) {
      for (const ScoredSupport& candidate : screen(order)) {
        if (is_over() || is_full()) break;
        added = try_to_add(candidate) || added;
      }
      if (order == 1) added = find_levels() || added;
      if (!added) continue;
      tune_lambda();
      if (order > 1) break;
    }
    return added;
  }

  bool try_to_add(const ScoredSupport& candidate) {
    const std::vector<TermShape> shapes = shapes_of(candidate.variables);
    if (shapes.empty()) return false;
    const std::vector<RowErrors> errors = smoother().errors_with_each(fit_.blocks_of(shapes));
    const RowErrors* best = &smoother().errors();
    const TermShape* chosen = nullptr;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if (!errors[k].clearly_below(*best, chosen == nullptr ? add_deviations : tune_deviations)) continue;
      best = &errors[k];
      chosen = &shapes[k];
    }
    if (chosen == nullptr) return false;
    add(*chosen);
    return true;
  }

  // Levels of few rows: signs drawn at random, by which the screen knows chance, give four rows the same sign one time
  // in eight, however far off these are. What says that a category counts is then that rows without themselves are
  // predicted better, by two standard errors.
  bool find_levels() {
    constexpr double deviations = 2.0;
    bool added = false;
    for (std::uint32_t j = 0; j < rows_.X.cols() && !is_over() && !is_full(); ++j) {
      if (excluded_inputs_[j] || !rows_.is_category(j) || has({j}, false)) continue;
      TermShape levels{{j}, {}, 0, 1.0};
      levels.levels = rows_.kinds->levels[j];
      if (!smoother().errors_with(fit_.block_of(levels)).clearly_below(smoother().errors(), deviations)) continue;
      add(levels);
      added = true;
    }
    return added;
  }

  // Many weak effects that none of them shows alone: straight lines in all inputs as one term, kept if it predicts the
  // residual better than it does any with the same sizes and signs drawn at random.
  bool find_lines() {
    // Where something was found already, more is less of a surprise.
    const std::uint32_t draws = fit_.terms().empty() ? 99 : 19;
    constexpr std::uint64_t name = 0;
    TermShape lines;
    for (std::uint32_t j = 0; j < rows_.X.cols(); ++j) {
      if (!excluded_inputs_[j] && !rows_.is_category(j) && !has({j}, true)) lines.variables.push_back(j);
    }
    if (tried_lines_ || lines.variables.size() < 2 || options_.max_terms > 0 || is_over()) return false;
    tried_lines_ = true;
    const std::vector<double> nothing(rows_.size(), 0.0);
    const LeaveOneOutRidge bare(nothing, fit_.roots(), smoother().lambda(), fit_.starts());
    RowErrors best = smoother().errors();
    std::optional<TermShape> chosen;
    double chance_gain = 0.0;
    for (const double amplitude : {1.0, 0.3, 0.1, 0.03}) {
      lines.amplitude = amplitude;
      Matrix B = fit_.block_of(lines);
      RowErrors errors = smoother().errors_with(B);
      LeaveOneOutRidge alone(nothing, fit_.roots(), smoother().lambda(), fit_.starts());
      alone.add(std::move(B));
      screen_work_ += alone.work() + draws * 2.0 * static_cast<double>(alone.columns() * rows_.size());
      for (std::uint32_t draw = 0; draw < draws; ++draw) {
        const std::vector<double> flipped = screen_->flip_signs(smoother().residual(), name, draw);
        chance_gain = std::max(chance_gain, 1.0 - alone.errors_for(flipped).mean / bare.errors_for(flipped).mean);
      }
      if (!(errors.mean < best.mean)) continue;
      best = std::move(errors);
      chosen = lines;
    }
    const double gain = 1.0 - best.mean / smoother().error();
    if (!chosen || !best.clearly_below(smoother().errors(), tune_deviations) || !(gain > chance_gain)) return false;
    add(*chosen);
    tune_lambda();
    return true;
  }

  void tune(int most_steps) {
    ShapeTuning tuning{fit_.spreads(), options_.scale.has_value(), options_.ridge.has_value(), most_steps,
                       [this] { return is_over(); }};
    tune_shapes(fit_, rows_to_tune_.size() > 0 ? part_ : fit_, tuning);
  }

  // Whether rows are predicted better by a term's features if the tails of their weights are heavy, or are not: each
  // term is asked when it is new, and all at the end.
  void try_other_laws() {
    constexpr int rough = 3;
    if (options_.smoothness) return;
    try_others([&](TermShape term) -> std::optional<TermShape> {
      if (term.scales.empty() || !asked_law_.insert(term.variables).second) return std::nullopt;
      term.smoothness = term.smoothness == 0 ? rough : 0;
      return term;
    });
  }

  // Functions of one input may jump beside their curves, where that predicts clearly better: the place is where rows
  // below and above it differ most in what the model leaves without the input's curve. Asked at the end, when curves
  // are known; scales, which had to be short to follow a jump, are tuned once more then.
  void try_jumps() {
    constexpr std::size_t most_jumps = 3;  // Of an input.
    constexpr int steps_after_jumps = 10;
    if (options_.scale || options_.smoothness || options_.max_terms > 0) return;
    bool added = false;
    for (std::size_t k = 0; k < fit_.terms().size(); ++k) {
      const TermShape curve = fit_.terms()[k];
      if (curve.scales.empty() || curve.variables.size() != 1) continue;
      for (std::size_t jump = 0; jump < most_jumps && !is_over(); ++jump) {
        const auto place = widest_jump(rows_.X.col(curve.variables.front()), smoother().residual_without(k));
        if (!place || !try_to_add_jump(curve, *place)) break;
        added = true;
      }
    }
    if (added) tune(steps_after_jumps);
  }

  bool try_to_add_jump(const TermShape& curve, double place) {
    TermShape jump = curve;
    jump.scales.clear();
    jump.smoothness = 0;
    jump.amplitude = 1.0;
    jump.thresholds = {place};
    if (!smoother().errors_with(fit_.block_of(jump)).clearly_below(smoother().errors(), jump_deviations)) return false;
    add(jump);
    return true;
  }

  // Other shapes in the place of terms. Those that gain clearly change together; taken back where together they do not
  // gain.
  void try_others(const std::function<std::optional<TermShape>(TermShape)>& other_of) {
    if (is_over()) return;
    std::vector<TermShape> terms = fit_.terms();
    std::vector<TermShape> others;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      std::optional<TermShape> other = other_of(terms[k]);
      if (!other) continue;
      others.push_back(std::move(*other));
      which.push_back(k);
    }
    std::vector<Matrix> drawn = fit_.blocks_of(others);
    std::vector<Matrix> blocks(terms.size());
    for (std::size_t n = 0; n < which.size(); ++n) blocks[which[n]] = std::move(drawn[n]);
    const RowErrors before = smoother().errors();
    const std::vector<RowErrors> errors = smoother().errors_with_replacements(blocks);
    std::vector<TermShape> changed = terms;
    std::size_t changes = 0;
    for (std::size_t n = 0; n < which.size(); ++n) {
      if (!errors[which[n]].clearly_below(before, tune_deviations)) continue;
      changed[which[n]] = others[n];
      ++changes;
    }
    if (changes == 0) return;
    fit_.set(std::move(changed), smoother().lambda());
    if (!(smoother().error() < before.mean)) fit_.set(std::move(terms), smoother().lambda());
  }

  // An interaction also fits lower-order effects of its inputs, and no test so far showed that they need it. They get
  // their own terms, in the shapes that do best without the interactions that contain them. Then the interactions
  // return; drop_useless() removes those that only had these effects.
  bool move_effects_to_own_terms() {
    if (options_.scale || is_over() || std::isinf(smoother().error())) return false;
    std::vector<ContainedEffect> effects = contained_effects(fit_, smallest_own_effect);
    for (const ContainedEffect& effect : effects) own_effects_.insert(effect.variables);
    std::erase_if(effects,
                  [&](const ContainedEffect& effect) { return effect.has_term || is_excluded(effect.variables); });
    if (effects.empty()) return false;
    std::vector<TermShape> interactions;
    std::vector<TermShape> others;
    for (const TermShape& term : fit_.terms()) {
      const bool contains = std::ranges::any_of(
          effects, [&](const ContainedEffect& effect) { return contains_effect(term, effect.variables); });
      (contains ? interactions : others).push_back(term);
    }
    fit_.set(std::move(others), smoother().lambda());
    for (const ContainedEffect& effect : effects) {
      add_best_shape(effect.variables);
      interchangeable_.insert(effect.variables);  // The interactions did stand for it.
    }
    std::vector<TermShape> terms = fit_.terms();
    terms.insert(terms.end(), interactions.begin(), interactions.end());
    fit_.set(std::move(terms), smoother().lambda());
    report();
    return true;
  }

  [[nodiscard]] bool is_excluded(const Support& variables) const {
    return std::ranges::find(options_.exclude, variables) != options_.exclude.end();
  }

  void add_best_shape(const Support& effect) {
    const std::vector<TermShape> shapes = shapes_of(effect);
    const std::vector<RowErrors> errors = smoother().errors_with_each(fit_.blocks_of(shapes));
    std::size_t best = 0;
    for (std::size_t k = 1; k < shapes.size(); ++k) {
      if (errors[k].clearly_below(errors[best], tune_deviations)) best = k;
    }
    fit_.add(shapes[best]);
  }

  // While an interaction contains the same effect, each of the two can stand for the other: the simpler one stays.
  [[nodiscard]] bool keeps_own_effect(const TermShape& term) const {
    return own_effects_.contains(term.variables) && std::ranges::any_of(fit_.terms(), [&](const TermShape& other) {
             return contains_effect(other, term.variables);
           });
  }

  // Pruning would drop the features of effects that interactions could stand for. These features stay, and are as few
  // as the effects have degrees of freedom, a cosine and a sine for two of them, or twice as many while errors rise.
  void settle_own_effects() {
    for (const TermShape& term : fit_.terms()) {
      if (keeps_own_effect(term) && interchangeable_.contains(term.variables)) settled_.insert(term.variables);
    }
    if (settled_.empty()) return;
    const RowErrors before = smoother().errors();
    std::vector<TermShape> terms = fit_.terms();
    for (TermShape& term : terms) {
      if (settled_.contains(term.variables) && !term.is_fixed()) term.count = count_by_freedom(term);
    }
    fit_.set(terms, smoother().lambda());
    while (!is_good_enough(smoother().errors(), before) && double_counts(terms)) fit_.set(terms, smoother().lambda());
  }

  [[nodiscard]] std::size_t count_by_freedom(const TermShape& term) const {
    const double vectors = std::ceil(0.5 * fit_.degrees_of_freedom(term));
    return std::clamp<std::size_t>(static_cast<std::size_t>(vectors), 1, weights_of(term));
  }

  // Up to the usual numbers. Whether any grew.
  static bool double_counts(std::vector<TermShape>& terms) {
    bool grew = false;
    for (TermShape& term : terms) {
      if (term.count == 0) continue;
      const std::size_t count = std::exchange(term.count, 0);
      grew = grew || count < weights_of(term);
      term.count = std::min(2 * count, weights_of(term));
    }
    return grew;
  }

  // Whether neither predictions nor the evidence speak for a term. The evidence takes rows for independent; where they
  // belong together it has no say.
  [[nodiscard]] bool is_useless(const LeaveOneOutRidge::RemovalEffect& without) const {
    constexpr double little_evidence = 1.0;
    if (!fit_.starts() && without.log_marginal_likelihood < smoother().log_marginal_likelihood() - little_evidence)
      return false;
    return !smoother().errors().clearly_below(without.errors, options_.drop_deviations);
  }

  // One at a time, the least useful first. Of those that were of use none is asked again: without others they are of
  // more.
  void drop_useless() {
    std::vector<std::size_t> asked;
    for (std::size_t k = 0; k < fit_.terms().size(); ++k) {
      if (!is_included(fit_.terms()[k])) asked.push_back(k);
    }
    while (!asked.empty() && !is_over()) {
      const std::vector<LeaveOneOutRidge::RemovalEffect> verdicts = smoother().removal_effects(asked);
      double least = std::numeric_limits<double>::infinity();
      std::optional<std::size_t> chosen;
      std::vector<std::size_t> useless;
      for (std::size_t n = 0; n < asked.size(); ++n) {
        if (!is_useless(verdicts[n])) continue;
        useless.push_back(asked[n]);
        const TermShape& term = fit_.terms()[asked[n]];
        if (keeps_own_effect(term)) {
          interchangeable_.insert(term.variables);
          continue;
        }
        if (chosen && !(verdicts[n].errors.mean < least)) continue;
        least = verdicts[n].errors.mean;
        chosen = asked[n];
      }
      asked.clear();
      if (!chosen) return;
      fit_.remove(*chosen);
      for (const std::size_t k : useless) {
        if (k != *chosen) asked.push_back(k > *chosen ? k - 1 : k);
      }
    }
  }

  const Rows& rows_;
  const GrowOptions& options_;
  const GrowObserver& observer_;
  std::optional<Screen> screen_;  // Of a search; moves of effects need none.
  GroupStarts starts_;
  GrowingFit fit_;
  Rows rows_to_tune_;  // None: all.
  GrowingFit part_;    // A fit to them.
  std::vector<bool> excluded_inputs_;
  std::size_t round_ = 0;
  bool tried_lines_ = false;
  std::set<Support> own_effects_;      // Whose terms stay while interactions contain the same effects.
  std::set<Support> interchangeable_;  // Those of them that the interactions could stand for.
  std::set<Support> settled_;          // Those of these that have few features, which stay.
  std::set<Support> asked_law_;        // Terms that were tried with the other law.
  double screen_work_ = 0.0;
};

}  // namespace

Grown grow(const Rows& rows, const GrowOptions& options, const GrowObserver& observer) {
  const GroupOrder grouped(rows.groups);
  Grown grown = grouped.starts ? Grower(gather(rows, grouped.order), grouped.starts, options, observer).run()
                               : Grower(rows, nullptr, options, observer).run();
  grouped.put_back(grown.errors.squares);
  grown.errors.starts = nullptr;
  return grown;
}

std::optional<Grown> move_effects_to_own_terms(const Rows& rows, const Grown& found, GrowOptions options,
                                               const GrowObserver& observer) {
  options.budget -= found.work;
  const GroupOrder grouped(rows.groups);
  std::optional<Grown> moved =
      grouped.starts ? Grower(gather(rows, grouped.order), grouped.starts, options, observer).move_effects(found)
                     : Grower(rows, nullptr, options, observer).move_effects(found);
  if (!moved) return std::nullopt;
  grouped.put_back(moved->errors.squares);
  moved->errors.starts = nullptr;
  return moved;
}

}  // namespace shrimp
