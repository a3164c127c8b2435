#include "fit/fit_by_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "data/split.hpp"
#include "fit/expansion_candidates.hpp"
#include "fit/fit_watch.hpp"
#include "fit/honest_error.hpp"
#include "fit/own_units.hpp"
#include "fit/sampled_rows.hpp"
#include "fit/search_options.hpp"
#include "grow/finish_by_loss.hpp"
#include "linalg/dense.hpp"
#include "objective/links.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Columns are pruned on at most this many rows. Chosen by hand.
constexpr std::size_t most_rows_to_prune_on = 10000;

// Fraction of the operations, for progress.
constexpr double fraction_of_search = 0.4;

using Kind = CandidateKind;

/// Whether a fit yields the first model, and ends with what it has at the end of the budget; or improves a model and is
/// then given up.
enum class Need { first_model, improvement };

struct Search {
  Grown selected;
  Finished pruned;  // For squared error of the working response.
  LossFunction loss;
  double ridge = 0.0;  // That of the selection, in units of the loss.
  ExpansionFit fitted;
};

struct Candidate {
  Kind kind = Kind::terms;
  BasisExpansion basis;
  ExpansionFit fitted;
};

class LossFit {
 public:
  LossFit(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const Rows* test,
          const FitObserver& observer)
      : frame_(std::move(frame)),
        validation_(validation),
        test_(test),
        observer_(observer),
        grow_(grow_options(*frame_)),
        finish_(finish_options(*frame_, grow_.include)),
        expansions_(grow_),
        watch_(*frame_, observer) {
    loss_ = loss_function(*frame_);
    // A ridge that the caller gives holds for the loss; that of the selection is chosen.
    ridge_ = grow_.ridge;
  }

  Choice run() {
    const Rows& all = frame_->rows;
    std::optional<RowSplit> aside;
    if (validation_ == nullptr && all.size() > most_rows_to_grow_on) {
      aside = hold_out(all, share_set_aside(all.size()), frame_->options.seed);
    }
    const Rows kept = aside ? gather(all, aside->train) : Rows();
    const Rows held = aside ? gather(all, aside->held_out) : Rows();
    const Rows& rows = aside ? kept : all;
    const SampledRows searched(rows, most_rows_to_grow_on, frame_->options.seed);
    Search search = search_terms(searched.rows(), Need::first_model);
    watch_.improve([&] { prune_on(rows, searched, search); });
    std::vector<Candidate> candidates;
    candidates.push_back({Kind::terms, expansion_of(search.pruned), search.fitted});
    watch_.improve([&] { add_candidates(searched.rows(), search, candidates); });
    Chosen chosen{terms_of(candidates), {}, {}};
    const bool wants_error = validation_ == nullptr && !aside && !frame_->options.terms.quick_error;
    watch_.improve([&] { chosen = choose(candidates, searched, search, wants_error); });
    const auto choice_of_candidate = [&](std::size_t k) {
      const Finished fitted = with_records(candidates[k].fitted.model, candidates[k], search);
      offer(fitted);
      Finished judged = searched.are_all() ? fitted : refit(fitted, candidates[k], rows, search.loss);
      Finished model = aside ? refit(judged, candidates[k], all, search.loss) : judged;
      const std::vector<PartErrors> parts = chosen.parts.empty() ? std::vector<PartErrors>() : chosen.parts[k];
      Estimate estimate = estimate_error(judged, parts, rows, held, search.loss);
      if (aside) estimate.held_out = {aside->held_out};
      return choice_of(search.loss, model, std::move(estimate));
    };
    Choice choice = choice_of_candidate(chosen.best);
    if (chosen.readable) choice.low_order = std::make_shared<Choice>(choice_of_candidate(*chosen.readable));
    return choice;
  }

 private:
  /// A candidate, the best one without a kernel where that has one, and the errors of all on folds, if these were used.
  struct Chosen {
    std::size_t best = 0;
    std::optional<std::size_t> readable;
    std::vector<std::vector<PartErrors>> parts;
  };

