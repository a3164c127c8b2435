#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "grow/growing_fit.hpp"
#include "grow/screen.hpp"
#include "grow/shape_tuning.hpp"

namespace shrimp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A term or a shape counts as better if it gains more than so many standard errors of the gain.
constexpr double add_deviations = 0.5;
constexpr double tune_deviations = 1.0;

// The chance of anything being found where there is nothing, for each order.
constexpr double screening_level = 0.004;

// Shares of the target's variance: what is left is rounding.
constexpr double smallest_error = 1e-15;

class Grower {
 public:
  Grower(const Rows& rows, const GrowOptions& options, const GrowObserver& observer)
      : rows_(rows),
        options_(options),
        observer_(observer),
        screen_(rows.X, options.seed),
        fit_(rows, options.ridge.value_or(1.0), options.seed),
        excluded_inputs_(rows.X.cols(), false) {
    for (std::size_t j = 0; j < rows.X.cols(); ++j) {
      const auto [lowest, highest] = std::ranges::minmax(rows.X.col(j));
      excluded_inputs_[j] = lowest == highest;
      largest_scales_.push_back(largest_scale(rows.X.col(j), fit_.input_deviations()[j]));
    }
    for (const Support& term : options.exclude) {
      if (term.size() == 1) excluded_inputs_[term.front()] = true;
    }
  }

  Grown run() {
    constexpr std::size_t most_rounds = 60;
    constexpr int steps_of_a_round = 10;
    constexpr int steps_at_the_end = 20;
    for (const Support& term : options_.include) add_included(term);
    if (!fit_.terms().empty()) tune_lambda();
    for (round_ = 1; round_ <= most_rounds && !is_over(); ++round_) {
      const double before = smoother().error();
      bool found = add_what_screening_finds();
      if (!found) found = try_all_lines();
      tune(steps_of_a_round);
      drop_useless();
      report();
      if (smoother().error() < smallest_error) break;
      if (!found && !(smoother().error() < 0.9 * before)) break;
    }
    tune(steps_at_the_end);
    drop_useless();
    return grown();
  }

 private:
  // Features that turn between one value of an input and the next say nothing of what lies between.
  static double largest_scale(std::span<const double> x, double deviation) {
    constexpr double largest = 40.0;
    const std::set<double> values(x.begin(), x.end());
    const double gap = (*values.rbegin() - *values.begin()) / static_cast<double>(values.size());
    return gap > 0.0 ? std::min(largest, deviation / gap) : largest;
  }

  [[nodiscard]] Grown grown() const {
    Grown result{fit_.terms(), smoother().lambda(), smoother().errors(), smoother().work()};
    const double unit = fit_.target_deviation() * fit_.target_deviation();
    result.errors.mean *= unit;
    for (double& square : result.errors.squares) square *= unit;
    return result;
  }

  void report() const {
    if (observer_.on_change) observer_.on_change(grown(), round_, std::min(1.0, smoother().work() / options_.budget));
  }

  [[nodiscard]] bool is_over() const { return smoother().work() > options_.budget || observer_.wants_to_end(); }

  [[nodiscard]] const Smoother& smoother() const { return fit_.smoother(); }

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

  [[nodiscard]] bool is_full() const {
    std::size_t count = 0;
    for (const TermShape& term : fit_.terms()) count += term.linear() ? term.variables.size() : 1;
    return options_.max_terms > 0 && count >= options_.max_terms;
  }

  // A line, where there is none yet, and smooth functions of several scales.
  [[nodiscard]] std::vector<TermShape> shapes_of(const ScoredSupport& found) const {
    std::vector<TermShape> shapes;
    const std::size_t q = found.variables.size();
    if (q == 1 && !has(found.variables, true)) shapes.push_back({found.variables, {}, 0, 1.0, found.chance});
    if (has(found.variables, false)) return shapes;
    const std::vector<double> scales = options_.scale ? std::vector{*options_.scale} : std::vector{0.2, 0.5, 1.2, 3.0};
    for (const double scale : scales) {
      std::vector<double> own(q, scale);
      for (std::size_t l = 0; l < q && !options_.scale; ++l) {
        own[l] = std::min(scale / std::sqrt(static_cast<double>(q)), largest_scales_[found.variables[l]]);
      }
      shapes.push_back({found.variables, own, options_.smoothness.value_or(0), 1.0, found.chance});
    }
    return shapes;
  }

  // What a caller wants is added whether it helps or not, in the shape that does best.
  void add_included(const Support& variables) {
    const std::vector<TermShape> shapes = shapes_of({variables, 0.0, 1.0});
    const TermShape* best = nullptr;
    double least = infinite;
    for (const TermShape& shape : shapes) {
      const double error = smoother().errors_with(fit_.block_of(shape)).mean;
      if (best != nullptr && !(error < least)) continue;
      best = &shape;
      least = error;
    }
    if (best != nullptr) add(*best);
  }

  [[nodiscard]] std::vector<std::uint32_t> used_inputs() const {
    std::set<std::uint32_t> used;
    for (const TermShape& term : fit_.terms()) {
      if (!term.linear() || term.variables.size() == 1) used.insert(term.variables.begin(), term.variables.end());
    }
    return {used.begin(), used.end()};
  }

