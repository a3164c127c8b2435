#include "fit/fit_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "data/marginals.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "fit/expansion_candidates.hpp"
#include "fit/fit_watch.hpp"
#include "fit/honest_error.hpp"
#include "fit/merge_terms.hpp"
#include "fit/sampled_rows.hpp"
#include "fit/search_options.hpp"
#include "grow/all_inputs.hpp"
#include "grow/class_expansion.hpp"
#include "model/terms.hpp"
#include "shrimp/classes.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The coefficients are fitted to at most this many rows. Chosen by hand: a Newton step takes seconds for ten classes
// and hundreds of basis functions.
constexpr std::size_t most_rows_to_fit_classes_to = 20000;

// Fraction of the operations that the searches take, for progress. Chosen by hand.
constexpr double fraction_of_searches = 0.4;

struct ClassSearch {
  MergedTerms terms;
  RidgeRange range;
  std::vector<std::uint32_t> inputs;  // Of the terms.
  std::size_t features_drawn = 0;
  std::size_t basis_functions_drawn = 0;
};

struct ClassCandidate {
  CandidateKind kind = CandidateKind::terms;
  BasisExpansion basis;
  ClassExpansion fitted;
};

struct ClassEstimate {
  HonestError loss;
  double brier = std::numeric_limits<double>::quiet_NaN();
  double constant = std::numeric_limits<double>::quiet_NaN();  // Losses of the two baselines on the same rows.
  double linear = std::numeric_limits<double>::quiet_NaN();
  bool is_independent = false;
};

// One target of 0 and 1.
Rows against_rest(const Rows& rows, std::size_t k) {
  Rows own{Matrix(rows.X), {}, rows.weights, rows.groups, rows.in_order, rows.kinds};
  for (const double y : rows.y) own.y.push_back(y == static_cast<double>(k) ? 1.0 : 0.0);
  return own;
}

class ClassFit {
 public:
  ClassFit(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const FitObserver& observer)
      : frame_(std::move(frame)),
        validation_(validation),
        observer_(observer),
        grow_(grow_options(*frame_)),
        finish_(finish_options(*frame_, grow_.include)),
        expansions_(grow_),
        watch_(*frame_, observer) {}

  FitResult run() {
    const Rows& all = frame_->rows;
    std::optional<RowSplit> aside;
    if (validation_ == nullptr && all.size() > most_rows_to_grow_on) {
      aside = hold_out(all, share_set_aside(all.size()), frame_->options.seed);
    }
    const Rows kept = aside ? gather(all, aside->train) : Rows();
    const Rows held = aside ? gather(all, aside->held_out) : Rows();
    const Rows& rows = aside ? kept : all;
    const SampledRows searched(rows, most_rows_to_grow_on, frame_->options.seed);
    std::vector<ClassCandidate> candidates;
    candidates.push_back(first_candidate(searched.rows()));
    offer(candidates.front());
    ClassSearch search;
    watch_.improve([&] {
      search = search_terms(searched.rows(), 1.0);
      add_candidates(searched.rows(), search, candidates);
    });
    std::vector<std::vector<PartErrors>> parts;
    std::size_t best = 0;
    watch_.improve([&] { best = choose(candidates, searched, search, parts); });
    ClassCandidate& chosen = candidates[best];
    offer(chosen);
    const Rows* const test_rows = validation_ != nullptr ? validation_ : aside ? &held : nullptr;
    refit(chosen, searched, rows);
    ClassEstimate estimate;
    watch_.improve([&] { estimate = estimate_loss(candidates, best, parts, rows, test_rows); });
    if (aside) refit(chosen, searched, all);
    return result_of(chosen, search, estimate);
  }

 private:
  [[nodiscard]] std::size_t classes() const { return frame_->classes.size(); }

  [[nodiscard]] ClassFitOptions fit_options(bool is_first = false) const {
    ClassFitOptions options{classes(), grow_.ridge, {}, {}, grow_.seed};
    if (is_first) {
      options.check = [this] { watch_.check_stop(); };
      if (watch_.has_budget()) options.is_over = [this] { return watch_.seconds_are_over(); };
    } else {
      options.check = [this] { watch_.check_budget(); };
    }
    return options;
  }

