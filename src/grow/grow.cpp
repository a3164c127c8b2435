#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "data/standardize.hpp"
#include "grow/screen.hpp"

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
        deviation_(standard_deviation(rows.y)),
        screen_(rows.X, options.seed),
        smoother_(in_units_of_deviation(rows.y, deviation_), roots_of(rows), options.ridge.value_or(1.0)),
        deviations_(standard_deviations(rows.X)),
        excluded_inputs_(rows.X.cols(), false) {
    for (std::size_t j = 0; j < rows.X.cols(); ++j) {
      const auto [lowest, highest] = std::ranges::minmax(rows.X.col(j));
      excluded_inputs_[j] = lowest == highest;
      largest_scales_.push_back(largest_scale(rows.X.col(j), deviations_[j]));
    }
    for (const Support& term : options.exclude) {
      if (term.size() == 1) excluded_inputs_[term.front()] = true;
    }
  }

  Grown run() {
    constexpr std::size_t most_rounds = 60;
    for (const Support& term : options_.include) add_included(term);
    if (!terms_.empty()) tune_lambda();
    for (round_ = 1; round_ <= most_rounds && !is_over(); ++round_) {
      const double before = smoother_.error();
      bool found = add_what_screening_finds();
      if (!found) found = try_all_lines();
      tune();
      drop_useless();
      report();
      if (smoother_.error() < smallest_error) break;
      if (!found && !(smoother_.error() < 0.9 * before)) break;
    }
    return grown();
  }

 private:
  static std::vector<double> in_units_of_deviation(std::vector<double> y, double deviation) {
    for (double& value : y) value /= deviation;
    return y;
  }

  static std::vector<double> roots_of(const Rows& rows) {
    std::vector<double> roots(rows.weights);
    for (double& root : roots) root = std::sqrt(root);
    return roots;
  }

  // Features that turn between one value of an input and the next say nothing of what lies between.
  static double largest_scale(std::span<const double> x, double deviation) {
    constexpr double largest = 40.0;
    const std::set<double> values(x.begin(), x.end());
    const double gap = (*values.rbegin() - *values.begin()) / static_cast<double>(values.size());
    return gap > 0.0 ? std::min(largest, deviation / gap) : largest;
  }

  [[nodiscard]] Grown grown() const {
    Grown result{terms_, smoother_.lambda(), smoother_.errors()};
    result.errors.mean *= deviation_ * deviation_;
    for (double& square : result.errors.squares) square *= deviation_ * deviation_;
    return result;
  }

  void report() const {
    if (observer_.on_change) observer_.on_change(grown(), round_, std::min(1.0, smoother_.work() / options_.budget));
  }

  [[nodiscard]] bool is_over() const { return smoother_.work() > options_.budget || observer_.wants_to_end(); }

  void tune_lambda() {
    if (!options_.ridge) smoother_.tune_lambda();
  }

  [[nodiscard]] Matrix block_of(const TermShape& term) const {
    const std::size_t count = weights_of(term);
    Matrix B = evaluate(draw_term(term, count, deviations_, options_.seed), rows_.X);
    const double scale = column_scale(term, count);
    for (std::size_t j = 0; j < B.cols(); ++j) {
      for (double& value : B.col(j)) value *= scale;
    }
    smoother_.centre(B);
    return B;
  }

  void add(const TermShape& term) {
    terms_.push_back(term);
    settled_at_.push_back(infinite);
    smoother_.add(block_of(term));
    report();
  }

  void remove(std::size_t k) {
    terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(k));
    settled_at_.erase(settled_at_.begin() + static_cast<std::ptrdiff_t>(k));
    smoother_.remove(k);
  }

  [[nodiscard]] bool has(const Support& variables, bool linear) const {
    return std::ranges::any_of(
        terms_, [&](const TermShape& term) { return term.variables == variables && term.linear() == linear; });
  }

  [[nodiscard]] bool is_included(const TermShape& term) const {
    return std::ranges::find(options_.include, term.variables) != options_.include.end();
  }

  [[nodiscard]] bool is_full() const {
    std::size_t count = 0;
    for (const TermShape& term : terms_) count += term.linear() ? term.variables.size() : 1;
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

  // The shapes beside a term's own.
  [[nodiscard]] std::vector<TermShape> neighbours(const TermShape& term) const {
    constexpr double smallest_scale = 0.02;
    constexpr double smallest_amplitude = 0.05;
    constexpr double largest_amplitude = 5.0;
    std::vector<TermShape> shapes;
    if (term.linear()) return shapes;
    for (const double factor : {0.5, 2.0}) {
      for (std::size_t l = 0; l < term.scales.size() && !options_.scale; ++l) {
        TermShape shape = term;
        shape.scales[l] *= factor;
        if (shape.scales[l] > smallest_scale && shape.scales[l] < largest_scales_[term.variables[l]])
          shapes.push_back(shape);
      }
      TermShape shape = term;
      shape.amplitude *= factor * factor;
      if (shape.amplitude > smallest_amplitude && shape.amplitude < largest_amplitude) shapes.push_back(shape);
    }
    constexpr int rough = 3;
    if (!options_.smoothness) {
      shapes.push_back(term);
      shapes.back().smoothness = term.smoothness == 0 ? rough : 0;
    }
    return shapes;
  }

  // What a caller wants is added whether it helps or not, in the shape that does best.
  void add_included(const Support& variables) {
    const std::vector<TermShape> shapes = shapes_of({variables, 0.0, 1.0});
    const TermShape* best = nullptr;
    double least = infinite;
    for (const TermShape& shape : shapes) {
      const double error = smoother_.errors_with(block_of(shape)).mean;
      if (best != nullptr && !(error < least)) continue;
      best = &shape;
      least = error;
    }
    if (best != nullptr) add(*best);
  }

  [[nodiscard]] std::vector<std::uint32_t> used_inputs() const {
    std::set<std::uint32_t> used;
    for (const TermShape& term : terms_) {
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
           screen_.find(smoother_.residual(), order, screening_level, used_inputs(), excluded_inputs_)) {
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
    RowErrors best = smoother_.errors();
    const TermShape* chosen = nullptr;
    const std::vector<TermShape> shapes = shapes_of(candidate);
    for (const TermShape& shape : shapes) {
      RowErrors errors = smoother_.errors_with(block_of(shape));
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
    constexpr std::uint32_t draws = 99;
    constexpr std::uint64_t name = 0;
    TermShape lines;
    for (std::uint32_t j = 0; j < rows_.X.cols(); ++j) {
      if (!excluded_inputs_[j] && !has({j}, true)) lines.variables.push_back(j);
    }
    if (tried_lines_ || lines.variables.size() < 2 || options_.max_terms > 0 || is_over()) return false;
    tried_lines_ = true;
    const std::vector<double> nothing(rows_.size(), 0.0);
    const Smoother bare(nothing, roots_of(rows_), smoother_.lambda());
    RowErrors best = smoother_.errors();
    std::optional<TermShape> chosen;
    double chance_gain = 0.0;
    for (const double amplitude : {1.0, 0.3, 0.1, 0.03}) {
      lines.amplitude = amplitude;
      Matrix B = block_of(lines);
      RowErrors errors = smoother_.errors_with(B);
      Smoother alone(nothing, roots_of(rows_), smoother_.lambda());
      alone.add(std::move(B));
      for (std::uint32_t draw = 0; draw < draws; ++draw) {
        const std::vector<double> flipped = flip_signs(smoother_.residual(), options_.seed, name, draw);
        chance_gain = std::max(chance_gain, 1.0 - alone.errors_for(flipped).mean / bare.errors_for(flipped).mean);
      }
      if (!(errors.mean < best.mean)) continue;
      best = std::move(errors);
      chosen = lines;
    }
    const double gain = 1.0 - best.mean / smoother_.error();
    if (!chosen || !best.clearly_below(smoother_.errors(), tune_deviations) || !(gain > chance_gain)) return false;
    chosen->chance = 1.0 / (draws + 1.0);
    add(*chosen);
    tune_lambda();
    return true;
  }

  // Moves each term to the best of its neighbours. A term that stayed is left alone until the error has halved.
  void tune() {
    constexpr int sweeps = 3;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      bool moved = false;
      for (std::size_t k = 0; k < terms_.size() && !is_over(); ++k) {
        if (!(smoother_.error() < 0.5 * settled_at_[k])) continue;
        if (move_to_best_neighbour(k)) {
          moved = true;
        } else {
          settled_at_[k] = smoother_.error();
        }
      }
      if (!moved) return;
      tune_lambda();
    }
  }

  bool move_to_best_neighbour(std::size_t k) {
    const std::vector<TermShape> shapes = neighbours(terms_[k]);
    if (shapes.empty()) return false;
    const Smoother::Without without = smoother_.without(k);
    RowErrors best = smoother_.errors();
    const TermShape* chosen = nullptr;
    for (const TermShape& shape : shapes) {
      RowErrors errors = smoother_.errors_with(block_of(shape), &without);
      if (!errors.clearly_below(best, tune_deviations)) continue;
      best = std::move(errors);
      chosen = &shape;
    }
    if (chosen == nullptr) return false;
    terms_[k] = *chosen;
    smoother_.replace(k, block_of(terms_[k]));
    return true;
  }

  // One at a time, the least useful first.
  void drop_useless() {
    while (!is_over()) {
      double least = infinite;
      std::size_t chosen = terms_.size();
      for (std::size_t k = 0; k < terms_.size(); ++k) {
        if (is_included(terms_[k])) continue;
        const RowErrors errors = smoother_.without(k).errors;
        if (!(errors.mean < least) || smoother_.errors().clearly_below(errors, options_.drop_deviations)) continue;
        least = errors.mean;
        chosen = k;
      }
      if (chosen == terms_.size()) return;
      remove(chosen);
    }
  }

  const Rows& rows_;
  const GrowOptions& options_;
  const GrowObserver& observer_;
  double deviation_;
  Screen screen_;
  Smoother smoother_;
  std::vector<double> deviations_;
  std::vector<double> largest_scales_;
  std::vector<bool> excluded_inputs_;
  std::vector<TermShape> terms_;
  std::vector<double> settled_at_;  // The error at which a term's shape was last left as it is.
  std::size_t round_ = 0;
  bool tried_lines_ = false;
};

}  // namespace

std::size_t weights_of(const TermShape& term) {
  if (term.linear()) return term.variables.size();
  switch (term.variables.size()) {
    case 1:
      return 16;
    case 2:
      return 48;
    default:
      return 96;
  }
}

Grown grow(const Rows& rows, const GrowOptions& options, const GrowObserver& observer) {
  return Grower(rows, options, observer).run();
}

}  // namespace shrimp
