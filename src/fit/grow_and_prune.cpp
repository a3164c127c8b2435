#include "fit/grow_and_prune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>

#include "data/memory.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "fit/honest_error.hpp"
#include "fit/own_units.hpp"
#include "fit/sampled_rows.hpp"
#include "fit/search_options.hpp"
#include "grow/finish.hpp"
#include "grow/finish_parts.hpp"
#include "grow/grow.hpp"
#include "grow/kernel_finish.hpp"
#include "grow/long_finish.hpp"
#include "grow/screen.hpp"
#include "grow/weak_terms.hpp"
#include "linalg/dense.hpp"
#include "linalg/matrix_memory.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// Without noise, more rows than there are columns say nothing new.
constexpr std::size_t most_rows_to_fit_exactly = 10000;

// Above this share of the target's variance left unexplained, predictions stay within the target's range and a
// twentieth of it on either side. That twentieth is about a fifth of the target's deviation, two deviations of such an
// error: what lies beyond is more likely an error than the truth. A better fit may well be right there.
constexpr double much_noise = 1e-2;

// Of the work, for progress.
constexpr double share_of_growing = 0.4;

class GrowAndPrune {
 public:
  GrowAndPrune(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const Rows* test,
               const FitObserver& observer)
      : frame_(std::move(frame)),
        validation_(validation),
        test_(test),
        observer_(observer),
        grow_(grow_options(*frame_)),
        finish_(finish_options(*frame_, grow_.include)) {}

  Choice run() {
    const Rows& all = frame_->rows;
    // Rows that nothing is chosen by, where there are more than are searched.
    std::optional<RowSplit> aside;
    if (validation_ == nullptr && !frame_->more && all.size() > most_rows_to_grow_on) {
      aside = hold_out(all, share_set_aside(all.size()), frame_->options.seed);
    }
    const Rows kept = aside ? gather(all, aside->train) : Rows();
    const Rows set_aside = aside ? gather(all, aside->held_out) : Rows();
    const Rows& rows = aside ? kept : all;
    const SampledRows searched(rows, most_rows_to_grow_on, frame_->options.seed);
    Grown grown = grow(searched.rows(), grow_, growing());
    check_stop();
    if (!searched.are_all() && !may_be_exact(grown)) add_weak_terms(grown, rows, grow_, growing());
    Finished finished = finish(grown, rows);
    check_stop();
    error_ = grown.errors.mean;
    if (finished.ridge > 0.0) consider_all_inputs(searched, grown, finished);
    if (finished.ridge > 0.0 && !all_inputs_) move_effects(searched.rows(), rows, grown, finished);
    if (all_inputs_) error_ = all_inputs_->errors.mean;
    if (all_inputs_ && finished.ridge > 0.0) low_order_ = finished;
    const Clipping clipping = clipping_now();
    std::optional<HonestError> honest;
    if (frame_->more) return finish_all_of_a_long_table(grown, finished, clipping);
    if (aside) {
      Finished judged = finished;
      if (all_inputs_) {
        SectionModels models =
            finish_with_sections(rows, &set_aside, *all_inputs_, finished, sections(), growing().is_over);
        judged = std::move(models.judged);
        finished = std::move(models.all);
        finished.records = judged.records;
        finished.chosen = judged.chosen;
      } else if (finished.ridge > 0.0) {
        finished = refit_with_ridge(std::move(finished), all, frame_->device);
      }
      const RowErrors errors = errors_on_new_rows(judged, rows, set_aside, clipping);
      honest = {errors.mean, errors.standard_error()};
      held_out_ = {aside->held_out};
      if (low_order_) {
        evaluate_low_order(rows, set_aside, clipping, true);
        low_order_ = refit_with_ridge(*std::move(low_order_), all, frame_->device);
      }
      if (finished.ridge > 0.0) leave_out(judged, rows, set_aside, clipping, true);
      return choice_of(finished, honest);
    }
    if (all_inputs_) finished = with_all_inputs(searched, *all_inputs_, finished);
    if (needs_nested_error(finished)) {
      offer(finished);
      report_part(finished);
      if (parts_.empty()) {
        const bool both = low_order_ && all_inputs_->beside_terms;
        const auto search = [&](const Rows& part) {
          return both ? search_part_both_ways(part, *all_inputs_) : std::vector{search_part(part)};
        };
        parts_ = errors_within_seconds(rows, both ? 2 : 1, search, clipping);
      }
      if (!parts_.empty()) {
        const std::vector<PartErrors>& own = parts_[all_inputs_ && parts_.size() > 1 ? 1 : 0];
        honest = honest_error(own, finished.error);
        held_out_ = rows_of(own);
        if (low_order_ && parts_.size() > 1) {
          low_order_error_ = honest_error(parts_[0], low_order_->error);
          low_order_left_out_ = left_out_rows(parts_[0], rows, low_order_->error);
        }
        left_out_ = left_out_rows(own, rows, finished.error);
      }
    }
    if (validation_ != nullptr) leave_out(finished, rows, *validation_, clipping, false);
    if (validation_ != nullptr && low_order_) evaluate_low_order(rows, *validation_, clipping, false);
    if (validation_ == nullptr && held_out_.empty()) held_out_ = held_out_by_folds(*frame_);
    if (left_out_.gaps.empty() && finished.held.squares.size() == rows.size()) {
      left_out_ = left_out_by_folds(rows, finished.held);
    }
    if (low_order_ && !low_order_error_) estimate_low_order_error(finished, honest);
    return choice_of(finished, honest);
  }