  [[nodiscard]] BasisExpansion expansion_of(CandidateKind kind, const Rows& rows, const ClassSearch& search) const {
    return expansions_.expansion_of(kind, rows, {search.terms.selected, search.terms.pruned});
  }

  /// A linear model, or constants where the options leave no room for one. It is there if the budget ends early.
  [[nodiscard]] ClassCandidate first_candidate(const Rows& rows) const {
    const bool is_linear = may_have_candidates(grow_, rows) && grow_.include.empty();
    const CandidateKind kind = is_linear ? CandidateKind::linear : CandidateKind::terms;
    BasisExpansion basis = expansion_of(kind, rows, {});
    // The prior variance of a coefficient is near the noise of a class for one row; chosen by hand.
    ClassExpansion fitted = fit_classes(basis, rows, {1.0}, fit_options(true));
    return {kind, std::move(basis), std::move(fitted)};
  }

  /// Terms of each class against the rest. `part`: fraction of the budget.
  [[nodiscard]] ClassSearch search_terms(const Rows& rows, double part) {
    GrowOptions options = grow_;
    // As with two classes, whose second search has the other half.
    constexpr double half = 0.5;
    options.budget *= half * part / static_cast<double>(classes());
    std::vector<SelectedTerms> found(classes());
    std::vector<double> ridges(classes());
    std::atomic<std::size_t> done = 0;
    parallel_for(classes(), [&](std::size_t k) {
      ridges[k] = search_class(against_rest(rows, k), options, found[k]);
      ++done;
      if (part == 1.0) {
        watch_.report(fraction_of_searches * static_cast<double>(done) / static_cast<double>(classes()),
                      fmt::format("class {}", frame_->classes[k]), found[k].pruned.coefficients.size());
      }
    });
    ClassSearch search;
    search.terms = merge_terms(found, grow_.max_terms);
    double logarithms = 0.0;
    for (const double ridge : ridges) logarithms += std::log(ridge) / static_cast<double>(classes());
    search.range = {std::exp(logarithms), std::ranges::min(ridges)};
    search.inputs = search.terms.pruned.dictionary.weights.variables;
    for (const SelectedTerms& own : found) {
      search.features_drawn += own.pruned.features_drawn;
      search.basis_functions_drawn += own.pruned.basis_functions_drawn;
    }
    return search;
  }

  /// Selects and prunes terms on the working response near the best constant. Returns λ in units of the loss.
  double search_class(const Rows& rows, const GrowOptions& options, SelectedTerms& found) const {
    const LossFunction loss(Loss::logistic);
    const std::vector<double> constant(rows.size(), best_constant(loss, rows.y, rows.weights));
    const WorkingRows working = working_rows(rows, loss, constant);
    GrowObserver watching;
    watching.is_over = [this] {
      watch_.check_budget();
      return watch_.share_of_search_is_spent();
    };
    GrowObserver quiet;
    quiet.is_over = [this] {
      watch_.check_budget();
      return false;
    };
    Grown selected = grow(working.rows, options, watching);
    if (!selected.terms.empty()) {
      found.pruned = finish_with_ridge(working.rows, nullptr, nullptr, selected, finish_, quiet);
    }
    found.selected = std::move(selected.terms);
    return (found.pruned.ridge > 0.0 ? found.pruned.ridge : selected.lambda) * working.mean_weight;
  }

  void add_candidates(const Rows& rows, const ClassSearch& search, std::vector<ClassCandidate>& candidates) {
    const auto add = [&](CandidateKind kind, RidgeRange range) {
      watch_.check_budget();
      BasisExpansion basis = expansion_of(kind, rows, search);
      watch_.report("fitting all classes", basis.size());
      ClassExpansion fitted = fit_classes(basis, rows, range, fit_options());
      candidates.push_back({kind, std::move(basis), std::move(fitted)});
    };
    const bool has_linear = candidates.front().kind == CandidateKind::linear;
    add(CandidateKind::terms, search.range);
    // The selected terms replace the constants, and precede a linear model that is not simpler.
    if (!has_linear) {
      candidates.erase(candidates.begin());
    } else if (candidates[0].basis.size() >= candidates[1].basis.size()) {
      std::swap(candidates[0], candidates[1]);
    }
    if (!may_have_candidates(grow_, rows)) return;
    add(CandidateKind::both, search.range);
    if (!grow_.include.empty()) return;
    if (frame_->options.terms.max_order == 0 && may_take_kernel_term(*frame_, grow_)) add_kernel(rows, search, add);
  }