  // Higher orders wait until lower ones are explained: what these leave would hide what those do.
  bool add_what_screening_finds() {
    constexpr std::size_t most_tried = 12;
    bool added = false;
    const std::size_t highest = std::min(options_.max_order, rows_.X.cols());
    for (std::size_t order = 1; order <= highest; ++order) {
      std::size_t tried = 0;
      for (const ScoredSupport& candidate :
           screen_.find(smoother().residual(), order, screening_level, used_inputs(), excluded_inputs_)) {
        if (is_over() || is_full() || (order > 1 && tried == most_tried)) break;
        if (std::ranges::find(options_.exclude, candidate.variables) != options_.exclude.end()) continue;
        added = try_to_add(candidate) || added;
        ++tried;
      }
      if (!added) continue;
      tune_lambda();
      if (order > 1) break;
    }
    return added;
  }

  bool try_to_add(const ScoredSupport& candidate) {
    RowErrors best = smoother().errors();
    const TermShape* chosen = nullptr;
    const std::vector<TermShape> shapes = shapes_of(candidate);
    for (const TermShape& shape : shapes) {
      RowErrors errors = smoother().errors_with(fit_.block_of(shape));
      if (!errors.clearly_below(best, chosen == nullptr ? add_deviations : tune_deviations)) continue;
      best = std::move(errors);
      chosen = &shape;
    }
    if (chosen == nullptr) return false;
    add(*chosen);
    return true;
  }

  // Many weak effects that none of them shows alone: straight lines in all inputs as one term, kept if it predicts the
  // residual better than it does any with the same sizes and signs drawn at random.
  bool try_all_lines() {
    // Where something was found already, more is less of a surprise.
    const std::uint32_t draws = fit_.terms().empty() ? 99 : 19;
    constexpr std::uint64_t name = 0;
    TermShape lines;
    for (std::uint32_t j = 0; j < rows_.X.cols(); ++j) {
      if (!excluded_inputs_[j] && !has({j}, true)) lines.variables.push_back(j);
    }
    if (tried_lines_ || lines.variables.size() < 2 || options_.max_terms > 0 || is_over()) return false;
    tried_lines_ = true;
    const std::vector<double> nothing(rows_.size(), 0.0);
    const Smoother bare(nothing, fit_.roots(), smoother().lambda());
    RowErrors best = smoother().errors();
    std::optional<TermShape> chosen;
    double chance_gain = 0.0;
    for (const double amplitude : {1.0, 0.3, 0.1, 0.03}) {
      lines.amplitude = amplitude;
      Matrix B = fit_.block_of(lines);
      RowErrors errors = smoother().errors_with(B);
      Smoother alone(nothing, fit_.roots(), smoother().lambda());
      alone.add(std::move(B));
      for (std::uint32_t draw = 0; draw < draws; ++draw) {
        const std::vector<double> flipped = flip_signs(smoother().residual(), options_.seed, name, draw);
        chance_gain = std::max(chance_gain, 1.0 - alone.errors_for(flipped).mean / bare.errors_for(flipped).mean);
      }
      if (!(errors.mean < best.mean)) continue;
      best = std::move(errors);
      chosen = lines;
    }
    const double gain = 1.0 - best.mean / smoother().error();
    if (!chosen || !best.clearly_below(smoother().errors(), tune_deviations) || !(gain > chance_gain)) return false;
    chosen->chance = 1.0 / (draws + 1.0);
    add(*chosen);
    tune_lambda();
    return true;
  }

  void tune(int most_steps) {
    ShapeTuning tuning{largest_scales_, options_.scale.has_value(), options_.ridge.has_value(), most_steps,
                       [this] { return is_over(); }};
    tune_shapes(fit_, tuning);
    if (!options_.smoothness) try_other_laws();
  }

  // Whether rows are predicted better by a term's features if the tails of their weights are heavy, or are not.
  void try_other_laws() {
    constexpr int rough = 3;
    for (std::size_t k = 0; k < fit_.terms().size() && !is_over(); ++k) {
      TermShape other = fit_.terms()[k];
      if (other.linear()) continue;
      other.smoothness = other.smoothness == 0 ? rough : 0;
      const Smoother::Without without = smoother().without(k);
      if (smoother().errors_with(fit_.block_of(other), &without).clearly_below(smoother().errors(), tune_deviations))
        fit_.replace(k, other);
    }
  }

  // One at a time, the least useful first: those that neither predictions nor the evidence speak for.
  void drop_useless() {
    constexpr double little_evidence = 1.0;
    while (!is_over()) {
      double least = infinite;
      std::size_t chosen = fit_.terms().size();
      const std::vector<Smoother::Verdict> verdicts = smoother().without_each();
      for (std::size_t k = 0; k < fit_.terms().size(); ++k) {
        if (is_included(fit_.terms()[k])) continue;
        const Smoother::Verdict& without = verdicts[k];
        if (without.evidence < smoother().evidence() - little_evidence) continue;
        if (!(without.errors.mean < least)) continue;
        if (smoother().errors().clearly_below(without.errors, options_.drop_deviations)) continue;
        least = without.errors.mean;
        chosen = k;
      }
      if (chosen == fit_.terms().size()) return;
      fit_.remove(chosen);
    }
  }

  const Rows& rows_;
  const GrowOptions& options_;
  const GrowObserver& observer_;
  Screen screen_;
  GrowingFit fit_;
  std::vector<double> largest_scales_;
  std::vector<bool> excluded_inputs_;
  std::size_t round_ = 0;
  bool tried_lines_ = false;
};

}  // namespace

Grown grow(const Rows& rows, const GrowOptions& options, const GrowObserver& observer) {
  return Grower(rows, options, observer).run();
}

}  // namespace shrimp