 private:
  // Effects of fewer inputs that interactions contain get terms of their own, where neither the search nor the pruned
  // model finds the errors higher.
  void move_effects(const Rows& searched, const Rows& rows, Grown& grown, Finished& finished) {
    std::optional<Grown> moved = move_effects_to_own_terms(searched, grown, grow_, growing());
    if (!moved) return;
    Finished other = finish_with_ridge(rows, validation_, test_, *moved, finish_, growing());
    if (!is_good_enough(other.held, finished.held)) return;
    grown = std::move(*moved);
    finished = std::move(other);
    error_ = grown.errors.mean;
    moves_effects_ = true;
  }

  // Sections of a term of all inputs, and exact fits, are fitted to the rows searched; columns of terms to all rows.
  Choice finish_all_of_a_long_table(const Grown& grown, Finished finished, const Clipping& clipping) {
    const LongRows& more = *frame_->more;
    Finished judged = finished;
    std::optional<double> train_mse;
    if (all_inputs_) {
      SectionModels models =
          finish_with_sections(frame_->rows, &more.telling, *all_inputs_, finished, sections(), growing().is_over);
      judged = std::move(models.judged);
      finished = std::move(models.all);
      finished.records = judged.records;
      finished.chosen = judged.chosen;
    } else if (finished.ridge > 0.0) {
      LongFinished models = finish_long(more, grown, finished, finish_, [this] { check_stop(); });
      judged = std::move(models.judged);
      finished = std::move(models.all);
      train_mse = models.train_mse;
    }
    const RowErrors errors = errors_on_new_rows(judged, frame_->rows, more.telling, clipping);
    if (low_order_) evaluate_low_order(frame_->rows, more.telling, clipping, true);
    if (finished.ridge > 0.0) leave_out(judged, frame_->rows, more.telling, clipping, true);
    Choice choice = choice_of(finished, HonestError{errors.mean, errors.standard_error()});
    choice.train_mse = train_mse;
    if (train_mse) choice.fitted_weight = static_cast<double>(more.rows);
    return choice;
  }

  /// Rows that the model was not fitted to tell how sure it is; `fitted`: the chosen one was.
  void leave_out(const Finished& model, const Rows& seen, const Rows& rows, const Clipping& clipping, bool fitted) {
    left_out_ = left_out_by(model, seen, rows, clipping, fitted);
  }

  [[nodiscard]] static LeftOutRows left_out_by(const Finished& model, const Rows& seen, const Rows& rows,
                                               const Clipping& clipping, bool fitted) {
    LeftOutRows left_out{Matrix(rows.X), rows.y, rows.weights, fitted};
    add_scaled(left_out.gaps, -1.0, predict_new_rows(model, seen, rows, clipping));
    return left_out;
  }