  /// One kernel for all classes: that of the class against the rest with the most balanced rows.
  template <typename Add>
  void add_kernel(const Rows& rows, const ClassSearch& search, const Add& add) {
    const auto is_over = [this] {
      watch_.check_budget();
      return false;
    };
    const LossFunction loss(Loss::logistic);
    const Rows own = against_rest(rows, most_frequent_class(rows));
    const std::vector<double> constant(rows.size(), best_constant(loss, own.y, own.weights));
    const WorkingRows working = working_rows(own, loss, constant);
    const std::optional<KernelShape> kernel =
        find_isotropic_kernel(working.rows, kernel_term_options(*frame_, grow_, rows, search.inputs), is_over);
    if (!kernel) return;
    expansions_.set_kernel(*kernel);
    add(CandidateKind::kernel, RidgeRange{kernel->noise * working.mean_weight});
  }

  [[nodiscard]] std::vector<double> weights_by_class(const Rows& rows) const {
    std::vector<double> totals(classes(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      totals[static_cast<std::size_t>(rows.y[i])] += rows.weights.empty() ? 1.0 : rows.weights[i];
    }
    return totals;
  }

  [[nodiscard]] std::size_t most_frequent_class(const Rows& rows) const {
    const std::vector<double> totals = weights_by_class(rows);
    return static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
  }

  /// The best candidate on rows that no search has seen: those of a file, those beyond the searched ones, or folds.
  [[nodiscard]] std::size_t choose(const std::vector<ClassCandidate>& candidates, const SampledRows& searched,
                                   const ClassSearch& search, std::vector<std::vector<PartErrors>>& parts) {
    const Rows fresh = validation_ != nullptr ? Rows() : searched.others(most_rows_to_grow_on);
    const Rows* const unseen = validation_ != nullptr ? validation_ : fresh.size() >= enough_unseen ? &fresh : nullptr;
    const bool wants_error = validation_ == nullptr && searched.are_all() && !frame_->options.terms.quick_error;
    const auto terms = std::ranges::find(candidates, CandidateKind::terms, &ClassCandidate::kind);
    const std::size_t first = terms == candidates.end() ? 0 : static_cast<std::size_t>(terms - candidates.begin());
    if (candidates.size() == 1 && !wants_error) return first;
    std::vector<RowErrors> losses;
    if (unseen != nullptr) {
      for (const ClassCandidate& one : candidates) {
        losses.push_back(judge(one.fitted, searched.rows(), *unseen).to_choose_by);
      }
    } else {
      parts = losses_of_folds(candidates, searched.rows(), search);
      for (const auto& own : parts) losses.push_back(errors_of_all(own, &PartErrors::to_choose_by));
      if (losses.empty()) return first;
    }
    std::vector<CandidateKind> kinds;
    for (const ClassCandidate& one : candidates) kinds.push_back(one.kind);
    const std::size_t best = simplest_of_the_best(kinds, losses);
    if (!wants_error) parts.clear();
    return best;
  }

  /// Searches without one fold after the other. Candidates have the ridge and kernel of all rows.
  [[nodiscard]] std::vector<std::vector<PartErrors>> losses_of_folds(const std::vector<ClassCandidate>& candidates,
                                                                     const Rows& rows, const ClassSearch& search) {
    const auto evaluate = [&](const Rows& train, const Rows& held) {
      const ClassSearch own = search_terms(train, 1.0 / static_cast<double>(most_parts_of_nested_error));
      std::vector<PartErrors> errors;
      for (const ClassCandidate& one : candidates) {
        ClassFitOptions options = fit_options();
        const bool has_terms = one.kind == CandidateKind::terms || one.kind == CandidateKind::both;
        if (!options.ridge) options.ridge = one.fitted.ridge * (has_terms ? own.range.start / search.range.start : 1.0);
        const ClassExpansion model = fit_classes(expansion_of(one.kind, train, own), train, own.range, options);
        errors.push_back(judge(model, train, held));
      }
      watch_.report(fraction_of_searches + (1.0 - fraction_of_searches) * static_cast<double>(++searched_folds_) / 6.0,
                    "estimating the error by nested cross-validation", candidates.back().basis.size());
      return errors;
    };
    return judge_parts(rows, candidates.size(), evaluate, frame_->options.seed);
  }

  /// The gaps are the roots of the rows' Brier scores. There is no internal error: nested errors are not corrected for
  /// the rows that each fold lacks.
  [[nodiscard]] PartErrors judge(const ClassExpansion& model, const Rows& fitted, const Rows& left_out) const {
    const Clipping clipping{frame_->options.terms.clip};
    return judged(model.sums_at(clipped_inputs(fitted, left_out, clipping)), fitted, left_out);
  }

  [[nodiscard]] static PartErrors judged(const Matrix& sums, const Rows& fitted, const Rows& left_out) {
    PartErrors part{class_losses(left_out, sums), 1.0, left_out.total_weight()};
    part.to_choose_by = class_losses_to_choose_by(left_out, sums, count_units(fitted) + count_units(left_out));
    part.gaps = brier_roots(left_out, sums);
    return part;
  }

  /// By test rows, those of a file, or the folds of the choice; else by cross-validation of the coefficients.
  [[nodiscard]] ClassEstimate estimate_loss(const std::vector<ClassCandidate>& candidates, std::size_t best,
                                            const std::vector<std::vector<PartErrors>>& parts, const Rows& rows,
                                            const Rows* test_rows) const {
    ClassEstimate estimate;
    estimate.is_independent = validation_ == nullptr && (test_rows != nullptr || !parts.empty());
    const auto linear = std::ranges::find(candidates, CandidateKind::linear, &ClassCandidate::kind);
    const auto mean_of = [](const PartErrors& part) { return part.errors.mean; };
    if (test_rows != nullptr) {
      const PartErrors part = judge(candidates[best].fitted, rows, *test_rows);
      estimate.loss = {part.errors.mean, part.errors.standard_error()};
      estimate.brier = mean_square(part.gaps, test_rows->weights);
      estimate.constant = mean_of(judged(constant_sums(rows, test_rows->size()), rows, *test_rows));
      if (linear != candidates.end()) estimate.linear = mean_of(judge(linear->fitted, rows, *test_rows));
      return estimate;
    }
    if (!parts.empty()) {
      estimate.loss = honest_error(parts[best], 1.0);
      const LeftOutRows left_out = left_out_rows(parts[best], rows, 1.0);
      estimate.brier = mean_square(left_out.gaps, left_out.weights);
      estimate.constant = constant_loss(parts[best], rows);
      if (linear != candidates.end()) {
        estimate.linear = honest_error(parts[static_cast<std::size_t>(linear - candidates.begin())], 1.0).mean;
      }
      return estimate;
    }
    const ClassCandidate& chosen = candidates[best];
    const PartErrors part =
        judged(cross_validated_sums(chosen.basis, rows, chosen.fitted.ridge, fit_options()), rows, rows);
    estimate.loss = {part.errors.mean, part.errors.standard_error()};
    estimate.brier = mean_square(part.gaps, rows.weights);
    return estimate;
  }

  [[nodiscard]] double constant_loss(const std::vector<PartErrors>& parts, const Rows& rows) const {
    std::vector<PartErrors> constants;
    for (const PartErrors& part : parts) {
      std::vector<bool> is_out(rows.size(), false);
      for (const std::size_t i : part.rows) is_out[i] = true;
      std::vector<std::size_t> rest;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!is_out[i]) rest.push_back(i);
      }
      const Rows train = gather(rows, rest);
      const Rows held = gather(rows, part.rows);
      constants.push_back(judged(constant_sums(train, held.size()), train, held));
    }
    return honest_error(constants, 1.0).mean;
  }

  /// Logarithms of the fractions of the classes. A class without rows counts as a thousandth of one.
  [[nodiscard]] Matrix constant_sums(const Rows& rows, std::size_t count) const {
    const std::vector<double> totals = weights_by_class(rows);
    Matrix sums(count, classes());
    const double least = 1e-3 * rows.total_weight() / static_cast<double>(rows.size());
    for (std::size_t k = 0; k < classes(); ++k) std::ranges::fill(sums.col(k), std::log(std::max(totals[k], least)));
    return sums;
  }

  /// Fits the coefficients to more rows than were searched, at the same ridge.
  void refit(ClassCandidate& chosen, const SampledRows& searched, const Rows& rows) {
    if (searched.are_all() && rows.size() == searched.rows().size()) return;
    watch_.improve([&] {
      const SampledRows fitted(rows, most_rows_to_fit_classes_to, frame_->options.seed);
      ClassFitOptions options = fit_options();
      options.ridge = chosen.fitted.ridge;
      chosen.fitted = fit_classes(chosen.basis, fitted.rows(), {}, options);
    });
  }

  /// Offers the model to save if the fit is interrupted now.
  void offer(const ClassCandidate& candidate) const {
    if (!observer_.on_better_classes) return;
    observer_.on_better_classes([frame = frame_, fitted = std::make_shared<const ClassExpansion>(copy_of(
                                                     candidate.fitted))] { return build(*frame, *fitted); });
  }

  [[nodiscard]] static ClassExpansion copy_of(const ClassExpansion& model) {
    return {model.dictionary, model.scales, Matrix(model.coefficients), model.intercepts, model.ridge};
  }

  [[nodiscard]] static ClassModel build(const ModelFrame& frame, const ClassExpansion& fitted);

  [[nodiscard]] FitResult result_of(const ClassCandidate& chosen, const ClassSearch& search,
                                    const ClassEstimate& estimate) const;

  std::shared_ptr<const ModelFrame> frame_;
  const Rows* validation_;
  const FitObserver& observer_;
  GrowOptions grow_;
  FinishOptions finish_;
  ExpansionCandidates expansions_;
  FitWatch watch_;
  std::atomic<int> searched_folds_ = 0;
};