  struct Estimate {
    HonestError error;  // A loss.
    double mse = 0.0;
    bool is_independent = false;  // Whether its rows were not used for any choice.
    LeftOutRows left_out;
    HeldOutParts held_out;
  };

  [[nodiscard]] LossToFinish how_to(const LossFunction& loss, Need need) const {
    if (need == Need::first_model) {
      LossToFinish how{loss, ridge_, [this] { watch_.check_stop(); }};
      if (watch_.has_budget()) how.is_over = [this] { return watch_.seconds_are_over(); };
      return how;
    }
    return {loss, ridge_, [this] { watch_.check_budget(); }};
  }

  [[nodiscard]] GrowObserver watched(const WorkingRows& working, const LossFunction& loss, Need need) {
    GrowObserver watching;
    watching.is_over = [this] {
      watch_.check_stop();
      return watch_.share_of_search_is_spent();
    };
    if (need == Need::improvement) return watching;
    watching.on_change = [&, this](const Grown& selected, std::size_t round, double spent) {
      watch_.check_stop();
      watch_.report(fraction_of_search * spent, fmt::format("round {}, {} terms", round, selected.terms.size()),
                    columns_of(selected));
      if (!has_model_) offer(selected, working.mean_weight, loss);
    };
    return watching;
  }

  [[nodiscard]] static std::size_t columns_of(const Grown& grown) {
    std::size_t columns = 0;
    for (const TermShape& term : grown.terms) columns += columns_of_a_weight(term) * weights_of(term);
    return columns;
  }

  /// The loss with the scale of the residuals so far, about their median: a mean square is no guide where there are
  /// outliers.
  [[nodiscard]] LossFunction scaled(const Rows& rows, std::span<const double> sums) const {
    if (!loss_.objective().has_scale) return loss_;
    std::vector<double> residuals = rows.y;
    add_scaled(residuals, -1.0, sums);
    const std::vector<double> median(rows.size(), weighted_quantile(residuals, rows.weights, 0.5));
    const double scale = robust_standard_deviation(residuals, median, rows.weights);
    // More than half of the rows are fitted exactly: what is beyond rounding is an outlier.
    constexpr double rounding = 1e-9;
    return loss_.with_scale(scale > 0.0 ? scale : rounding);
  }

  [[nodiscard]] std::vector<double> constant_at(const Rows& rows) const {
    return std::vector<double>(rows.size(), best_constant(loss_, rows.y, rows.weights));
  }

  [[nodiscard]] static RidgeRange range_of(const Search& search) { return {search.ridge, search.ridge}; }

  [[nodiscard]] static BasisExpansion expansion_of(const Finished& pruned) {
    return BasisExpansion(ScaledDictionary(pruned.dictionary, pruned.scales));
  }

  [[nodiscard]] Search search_near(const Rows& rows, const LossFunction& loss, std::span<const double> sums,
                                   const Finished* near, const GrowOptions& options, Need need) {
    const WorkingRows working = working_rows(rows, loss, sums);
    Search search{grow(working.rows, options, watched(working, loss, need)), {}, loss, 0.0, {}};
    if (need == Need::first_model) watch_.report("pruning basis functions", columns_of(search.selected));
    prune(working, near, need, search);
    search.fitted =
        fit_expansion(expansion_of(search.pruned), rows, range_of(search), how_to(loss, need), options.seed);
    return search;
  }

  /// For squared error of the working response. `near`: the model at whose linear predictor that is; null: the best
  /// constant.
  void prune(const WorkingRows& working, const Finished* near, Need need, Search& search) {
    GrowObserver quiet;
    quiet.is_over = [this] {
      watch_.check_stop();
      return false;
    };
    std::optional<WorkingRows> validation;
    if (validation_ != nullptr && need == Need::first_model) {
      validation = working_rows(*validation_, search.loss, sums_near(*validation_, near));
    }
    if (search.selected.terms.empty()) {
      search.pruned = Finished();
      search.pruned.records.resize(1);
    } else {
      search.pruned = finish_with_ridge(working.rows, validation ? &validation->rows : nullptr, nullptr,
                                        search.selected, finish_, quiet);
    }
    const double lambda = search.pruned.ridge > 0.0 ? search.pruned.ridge : search.selected.lambda;
    search.ridge = lambda * working.mean_weight;
    // From units of the working response to those of the target's mean, exact for the rows of a constant fit.
    for (PathRecord& record : search.pruned.records) {
      const double unit = working.mean_weight * working.mean_weight;
      record.train_mse *= unit;
      record.validation_mse *= unit;
    }
  }

