#include "fit/grow_and_prune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <set>

#include "data/split.hpp"
#include "data/standardize.hpp"
#include "fit/honest_error.hpp"
#include "fit/own_units.hpp"
#include "fit/term_names.hpp"
#include "grow/finish.hpp"
#include "grow/grow.hpp"
#include "grow/kernel_finish.hpp"
#include "grow/screen.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// Terms are found on so many rows at most: more would not change what is found, and take their time.
constexpr std::size_t most_rows_to_grow_on = 4000;

// Above this share of the target's variance left unexplained, predictions stay within the target's range and a
// twentieth of it on either side. That twentieth is about a fifth of the target's deviation, two deviations of such an
// error: what lies beyond is more likely an error than the truth. A better fit may well be right there.
constexpr double much_noise = 1e-2;

// Of the work, for progress.
constexpr double share_of_growing = 0.4;

// Of the budget; the other half is for searches again without parts of the rows, whether they come or not: a model must
// not depend on how its error is told.
constexpr double share_of_search = 0.5;

// Beyond this, a round of exact fits on the most rows that are grown on takes a good part of the default budget.
constexpr std::size_t most_exact_columns = 6000;

std::vector<Support> find_terms(const char* option, const std::vector<std::vector<std::string>>& terms,
                                const std::vector<std::string>& inputs) {
  std::vector<Support> found;
  for (const std::vector<std::string>& term : terms) found.push_back(find_term(option, term, inputs));
  return found;
}

class GrowAndPrune {
 public:
  GrowAndPrune(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const Rows* test,
               const FitObserver& observer)
      : frame_(std::move(frame)), validation_(validation), test_(test), observer_(observer) {
    const FitOptions& options = frame_->options;
    constexpr int highest_screened = 3;
    const int max_order = options.terms.max_order;
    grow_.max_order = static_cast<std::size_t>(max_order == 0 ? highest_screened : std::min(max_order, highest_screened));
    grow_.max_terms = options.terms.max_terms;
    grow_.include = find_terms("include", options.terms.include, frame_->inputs);
    grow_.exclude = find_terms("exclude", options.terms.exclude, frame_->inputs);
    for (const Support& term : grow_.include) {
      if (std::ranges::find(grow_.exclude, term) == grow_.exclude.end()) continue;
      throw OptionError("the same term is to be included and excluded.\nLeave it out of one of the two.");
    }
    if (options.draw.sigma2) grow_.scale = std::sqrt(*options.draw.sigma2);
    if (options.draw.law == Law::student_t) grow_.smoothness = options.draw.degrees_of_freedom;
    if (options.prune.ridge && *options.prune.ridge > 0.0) grow_.ridge = options.prune.ridge;
    if (options.terms.budget_operations > 0.0) grow_.budget = share_of_search * options.terms.budget_operations;
    if (options.terms.budget_seconds > 0.0) grow_.budget = std::numeric_limits<double>::infinity();
    if (options.terms.one_standard_error) grow_.drop_deviations = 1.0;
    grow_.seed = options.seed;
    finish_.prune_rates = options.prune.rates;
    finish_.rank_tolerance = options.prune.rank_tolerance;
    finish_.most_columns = std::min({most_exact_columns, 2 * options.draw.features, 3 * frame_->rows.size()});
    if (options.choice.folds > 0) finish_.folds = options.choice.folds;
    finish_.one_standard_error = options.terms.one_standard_error;
    finish_.include = grow_.include;
    finish_.seed = options.seed;
  }