// Terms of all classes with their fractions in each, and their fractions of the variances of all classes together.
void set_terms(const ModelFrame& frame, const Matrix& sums, ClassModel& model) {
  const std::vector<Marginal> marginals = scale_marginals(model.shared.marginals, frame.scaling);
  std::map<std::vector<std::uint32_t>, Term> all;
  std::vector<std::map<std::vector<std::uint32_t>, double>> fractions(model.classes.size());
  double total = 0.0;
  double above_three = 0.0;
  bool has_above_three = false;
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    TermShares shares = make_terms(model.shared.dictionary, marginals, frame.rows.X, frame.rows.weights,
                                   model.coefficients[k]);
    // The components' variances sum to the variance of the predictor without covariances.
    const double variance = weighted_variance(sums.col(k), frame.rows.weights) * (1.0 - shares.covariance.value_or(0.0));
    total += variance;
    if (shares.above_three) above_three += variance * *shares.above_three;
    has_above_three = has_above_three || shares.above_three.has_value();
    for (Term& term : without_what_the_sample_made(std::move(shares.terms), frame.rows.size())) {
      fractions[k][term.variables] = term.fraction;
      Term& own = all.try_emplace(term.variables, Term{term.variables, term.basis_functions, 0.0, {}}).first->second;
      own.fraction += variance * term.fraction;
    }
  }
  model.shared.terms.clear();
  for (auto& [variables, term] : all) {
    if (total > 0.0) term.fraction /= total;
    model.shared.terms.push_back(std::move(term));
  }
  std::ranges::stable_sort(model.shared.terms, std::ranges::greater(), &Term::fraction);
  model.fractions.assign(model.classes.size(), {});
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    for (const Term& term : model.shared.terms) {
      const auto found = fractions[k].find(term.variables);
      model.fractions[k].push_back(found == fractions[k].end() ? 0.0 : found->second);
    }
  }
  if (has_above_three && total > 0.0) model.shared.results["fraction_above_order_three"] = above_three / total;
}