  [[nodiscard]] std::vector<double> sums_near(const Rows& rows, const Finished* near) const {
    if (near != nullptr) return predict_sums(*near, rows.X);
    return std::vector<double>(rows.size(), best_constant(loss_, frame_->rows.y, frame_->rows.weights));
  }

  [[nodiscard]] Search search_terms(const Rows& rows, Need need) {
    GrowOptions options = grow_;
    const bool is_first = need == Need::first_model;
    const int most = is_first ? loss_.objective().most_searches : searches_;
    options.budget /= static_cast<double>(is_first ? most : most * static_cast<int>(most_parts_of_nested_error));
    const std::vector<double> constant = constant_at(rows);
    Search best = search_near(rows, scaled(rows, constant), constant, nullptr, options, need);
    if (is_first) offer(best.fitted.model);
    for (int k = 1; k < most && !watch_.share_of_search_is_spent(); ++k) {
      const LossFunction loss = scaled(rows, best.fitted.left_out_sums);
      Search next = search_near(rows, loss, best.fitted.left_out_sums, &best.fitted.model, options, need);
      // Both under the same loss: its scale may have changed.
      const RowErrors before = losses_of(loss, rows, best.fitted.left_out_sums);
      constexpr double standard_errors = 0.5;
      if (!next.fitted.errors.clearly_below(before, standard_errors)) break;
      best = std::move(next);
      if (is_first) searches_ = k + 1;
      if (is_first) offer(best.fitted.model);
    }
    return best;
  }

  /// Prunes again where there are more rows than were searched: they can tell more basis functions from zero.
  void prune_on(const Rows& rows, const SampledRows& searched, Search& search) {
    if (searched.are_all() || search.selected.terms.empty()) return;
    const SampledRows pruning(rows, most_rows_to_prune_on, frame_->options.seed);
    const WorkingRows working =
        working_rows(pruning.rows(), search.loss, predict_sums(search.fitted.model, pruning.rows().X));
    const Finished near = search.fitted.model;
    prune(working, &near, Need::first_model, search);
    search.fitted = fit_expansion(expansion_of(search.pruned), searched.rows(), range_of(search),
                                  how_to(search.loss, Need::improvement), grow_.seed);
    offer(search.fitted.model);
  }

  [[nodiscard]] BasisExpansion expansion_of(Kind kind, const Rows& rows, const Search& search) const {
    const ScaledDictionary pruned(search.pruned.dictionary, search.pruned.scales);
    return expansions_.expansion_of(kind, rows, {search.selected.terms, pruned});
  }

  void add_candidates(const Rows& rows, const Search& search, std::vector<Candidate>& candidates) {
    if (!may_have_candidates(grow_, rows)) return;
    const auto add = [&](Kind kind, RidgeRange range) {
      watch_.check_budget();
      BasisExpansion basis = expansion_of(kind, rows, search);
      if (basis.size() == 0) return Candidate{kind, std::move(basis), {}};
      ExpansionFit fitted = fit_expansion(basis, rows, range, how_to(search.loss, Need::improvement), grow_.seed);
      watch_.report("comparing with a linear model and a kernel", basis.size());
      return Candidate{kind, std::move(basis), std::move(fitted)};
    };
    candidates.push_back(add(Kind::both, range_of(search)));
    if (!grow_.include.empty()) return;
    if (frame_->options.terms.max_order == 0 && may_take_kernel_term(*frame_, grow_)) {
      const auto is_over = [this] {
        watch_.check_budget();
        return false;
      };
      const WorkingRows working = working_rows(rows, search.loss, constant_at(rows));
      const std::optional<KernelShape> kernel = find_isotropic_kernel(
          working.rows, kernel_term_options(*frame_, grow_, rows, search.pruned.dictionary.weights.variables), is_over);
      if (kernel) {
        expansions_.set_kernel(*kernel);
        candidates.push_back(add(Kind::kernel, {kernel->noise * working.mean_weight}));
      }
    }
    Candidate linear = add(Kind::linear, {search.ridge});
    const bool is_simpler = linear.basis.size() < candidates.front().basis.size();
    candidates.insert(candidates.begin() + (is_simpler ? 0 : 1), std::move(linear));
    std::erase_if(candidates, [](const Candidate& one) { return one.basis.size() == 0 && one.kind != Kind::terms; });
  }