  Choice run() {
    const Rows& all = frame_->rows;
    // Rows that nothing is chosen by, where there are more than are searched.
    std::optional<RowSplit> aside;
    if (validation_ == nullptr && all.size() > most_rows_to_grow_on) {
      aside = hold_out(all, share_set_aside(all.size()), frame_->options.seed);
    }
    const Rows kept = aside ? gather(all, aside->train) : Rows();
    const Rows set_aside = aside ? gather(all, aside->held_out) : Rows();
    const Rows& rows = aside ? kept : all;
    const Rows sample = rows.size() > most_rows_to_grow_on
                            ? gather(rows, sample_rows(rows, most_rows_to_grow_on, frame_->options.seed))
                            : Rows();
    const Rows& searched = sample.size() > 0 ? sample : rows;
    const Grown grown = grow(searched, grow_, growing());
    check_stop();
    Finished finished = finish(grown, rows);
    check_stop();
    error_ = grown.errors.mean;
    if (finished.ridge > 0.0) all_inputs_ = find_all_inputs_term(searched, grown, finished);
    if (all_inputs_) error_ = all_inputs_->errors.mean;
    const Clipping clipping{frame_->options.terms.clip, unexplained_share() > much_noise, frame_->scaling};
    std::optional<HonestError> honest;
    if (aside) {
      Finished judged = finished;
      if (all_inputs_) {
        SectionModels models = finish_with_sections(rows, &set_aside, *all_inputs_, finished, sections(), growing().is_over);
        judged = std::move(models.judged);
        finished = std::move(models.all);
        finished.records = judged.records;
        finished.chosen = judged.chosen;
      } else if (finished.ridge > 0.0) {
        finished = refit_with_ridge(std::move(finished), all);
      }
      const RowErrors errors = errors_on_new_rows(judged, rows, set_aside, clipping);
      honest = {errors.mean, errors.standard_error()};
      return choice_of(grown, finished, honest);
    }
    if (all_inputs_) finished = with_all_inputs(rows, searched, *all_inputs_, finished);
    if (needs_nested_error(finished)) {
      offer(finished);
      report_part(finished);
      const auto search_and_report = [&](const Rows& part) {
        Finished found = search_part(part);
        report_part(found);
        return found;
      };
      honest = nested_error(rows, finished.error, search_and_report, clipping, frame_->options.seed);
    }
    return choice_of(grown, finished, honest);
  }