ClassModel ClassFit::build(const ModelFrame& frame, const ClassExpansion& fitted) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  ClassModel model;
  model.classes = frame.classes;
  model.intercepts = fitted.intercepts;
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    const std::span<const double> own = fitted.coefficients.col(k);
    model.coefficients.emplace_back(own.begin(), own.end());
  }
  model.shared = build_model(frame, fitted.dictionary.subset(all_columns(fitted.dictionary.columns())),
                             model.coefficients.front(), 0.0, unknown, 0.0);
  model.shared.classes.clear();
  model.shared.coefficients.clear();
  for (const char* name : {"train_mse", "train_r2", "covariance_fraction", "fraction_above_order_three"}) {
    model.shared.results.erase(name);
  }
  const Matrix sums = fitted.sums_at(frame.rows.X);
  set_terms(frame, sums, model);
  model.shared.results["train_log_loss"] = class_losses(frame.rows, sums).mean;
  model.shared.results["train_brier"] = mean_square(brier_roots(frame.rows, sums), frame.rows.weights);
  return model;
}

FitResult ClassFit::result_of(const ClassCandidate& chosen, const ClassSearch& search,
                              const ClassEstimate& estimate) const {
  FitResult result;
  ClassModel model = build(*frame_, chosen.fitted);
  std::map<std::string, double>& results = model.shared.results;
  const auto set = [&](const char* name, double value) {
    if (std::isfinite(value)) results[name] = value;
  };
  set("validation_log_loss", estimate.loss.mean);
  if (estimate.is_independent) set("validation_log_loss_se", estimate.loss.standard_error);
  set("validation_brier", estimate.brier);
  set("baseline_mean_log_loss", estimate.constant);
  set("baseline_linear_log_loss", estimate.linear);
  results["ridge"] = chosen.fitted.ridge;
  results["features_drawn"] = static_cast<double>(search.features_drawn);
  results["basis_functions_drawn"] = static_cast<double>(search.basis_functions_drawn);
  std::set<int> orders;
  for (std::size_t j = 0; j < model.shared.dictionary.weights.size(); ++j) {
    orders.insert(static_cast<int>(model.shared.dictionary.weights.support(j).size()));
  }
  result.order.assign(orders.begin(), orders.end());
  if (result.order.empty()) result.order = {0};
  results["lowest_order"] = result.order.front();
  results["highest_order"] = result.order.back();
  result.ridge = chosen.fitted.ridge;
  result.features_drawn = search.features_drawn;
  result.basis_functions_drawn = search.basis_functions_drawn;
  result.train_mse = results["train_brier"];
  result.validation_mse = estimate.brier;
  PathRecord record;
  record.basis_functions = record.rank = model.shared.dictionary.columns();
  record.ridge = chosen.fitted.ridge;
  record.train_mse = result.train_mse;
  record.validation_mse = result.validation_mse;
  result.path = {record};
  if (watch_.ended_early()) result.warnings = {seconds_are_over_warning};
  if (frame_->rows.size() > most_rows_to_fit_classes_to) {
    result.warnings.push_back(fmt::format("loss multinomial fitted the coefficients to a random sample of {} of {} rows.",
                                          most_rows_to_fit_classes_to, frame_->rows.size()));
  }
  if (model.shared.dictionary.columns() == 0) {
    result.alerts = {fmt::format("the model has no terms: no effect on \"{}\" was detected, so all predictions are equal.",
                                 frame_->target)};
  }
  result.model = model.model_of(0);
  result.class_model = std::move(model);
  return result;
}

}  // namespace

FitResult fit_by_classes(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation,
                         const FitObserver& observer) {
  return ClassFit(frame, validation, observer).run();
}

}  // namespace shrimp