  // By rows that no search has seen: those of a file, those beyond the searched ones, or folds. Leave-one-out losses of
  // the searched rows would favour terms, which were selected by them. The folds also estimate the error.
  [[nodiscard]] Chosen choose(const std::vector<Candidate>& candidates, const SampledRows& searched,
                              const Search& search, bool wants_error) {
    const Rows fresh = validation_ != nullptr ? Rows() : searched.others(most_rows_to_grow_on);
    const Rows* const unseen = validation_ != nullptr ? validation_ : fresh.size() >= enough_unseen ? &fresh : nullptr;
    Chosen chosen{terms_of(candidates), {}, {}};
    if (candidates.size() == 1 && !wants_error) return chosen;
    std::vector<RowErrors> losses;
    if (unseen != nullptr) {
      for (const Candidate& one : candidates) {
        losses.push_back(judge(one.fitted.model, searched.rows(), *unseen, search.loss).to_choose_by);
      }
    } else {
      chosen.parts = errors_of_folds(candidates, searched.rows(), search);
      for (const auto& own : chosen.parts) losses.push_back(errors_of_all(own, &PartErrors::to_choose_by));
      if (losses.empty()) return chosen;
    }
    const std::size_t kernels = candidates.back().kind == Kind::kernel ? 1 : 0;
    std::vector<Kind> kinds;
    for (const Candidate& one : candidates) kinds.push_back(one.kind);
    chosen.best = simplest_of_the_best(kinds, losses);
    if (candidates[chosen.best].kind == Kind::kernel) {
      chosen.readable = simplest_of_the_best(kinds, std::span(losses).first(losses.size() - kernels));
    }
    if (!wants_error) chosen.parts.clear();
    return chosen;
  }

  [[nodiscard]] static std::size_t terms_of(const std::vector<Candidate>& candidates) {
    const auto is_terms = [](const Candidate& one) { return one.kind == Kind::terms; };
    return static_cast<std::size_t>(std::ranges::find_if(candidates, is_terms) - candidates.begin());
  }

  /// Searches without one fold after the other. A candidate's ridge and kernel are those of all rows.
  [[nodiscard]] std::vector<std::vector<PartErrors>> errors_of_folds(const std::vector<Candidate>& candidates,
                                                                     const Rows& rows, const Search& search) {
    const auto find = [&](const Rows& part) {
      const Search own = search_terms(part, Need::improvement);
      std::vector<Finished> models;
      for (const Candidate& one : candidates) {
        watch_.check_budget();
        const bool has_terms = one.kind == Kind::terms || one.kind == Kind::both;
        LossToFinish how = how_to(own.loss, Need::improvement);
        if (!ridge_) how.ridge = one.fitted.lambda * (has_terms ? own.ridge / search.ridge : 1.0);
        models.push_back(fit_expansion(expansion_of(one.kind, part, own), part, {own.ridge}, how, grow_.seed).model);
      }
      watch_.report(fraction_of_search + (1.0 - fraction_of_search) * static_cast<double>(++searched_folds_) / 6.0,
                    "estimating the error by nested cross-validation", models.back().coefficients.size());
      return models;
    };
    const auto judged = [&](const Finished& model, const Rows& fitted, const Rows& left_out) {
      return judge(model, fitted, left_out, search.loss);
    };
    return judge_parts(rows, candidates.size(), find, judged, frame_->options.seed);
  }