 private:
  void check_stop() const {
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  // A tenth, but no more than the rows beyond those that are searched, and a thousand where that is more.
  static double share_set_aside(std::size_t rows) {
    constexpr double usual = 0.1;
    constexpr double enough = 1000.0;
    const auto m = static_cast<double>(rows);
    return std::min(std::max(usual, enough / m), (m - static_cast<double>(most_rows_to_grow_on)) / m);
  }

  // With hardly any noise, no term is found by chance, and folds of the pruning say what the error is.
  [[nodiscard]] bool needs_nested_error(const Finished& finished) const {
    constexpr double hardly_any_noise = 1e-4;
    return validation_ == nullptr && !frame_->options.terms.quick_error && finished.ridge > 0.0 &&
           unexplained_share() > hardly_any_noise;
  }

  [[nodiscard]] AllInputsOptions all_inputs_options(const Rows& rows) const {
    AllInputsOptions options;
    for (std::uint32_t j = 0; j < rows.X.cols(); ++j) {
      const auto [lowest, highest] = std::ranges::minmax(rows.X.col(j));
      if (lowest < highest && std::ranges::find(grow_.exclude, Support{j}) == grow_.exclude.end()) {
        options.candidates.push_back(j);
      }
    }
    if (grow_.smoothness) options.law = Law::student_t;
    options.most_inputs = static_cast<std::size_t>(frame_->options.terms.max_order);
    options.noise = grow_.ridge;
    options.seed = frame_->options.seed;
    return options;
  }

  /// Whether a caller's wishes leave room for a term of all inputs.
  [[nodiscard]] bool may_take_all_inputs() const {
    const bool excludes_sets = std::ranges::any_of(grow_.exclude, [](const Support& set) { return set.size() > 1; });
    const int max_order = frame_->options.terms.max_order;
    return !grow_.scale && grow_.max_terms == 0 && !excludes_sets && (max_order == 0 || max_order > 3);
  }

  // Where it predicts rows clearly better than the terms do. Low order is easier to read: it must be a twentieth. The
  // evidence, which counts what scales for all inputs could fit by chance, must speak for it as well: by 5, e^5 to one.
  [[nodiscard]] std::optional<AllInputs> find_all_inputs_term(const Rows& rows, const Grown& grown,
                                                              const Finished& terms) {
    constexpr double better = 0.95;
    constexpr double sure = 5.0;
    constexpr double deviations = 1.0;
    if (!may_take_all_inputs()) return std::nullopt;
    std::optional<AllInputs> found = find_all_inputs(rows, terms, all_inputs_options(rows), growing().is_over);
    if (std::getenv("SHRIMP_DEBUG_KERNEL") && found) {
      fmt::print(stderr, "kernel law {} inputs {} beside {} gain {} error {} vs {} noise {} amplitude {} scales",
                 int(found->shape.law), found->shape.variables.size(), found->beside_terms, found->evidence_gain,
                 found->errors.mean, grown.errors.mean, found->shape.noise, found->shape.amplitude);
      for (std::size_t l = 0; l < found->shape.scales.size(); ++l) fmt::print(stderr, " {}:{:.3g}", found->shape.variables[l], found->shape.scales[l]);
      fmt::print(stderr, "\n");
    }
    if (!found || !(found->evidence_gain > sure)) return std::nullopt;
    const RowErrors before = errors_at(grown.errors, found->judged_rows);
    if (std::getenv("SHRIMP_DEBUG_KERNEL")) fmt::print(stderr, "kernel judged {} vs {} at {} rows\n", found->judged_errors.mean, before.mean, before.squares.size());
    const bool is_better = found->judged_errors.mean < better * before.mean;
    return is_better && found->judged_errors.clearly_below(before, deviations) ? found : std::nullopt;
  }

  [[nodiscard]] static RowErrors errors_at(const RowErrors& errors, std::span<const std::size_t> rows) {
    RowErrors some;
    for (const std::size_t i : rows) {
      some.squares.push_back(errors.squares[i]);
      some.mean += errors.squares[i] / static_cast<double>(rows.size());
    }
    return some;
  }

  [[nodiscard]] SectionOptions sections() const {
    SectionOptions options;
    options.seed = frame_->options.seed;
    return options;
  }

  [[nodiscard]] Finished with_all_inputs(const Rows& rows, const Rows& searched, const AllInputs& found,
                                         const Finished& terms) const {
    Finished model = &rows == &searched
                         ? finish_on_all_rows(rows, found, terms)
                         : finish_with_sections(rows, nullptr, found, terms, sections(), [] { return false; }).judged;
    const Clipping plain{frame_->options.terms.clip};
    if (validation_ != nullptr) {
      model.error = errors_on_new_rows(model, rows, *validation_, plain).mean;
      model.records.back().validation_mse = model.error;
    }
    if (test_ != nullptr) model.records.back().test_mse = errors_on_new_rows(model, rows, *test_, plain).mean;
    return model;
  }

  // Parts are searched by several threads, of which one at a time reports.
  void report_part(const Finished& finished) {
    if (!observer_.on_step) return;
    const std::lock_guard lock(reporting_);
    const double unit = frame_->scaling.target_scale * frame_->scaling.target_scale;
    const double done = static_cast<double>(searched_++) / static_cast<double>(most_parts_of_nested_error + 1);
    observer_.on_step({share_of_growing + (1.0 - share_of_growing) * done,
                       "searching again without parts of the rows, for the error", finished.coefficients.size(),
                       unit * finished.error});
  }

  [[nodiscard]] Finished search_part(const Rows& rows) const {
    GrowObserver quiet;
    quiet.is_over = [this] {
      check_stop();
      return share_of_seconds() > 1.0;
    };
    GrowOptions options = grow_;
    options.budget /= most_parts_of_nested_error;
    const bool has_terms = !all_inputs_ || all_inputs_->beside_terms;
    const Finished terms =
        has_terms ? finish_with_ridge(rows, nullptr, nullptr, grow(rows, options, quiet), finish_, quiet) : Finished();
    if (!all_inputs_) return terms;
    AllInputsOptions of_part = all_inputs_options(rows);
    of_part.judged = false;
    of_part.law = all_inputs_->shape.law;
    of_part.only_beside_terms = has_terms && !terms.coefficients.empty();
    const std::optional<AllInputs> found = find_all_inputs(rows, terms, of_part, quiet.is_over);
    return found ? finish_on_all_rows(rows, *found, terms) : terms;
  }

  // What there is if nothing more is waited for.
  void offer(const Finished& finished) const {
    if (!observer_.on_better) return;
    const double unit = frame_->scaling.target_scale * frame_->scaling.target_scale;
    observer_.on_better([frame = frame_, finished, unit] {
      return build_model(*frame, finished.dictionary, finished.coefficients, finished.constant, unit * finished.error);
    });
  }

  [[nodiscard]] GrowObserver growing() {
    GrowObserver growing;
    growing.on_change = [this](const Grown& grown, std::size_t round, double spent) {
      report(grown, round, spent);
      check_stop();
    };
    growing.is_over = [this] {
      check_stop();
      return share_of_seconds() > share_of_search;
    };
    return growing;
  }

  /// Of the budget of seconds, where there is one.
  [[nodiscard]] double share_of_seconds() const {
    const double seconds = frame_->options.terms.budget_seconds;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return seconds > 0.0 ? elapsed.count() / seconds : 0.0;
  }

  void report(const Grown& grown, std::size_t round, double share_of_operations) {
    const double unit = frame_->scaling.target_scale * frame_->scaling.target_scale;
    if (observer_.on_step) {
      std::size_t columns = 0;
      for (const TermShape& term : grown.terms) columns += (term.linear() ? 1 : 2) * weights_of(term);
      const double spent = std::min(1.0, std::max(share_of_operations, share_of_seconds()));
      observer_.on_step({share_of_growing * spent, fmt::format("round {}, {} terms", round, grown.terms.size()),
                         columns, unit * grown.errors.mean});
    }
    if (!observer_.on_better || !(grown.errors.mean < least_)) return;
    least_ = grown.errors.mean;
    observer_.on_better([frame = frame_, grown, unit] {
      const Finished model = fit_terms(frame->rows, grown, frame->options.seed);
      return build_model(*frame, model.dictionary, model.coefficients, model.constant, unit * grown.errors.mean);
    });
  }

  // Exactly, where the growth found no noise and that predicts held-out rows far better than leaving each out by itself
  // did; else pruned under the ridge of the growth.
  [[nodiscard]] Finished finish(const Grown& grown, const Rows& rows) {
    finish_.budget = grow_.budget - grown.work;
    constexpr std::size_t fewest_rows = 4;
    const bool ridge_is_given = frame_->options.prune.ridge.value_or(0.0) > 0.0;
    if (!ridge_is_given && may_be_exact(grown) && rows.size() >= fewest_rows) {
      Finished exact = finish_exactly_if_far_better(grown, rows);
      if (!exact.coefficients.empty()) return exact;
    }
    return finish_with_ridge(rows, validation_, test_, grown, finish_, growing());
  }

  /// Without coefficients where it is not.
  [[nodiscard]] Finished finish_exactly_if_far_better(const Grown& grown, const Rows& rows) {
    double error_to_beat = grown.errors.mean;
    Finished exact;
    std::size_t judged_by = 0;
    if (validation_ != nullptr) {
      judged_by = validation_->size();
      exact = finish_exactly({rows, *validation_, frame_->rows, test_}, grown, error_to_beat, finish_, growing());
    } else {
      const RowSplit split = hold_out(rows, frame_->options.choice.fraction, frame_->options.seed);
      judged_by = split.held_out.size();
      // The same rows, where the growth had them; few of them may be harder than most.
      if (grown.errors.squares.size() == rows.size()) {
        double held = 0.0;
        for (const std::size_t i : split.held_out) held += grown.errors.squares[i] / static_cast<double>(judged_by);
        error_to_beat = std::min(error_to_beat, held);
      }
      const Rows train = gather(rows, split.train);
      const Rows held = gather(rows, split.held_out);
      exact = finish_exactly({train, held, frame_->rows, test_}, grown, error_to_beat, finish_, growing());
    }
    return exact.error < exact_share_to_beat(judged_by) * error_to_beat ? exact : Finished{};
  }

  // Of rows that took part in choosing, by how the training rows' error is in both units.
  [[nodiscard]] double error_in_own_units(const Finished& finished) const {
    const Scaling& scaling = frame_->scaling;
    const Clipping own{{}, false, scaling};
    if (scaling.target_form == TargetForm::identity) return finished.error;
    if (validation_ != nullptr) return errors_on_new_rows(finished, frame_->rows, *validation_, own).mean;
    const double fitted = errors_on_new_rows(finished, frame_->rows, frame_->rows, {}).mean;
    return finished.error / fitted * errors_on_new_rows(finished, frame_->rows, frame_->rows, own).mean;
  }

  [[nodiscard]] double unexplained_share() const {
    return error_ / std::pow(standard_deviation(frame_->rows.y), 2);
  }

  [[nodiscard]] Choice choice_of(const Grown& grown, const Finished& finished,
                                 const std::optional<HonestError>& honest) const {
    Choice choice;
    choice.found = true;
    choice.error = honest ? honest->mean : error_in_own_units(finished);
    choice.target_correction = correction_of(finished, frame_->rows, frame_->scaling);
    if (honest) choice.standard_error = honest->standard_error;
    std::set<int> orders;
    for (std::size_t j = 0; j < finished.dictionary.weights.size(); ++j) {
      orders.insert(static_cast<int>(finished.dictionary.weights.support(j).size()));
    }
    choice.orders.assign(orders.begin(), orders.end());
    if (choice.orders.empty()) choice.orders = {0};
    choice.rate = finished.rate;
    choice.step = finished.chosen;
    choice.dictionary = finished.dictionary;
    choice.coefficients = finished.coefficients;
    choice.constant = finished.constant;
    choice.limits_target = unexplained_share() > much_noise;
    choice.ridge = finished.ridge;
    choice.records = finished.records;
    choice.features_drawn = finished.features_drawn;
    choice.columns_drawn = finished.columns_drawn;
    choice.chances = grown.chances;
    return choice;
  }

  std::shared_ptr<const ModelFrame> frame_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  GrowOptions grow_;
  FinishOptions finish_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<AllInputs> all_inputs_;
  double error_ = 0.0;  // Of rows left out, in the units of y².
  std::mutex reporting_;
  std::size_t searched_ = 0;
};

}  // namespace

Choice grow_and_prune(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
                      const FitObserver& observer) {
  return GrowAndPrune(frame, validation, test, observer).run();
}

double estimate_grow_memory(std::size_t m, std::size_t d, const FitOptions& options) {
  // The screen's functions, a copy and their squares, and tiles of products; the features of exact fits with a copy and
  // what a step factorises.
  const auto rows = static_cast<double>(m);
  const auto inputs = static_cast<double>(d);
  const double grown_rows = std::min(rows, static_cast<double>(most_rows_to_grow_on));
  constexpr double tiles = 2e7;
  const double functions = static_cast<double>(Screen::functions_of_an_input(d)) * inputs;
  const double columns =
      static_cast<double>(std::min({most_exact_columns, 2 * options.draw.features, 3 * m, std::size_t{2000} + 2 * d}));
  const double small = std::min(rows, columns);
  return 8.0 *
         (3.0 * grown_rows * functions + tiles + 3.0 * rows * columns + 8.0 * small * small + 4.0 * rows * inputs);
}

}  // namespace shrimp