  [[nodiscard]] static LeftOutRows left_out_by_folds(const Rows& rows, const RowErrors& errors) {
    LeftOutRows left_out{Matrix(rows.X), {}, rows.weights, true};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double weight =
          rows.weights.empty() ? 1.0 : rows.weights[i] * static_cast<double>(rows.size()) / rows.total_weight();
      left_out.gaps.push_back(std::sqrt(errors.squares[i] / weight));
    }
    return left_out;
  }

  void check_stop() const {
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  // With hardly any noise, no term is found by chance, and folds of the pruning say what the error is.
  [[nodiscard]] bool needs_nested_error(const Finished& finished) const {
    constexpr double hardly_any_noise = 1e-4;
    return validation_ == nullptr && !frame_->options.terms.quick_error && finished.ridge > 0.0 &&
           unexplained_share() > hardly_any_noise;
  }

  // A term of all inputs comes where it predicts rows clearly better than the terms do; low order is easier to read.
  // The evidence, which counts what scales for all inputs could fit by chance, must speak for it as well: by 5, e^5 to
  // one.
  void consider_all_inputs(const SampledRows& searched, const Grown& grown, const Finished& terms) {
    constexpr double sure = 5.0;
    if (!may_take_kernel_term(*frame_, grow_)) return;
    // What a caller allows is spent; the usual budget is for the terms alone.
    if (frame_->options.terms.budget_operations > 0.0 && grown.work >= grow_.budget) return;
    if (growing().is_over()) return;
    AllInputsOptions options = kernel_term_options(*frame_, grow_, searched.rows(), terms.dictionary.weights.variables);
    const Rows fresh = validation_ != nullptr ? Rows() : searched.others(most_rows_to_grow_on);
    const Rows* const unseen = validation_ != nullptr ? validation_ : fresh.size() >= enough_unseen ? &fresh : nullptr;
    options.judged = unseen == nullptr;
    std::optional<AllInputs> found = find_all_inputs(searched.rows(), terms, options, growing().is_over);
    if (!found || !(found->evidence_gain > sure)) return;
    const bool takes = unseen != nullptr ? predicts_better(*found, searched.rows(), grown, terms, *unseen)
                                         : predicts_better(*found, searched.rows(), grown);
    if (takes) all_inputs_ = std::move(found);
  }

  static bool clearly_better(const RowErrors& errors, const RowErrors& before) {
    constexpr double share = 0.97;
    // The evidence takes rows for independent; where they belong together, errors have to say more.
    const double deviations = errors.starts ? 2.0 : 1.0;
    return errors.mean < share * before.mean && errors.clearly_below(before, deviations);
  }

  /// By rows that neither has seen.
  [[nodiscard]] bool predicts_better(const AllInputs& found, const Rows& rows, const Grown& grown,
                                     const Finished& terms, const Rows& unseen) const {
    const Clipping clipping = clipping_now();
    const Finished low = fit_terms(rows, grown, frame_->options.seed, frame_->device);
    const Finished all = finish_on_all_rows(rows, found, terms);
    return clearly_better(errors_on_new_rows(all, rows, unseen, clipping),
                          errors_on_new_rows(low, rows, unseen, clipping));
  }

  // The errors of the terms are of rows by which they were found, and too good. Where those of the other, which tuned
  // nothing, are below them all the same, that is enough; where they are far above, too. Else both searches are made
  // again without parts of the rows.
  [[nodiscard]] bool predicts_better(const AllInputs& found, const Rows& rows, const Grown& grown) {
    constexpr double far_above = 2.0;
    const RowErrors before = errors_at(grown.errors, found.judged_rows);
    if (rows.groups.empty() && clearly_better(found.judged_errors, before)) return true;
    if (!(found.judged_errors.mean < far_above * before.mean)) return false;
    const auto search = [&](const Rows& part) { return search_part_both_ways(part, found); };
    parts_ = errors_within_seconds(rows, 2, search, clipping_now());
    return !parts_.empty() && clearly_better(errors_of_all(parts_[1]), errors_of_all(parts_[0]));
  }

  [[nodiscard]] Clipping clipping_now() const {
    return {frame_->options.terms.clip, unexplained_share() > much_noise, frame_->scaling};
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
    options.device = frame_->device;
    return options;
  }

  [[nodiscard]] Finished with_all_inputs(const SampledRows& searched, const AllInputs& found, const Finished& terms) {
    const Rows& rows = searched.all();
    Finished model = searched.are_all()
                         ? finish_on_all_rows(rows, found, terms)
                         : finish_with_sections(rows, nullptr, found, terms, sections(), growing().is_over).judged;
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
                       "estimating the error by nested cross-validation", finished.coefficients.size(),
                       unit * finished.error});
  }

  /// Ends growth in time for the rest to be done, too.
  [[nodiscard]] GrowObserver quiet() const {
    constexpr double share_of_growth = 0.75;
    GrowObserver observer;
    observer.is_over = [this] {
      check_stop();
      if (share_of_seconds() > 1.0) throw SecondsAreOver();
      return share_of_seconds() > share_of_growth;
    };
    return observer;
  }

  /// None where the seconds are over before.
  [[nodiscard]] std::vector<std::vector<PartErrors>> errors_within_seconds(
      const Rows& rows, std::size_t kinds, const std::function<std::vector<Finished>(const Rows&)>& search,
      const Clipping& clipping) {
    try {
      return errors_of_parts(rows, kinds, search, clipping, frame_->options.seed);
    } catch (const SecondsAreOver&) {
      ended_early_ = true;
      return {};
    }
  }

  /// The selected terms without pruning, for a budget that has run out.
  [[nodiscard]] Finished finish_unpruned(const Grown& grown, const Rows& rows) {
    ended_early_ = true;
    const Clipping plain{frame_->options.terms.clip};
    Finished model = fit_terms(rows, grown, frame_->options.seed, frame_->device);
    if (validation_ == nullptr) model.held = grown.errors;
    if (validation_ != nullptr) model.error = errors_on_new_rows(model, rows, *validation_, plain).mean;
    PathRecord record;
    record.basis_functions = record.rank = model.coefficients.size();
    record.ridge = model.ridge;
    record.train_mse = errors_on_new_rows(model, rows, rows, plain).mean;
    record.validation_mse = model.error;
    if (test_ != nullptr) record.test_mse = errors_on_new_rows(model, rows, *test_, plain).mean;
    model.records = {record};
    return model;
  }

  [[nodiscard]] Finished search_terms(const Rows& part) const {
    GrowOptions options = grow_;
    options.budget /= most_parts_of_nested_error;
    Grown grown = grow(part, options, quiet());
    if (moves_effects_) {
      std::optional<Grown> moved = move_effects_to_own_terms(part, grown, options, quiet());
      if (moved) grown = std::move(*moved);
    }
    return finish_with_ridge(part, nullptr, nullptr, grown, finish_, quiet());
  }

  [[nodiscard]] Finished search_all_inputs(const Rows& part, const AllInputs& like, const Finished& terms) const {
    AllInputsOptions options = kernel_term_options(*frame_, grow_, part, terms.dictionary.weights.variables);
    options.judged = false;
    options.law = like.shape.law;
    options.only_beside_terms = like.beside_terms && !terms.coefficients.empty();
    const Finished none;
    const Finished& beside = options.only_beside_terms ? terms : none;
    const std::optional<AllInputs> found = find_all_inputs(part, beside, options, quiet().is_over);
    return found ? finish_on_all_rows(part, *found, beside) : terms;
  }

  /// The kind of model that was chosen.
  [[nodiscard]] Finished search_part(const Rows& part) {
    const bool has_terms = !all_inputs_ || all_inputs_->beside_terms;
    Finished model = has_terms ? search_terms(part) : Finished();
    if (all_inputs_) model = search_all_inputs(part, *all_inputs_, model);
    report_part(model);
    return model;
  }

  [[nodiscard]] std::vector<Finished> search_part_both_ways(const Rows& part, const AllInputs& like) {
    std::vector<Finished> models;
    models.push_back(search_terms(part));
    models.push_back(search_all_inputs(part, like, models.front()));
    report_part(models.back());
    return models;
  }

  // Offers the model to save if the fit is interrupted now.
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
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - frame_->began;
    return seconds > 0.0 ? elapsed.count() / seconds : 0.0;
  }

  void report(const Grown& grown, std::size_t round, double share_of_operations) {
    const double unit = frame_->scaling.target_scale * frame_->scaling.target_scale;
    if (observer_.on_step) {
      std::size_t columns = 0;
      for (const TermShape& term : grown.terms) columns += columns_of_a_weight(term) * weights_of(term);
      const double spent = std::min(1.0, std::max(share_of_operations, share_of_seconds()));
      observer_.on_step({share_of_growing * spent, fmt::format("round {}, {} terms", round, grown.terms.size()),
                         columns, unit * grown.errors.mean});
    }
    if (!observer_.on_better || !(grown.errors.mean < least_)) return;
    least_ = grown.errors.mean;
    observer_.on_better([frame = frame_, grown, unit] {
      const Finished model = fit_terms(frame->rows, grown, frame->options.seed, frame->device);
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
    try {
      return finish_with_ridge(rows, validation_, test_, grown, finish_, quiet());
    } catch (const SecondsAreOver&) {
      return finish_unpruned(grown, rows);
    }
  }

  /// Without coefficients where it is not.
  [[nodiscard]] Finished finish_exactly_if_far_better(const Grown& grown, const Rows& all_rows) {
    const SampledRows sampled(all_rows, most_rows_to_fit_exactly, frame_->options.seed);
    const Rows& rows = sampled.rows();
    const Rows& to_refit = sampled.are_all() ? frame_->rows : rows;
    double error_to_beat = grown.errors.mean;
    Finished exact;
    std::size_t judged_by = 0;
    if (validation_ != nullptr) {
      judged_by = validation_->size();
      exact = finish_exactly({rows, *validation_, to_refit, test_}, grown, error_to_beat, finish_, growing());
      if (!exact.coefficients.empty()) left_out_ = left_out_by_folds(*validation_, exact.held);
    } else {
      const RowSplit split = hold_out(rows, frame_->options.choice.fraction, frame_->options.seed);
      judged_by = split.held_out.size();
      HeldOutParts held_out(1);
      for (const std::size_t i : split.held_out) held_out.front().push_back(sampled.number_of(i));
      // The same rows, where the growth had them; few of them may be harder than most.
      if (grown.errors.squares.size() == rows.size()) {
        double held = 0.0;
        for (const std::size_t i : split.held_out) held += grown.errors.squares[i] / static_cast<double>(judged_by);
        error_to_beat = std::min(error_to_beat, held);
      }
      const Rows train = gather(rows, split.train);
      const Rows held = gather(rows, split.held_out);
      exact = finish_exactly({train, held, to_refit, test_}, grown, error_to_beat, finish_, growing());
      if (!exact.coefficients.empty()) left_out_ = left_out_by_folds(held, exact.held);
      held_out_ = std::move(held_out);
    }
    if (exact.error < exact_share_to_beat(judged_by) * error_to_beat) return exact;
    left_out_ = {};
    held_out_.clear();
    return {};
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

  [[nodiscard]] double unexplained_share() const { return error_ / std::pow(standard_deviation(frame_->rows.y), 2); }

  [[nodiscard]] Choice choice_of(const Finished& finished, const std::optional<HonestError>& honest) {
    Choice choice = choice_of_model(finished);
    choice.left_out = std::move(left_out_);
    choice.error = honest ? honest->mean : error_in_own_units(finished);
    choice.target_correction = correction_of(finished, frame_->rows, frame_->scaling);
    if (honest) choice.standard_error = honest->standard_error;
    choice.limits_target = unexplained_share() > much_noise;
    if (ended_early_) choice.warnings = {seconds_are_over_warning};
    choice.held_out = held_out_;
    if (low_order_ && low_order_error_) choice.low_order = low_order_choice();
    return choice;
  }

  void evaluate_low_order(const Rows& seen, const Rows& rows, const Clipping& clipping, bool fitted) {
    const RowErrors errors = errors_on_new_rows(*low_order_, seen, rows, clipping);
    low_order_error_ = {errors.mean, errors.standard_error()};
    low_order_left_out_ = left_out_by(*low_order_, seen, rows, clipping, fitted);
  }

  // A clear choice of the kernel term spares the nested cross-validation of the model of low order. Its error is then
  // that of the model with the kernel term times the ratio of the errors on which the search relied.
  void estimate_low_order_error(const Finished& kernel, const std::optional<HonestError>& honest) {
    const double error = error_in_own_units(*low_order_);
    const double ratio = honest ? honest->mean / error_in_own_units(kernel) : 1.0;
    low_order_error_ = {error * ratio, std::numeric_limits<double>::quiet_NaN()};
    const Rows& rows = frame_->rows;
    if (low_order_->held.squares.size() == rows.size()) low_order_left_out_ = left_out_by_folds(rows, low_order_->held);
  }

  [[nodiscard]] std::shared_ptr<Choice> low_order_choice() {
    auto low = std::make_shared<Choice>(choice_of_model(*low_order_));
    low->error = low_order_error_->mean;
    if (validation_ == nullptr && std::isfinite(low_order_error_->standard_error)) {
      low->standard_error = low_order_error_->standard_error;
    }
    low->left_out = std::move(low_order_left_out_);
    low->held_out = held_out_;
    low->target_correction = correction_of(*low_order_, frame_->rows, frame_->scaling);
    low->limits_target = unexplained_share() > much_noise;
    return low;
  }

  std::shared_ptr<const ModelFrame> frame_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  GrowOptions grow_;
  FinishOptions finish_;
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<AllInputs> all_inputs_;
  bool moves_effects_ = false;  // Whether some got terms of their own, as searches without parts of the rows then try.
  double error_ = 0.0;          // Of rows left out, in the units of y².
  std::vector<std::vector<PartErrors>> parts_;  // Of searches without parts of the rows, where these were made.
  LeftOutRows left_out_;
  HeldOutParts held_out_;              // Rows of the frame on which the error was estimated.
  std::optional<Finished> low_order_;  // What the kernel term replaced.
  std::optional<HonestError> low_order_error_;
  LeftOutRows low_order_left_out_;
  bool ended_early_ = false;
  std::mutex reporting_;
  std::size_t searched_ = 0;
};

}  // namespace

Choice grow_and_prune(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
                      const FitObserver& observer) {
  return GrowAndPrune(frame, validation, test, observer).run();
}

namespace {

// The screen: functions of the inputs, two copies, and products of tiles of them.
double of_screen(double rows, std::size_t inputs) {
  constexpr double products = 10.5;
  constexpr double most_products = 2.9e7;
  const auto functions = static_cast<double>(Screen::functions_of_an_input(inputs) * inputs);
  return 3.0 * rows * functions + std::min(most_products, products * functions * functions);
}

// The kernel of all inputs, its factor and inverse, and columns of terms.
double of_kernels(double grown) {
  constexpr double columns = 1900.0;
  return 2.9 * grown * grown + columns * grown;
}

}  // namespace

GrowMemory estimate_grow_memory(std::size_t m, std::size_t d, const FitOptions& options) {
  // One stage after the other: what the largest takes.
  const auto rows = static_cast<double>(m);
  const double grown = std::min(rows, static_cast<double>(most_rows_to_grow_on));
  const double exact = std::min(rows, static_cast<double>(most_rows_to_fit_exactly));
  const auto columns =
      static_cast<double>(std::min({most_exact_columns, 2 * options.draw.features, 3 * m, std::size_t{2000} + 2 * d}));
  // Of many rows, features of the terms that were found: more than these are rare.
  constexpr double usual_columns = 500.0;
  const double small = std::min(exact, columns);
  const double features = std::max(2.0 * exact * columns + 3.0 * small * small, 2.0 * rows * usual_columns);
  const double largest = std::max({of_screen(grown, d), of_kernels(grown), features});
  const double matrices = 8.0 * (largest + 4.0 * rows * static_cast<double>(d));
  // Searches without a part of the rows are made at once, but do not all have their largest matrices at one time.
  constexpr double buffers = 2e6;
  constexpr int most_others = 2;
  return {memory_of_the_program + matrices + most_spare_memory(matrices), buffers + 0.9 * 8.0 * grown * grown,
          most_others};
}

}  // namespace shrimp