  [[nodiscard]] PartErrors judge(const Finished& model, const Rows& fitted, const Rows& left_out,
                                 const LossFunction& loss) const {
    const Clipping clipping{frame_->options.terms.clip};
    const std::vector<double> sums = predict_new_rows(model, fitted, left_out, clipping);
    PartErrors part{losses_of(loss.reported(), left_out, sums), model.error, left_out.total_weight(), {}, left_out.y};
    part.to_choose_by = losses_to_choose_by(loss, left_out, sums, count_units(fitted) + count_units(left_out));
    for (std::size_t i = 0; i < sums.size(); ++i) part.gaps[i] -= loss.mean(sums[i]);
    return part;
  }

  /// By test rows, those of a file, or the folds of the choice; else the approximate leave-one-out error.
  [[nodiscard]] Estimate estimate_error(const Finished& model, const std::vector<PartErrors>& parts, const Rows& rows,
                                        const Rows& test_rows, const LossFunction& loss) const {
    Estimate estimate;
    estimate.error = {model.error, model.held.standard_error()};
    estimate.mse = model.records[model.chosen].validation_mse;
    estimate.is_independent = validation_ == nullptr && (test_rows.size() > 0 || !parts.empty());
    if (test_rows.size() > 0 || validation_ != nullptr) {
      const Rows& unseen = validation_ != nullptr ? *validation_ : test_rows;
      const PartErrors part = judge(model, rows, unseen, loss);
      estimate.error = {part.errors.mean, part.errors.standard_error()};
      estimate.left_out = {Matrix(unseen.X), part.gaps, unseen.weights, estimate.is_independent, unseen.y};
    } else if (!parts.empty()) {
      estimate.error = honest_error(parts, model.error);
      estimate.left_out = left_out_rows(parts, rows, model.error);
      estimate.held_out = rows_of(parts);
    }
    const LeftOutRows& left_out = estimate.left_out;
    if (!left_out.gaps.empty()) estimate.mse = mean_square(left_out.gaps, left_out.weights);
    if (validation_ == nullptr && estimate.held_out.empty()) estimate.held_out = held_out_by_folds(*frame_);
    if (loss.objective().interval == IntervalKind::none) estimate.left_out = {};
    return estimate;
  }

  [[nodiscard]] Finished refit(Finished model, const Candidate& candidate, const Rows& rows, const LossFunction& loss) {
    watch_.improve([&] {
      Finished refitted = refit_expansion(candidate.basis, candidate.fitted, rows, how_to(loss, Need::improvement));
      model.dictionary = std::move(refitted.dictionary);
      model.scales = std::move(refitted.scales);
      model.coefficients = std::move(refitted.coefficients);
      model.constant = refitted.constant;
    });
    return model;
  }

  /// The path of the pruning, whose chosen step has the errors of the fit under the loss.
  [[nodiscard]] Finished with_records(Finished model, const Candidate& chosen, const Search& search) const {
    const PathRecord own = model.records.front();
    const bool is_pruned = chosen.kind == Kind::terms;
    if (is_pruned) {
      model.records = search.pruned.records;
      model.chosen = search.pruned.chosen;
      model.rate = search.pruned.rate;
      model.features_drawn = search.pruned.features_drawn;
      model.basis_functions_drawn = search.pruned.basis_functions_drawn;
    }
    PathRecord& record = model.records[model.chosen];
    record.ridge = own.ridge;
    record.train_mse = own.train_mse;
    record.validation_mse = own.validation_mse;
    if (validation_ != nullptr) record.validation_mse = error_on(*validation_, model, search.loss);
    if (test_ != nullptr) record.test_mse = error_on(*test_, model, search.loss);
    return model;
  }

  // Offers the model to save if the fit is interrupted now. During the selection it is fitted when it is wanted, to so
  // many rows that this takes a moment.
  void offer(const Grown& selected, double mean_weight, const LossFunction& loss) const {
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, selected, mean_weight, loss] {
      const ThreadScope scope(frame->options.machine.threads);
      constexpr std::size_t rows_of_a_moment = 2000;
      const SampledRows sample(frame->rows, rows_of_a_moment, frame->options.seed);
      const BasisExpansion basis(ScaledDictionary(selected, frame->options.seed));
      const Finished model = approximate_expansion(basis, sample.rows(), selected.lambda * mean_weight, loss);
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      return build_model(*frame, model.dictionary, model.coefficients, model.constant, unknown);
    });
  }

  void offer(const Finished& finished) {
    has_model_ = true;
    const double mse = unit() * finished.records[finished.chosen].validation_mse;
    watch_.set_least_error(mse);
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, finished, mse] {
      return build_model(*frame, finished.dictionary, finished.coefficients, finished.constant, mse);
    });
  }

  /// On rows of a file.
  [[nodiscard]] double error_on(const Rows& rows, const Finished& model, const LossFunction& loss) const {
    const Clipping clipping{frame_->options.terms.clip};
    return squared_error_of_mean(loss, rows, predict_new_rows(model, frame_->rows, rows, clipping));
  }

  [[nodiscard]] double unit() const { return frame_->target_unit * frame_->target_unit; }

  [[nodiscard]] Choice choice_of(const LossFunction& loss, const Finished& finished, Estimate estimate) const {
    Choice choice = choice_of_model(finished);
    choice.error = estimate.mse;
    choice.target_correction = frame_->scaling.target_correction;
    add_losses(loss, finished, estimate, choice.results);
    if (watch_.ended_early()) choice.warnings = {seconds_are_over_warning};
    choice.left_out = std::move(estimate.left_out);
    choice.held_out = std::move(estimate.held_out);
    return choice;
  }

  void add_losses(const LossFunction& loss, const Finished& finished, const Estimate& estimate,
                  std::map<std::string, double>& results) const {
    const Metric& metric = loss.objective().metric;
    const double factor = metric.factor * std::pow(frame_->target_unit, loss.objective().degree(loss.parameters()));
    const std::vector<double> sums = predict_sums(finished, frame_->rows.X);
    const double train = mean_loss(loss.reported(), frame_->rows.y, sums, frame_->rows.weights);
    results[fmt::format("train_{}", metric.key)] = factor * train;
    results[fmt::format("validation_{}", metric.key)] = factor * estimate.error.mean;
    if (estimate.is_independent) {
      results[fmt::format("validation_{}_se", metric.key)] = factor * estimate.error.standard_error;
    }
    if (loss.objective().has_scale) {
      results[scale_key(loss.objective())] = frame_->target_unit * loss.parameters().scale;
    }
  }

  std::shared_ptr<const ModelFrame> frame_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  GrowOptions grow_;
  FinishOptions finish_;
  LossFunction loss_;  // Without the scale of the residuals.
  std::optional<double> ridge_;
  int searches_ = 1;  // That improved the fit to all rows; folds make as many.
  ExpansionCandidates expansions_;
  FitWatch watch_;
  bool has_model_ = false;  // Fitted under the loss, and offered.
  std::atomic<int> searched_folds_ = 0;
};

}  // namespace

Choice fit_by_loss(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
                   const FitObserver& observer) {
  return LossFit(frame, validation, test, observer).run();
}

Dataset rates_of(Dataset counts) {
  if (counts.exposure.empty()) return counts;
  counts.weights.resize(counts.y.size(), 1.0);
  for (std::size_t i = 0; i < counts.y.size(); ++i) {
    counts.y[i] /= counts.exposure[i];
    counts.weights[i] *= counts.exposure[i];
  }
  counts.exposure.clear();
  counts.exposure_of_weight = 1.0;
  return counts;
}

LossFunction loss_function(const ModelFrame& frame) {
  const FitOptions& options = frame.options;
  if (options.loss == Loss::custom) {
    return LossFunction(options.custom_loss, frame.scaling.target_mean, frame.scaling.target_scale);
  }
  return loss_function(options);
}

LossFunction loss_function(const FitOptions& options) {
  LossParameters parameters;
  if (options.loss == Loss::tweedie) parameters.shape = options.tweedie_power;
  if (options.loss == Loss::quantile) parameters.shape = options.quantile;
  if (options.loss == Loss::custom) return LossFunction(options.custom_loss, 0.0, 1.0);
  return LossFunction(options.loss, parameters);
}

}  // namespace shrimp
