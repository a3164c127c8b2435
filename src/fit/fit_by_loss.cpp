#include "fit/fit_by_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "data/present.hpp"
#include "data/split.hpp"
#include "fit/honest_error.hpp"
#include "fit/own_units.hpp"
#include "fit/sampled_rows.hpp"
#include "fit/search_options.hpp"
#include "grow/finish_by_loss.hpp"
#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The ridge and the columns to keep are chosen on so many rows at most; the columns kept are fitted to all.
constexpr std::size_t most_rows_to_finish_on = 10000;

// Searches, the first near the best constant.
constexpr int most_searches = 3;

// Of the work, for progress.
constexpr double share_of_searching = 0.4;

/// The terms that were found, these and straight lines, or lines alone.
enum class Kind { terms, both, lines };

/// Whether a fit is the one that gives the first model, and ends with what it has when the seconds are over; or
/// improves a model that there is, and is then given up.
enum class Need { first_model, improvement };

struct Found {
  Grown grown;
  LossFunction loss;
  FittedTerms fitted;
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
        finish_(finish_options(*frame_, grow_.include)) {
    // It counts beside the squared errors of grown terms, and is looked for anew under the loss.
    ridge_ = grow_.ridge;
  }

  Choice run() {
    const Rows& all = frame_->rows;
    std::optional<RowSplit> aside;
    if (validation_ == nullptr && all.size() > most_rows_to_grow_on) {
      aside = hold_out(all, share_set_aside(all.size()), frame_->options.seed);
    }
    const Rows kept = aside ? gather(all, aside->train) : Rows();
    const Rows& rows = aside ? kept : all;
    const SampledRows searched(rows, most_rows_to_grow_on, frame_->options.seed);
    const SampledRows finishing(rows, most_rows_to_finish_on, frame_->options.seed);
    Found found = search_terms(searched.rows(), Need::first_model);
    improve([&] {
      kind_ = choose_kind(searched.rows());
      found = of_kind(kind_, searched.rows(), found);
      offer(found.fitted.model);
    });
    const LossToFinish how = how_to(found.loss, Need::improvement);
    Finished finished = found.fitted.model;
    if (validation_ != nullptr) finished.records.back().validation_mse = error_on(*validation_, finished, found.loss);
    improve([&] {
      finished = finish_by_loss(finishing.rows(), validation_, test_, found.grown, found.fitted.lambda, how, finish_);
      offer(finished);
      if (!finishing.are_all()) finished = refit_by_loss(finished, rows, how);
      offer(finished);
    });
    const Finished judged = finished;
    if (aside) improve([&] { finished = refit_by_loss(finished, all, how); });
    if (aside) held_out_ = {aside->held_out};
    tell_errors(judged, rows, aside ? gather(all, aside->held_out) : Rows(), how);
    return choice_of(found, finished);
  }

 private:
  void check_stop() const {
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  [[nodiscard]] LossToFinish how_to(const LossFunction& loss, Need need) const {
    if (need == Need::first_model) {
      LossToFinish how{loss, ridge_, [this] { check_stop(); }};
      if (frame_->options.terms.budget_seconds > 0.0) how.is_over = [this] { return seconds_are_over(); };
      return how;
    }
    const auto check = [this] {
      check_stop();
      if (seconds_are_over()) throw SecondsAreOver();
    };
    return {loss, ridge_, check};
  }

  [[nodiscard]] bool seconds_are_over() const { return share_of_seconds() >= 1.0; }

  /// What is not done when the seconds are over is left as it was.
  void improve(const std::function<void()>& step) {
    try {
      if (seconds_are_over()) throw SecondsAreOver();
      step();
    } catch (const SecondsAreOver&) {
      ended_early_ = true;
    }
  }

  [[nodiscard]] GrowObserver watched(const WorkingRows& working, const LossFunction& loss, Need need) {
    GrowObserver growing;
    growing.is_over = [this] {
      check_stop();
      return share_of_seconds() > share_of_search;
    };
    if (need == Need::improvement) return growing;
    growing.on_change = [&, this](const Grown& grown, std::size_t round, double spent) {
      check_stop();
      report(share_of_searching * spent, fmt::format("round {}, {} terms", round, grown.terms.size()),
             columns_of(grown));
      if (!has_model_) offer(grown, working.mean_weight, loss);
    };
    return growing;
  }

  [[nodiscard]] static std::size_t columns_of(const Grown& grown) {
    std::size_t columns = 0;
    for (const TermShape& term : grown.terms) columns += columns_of_a_weight(term) * weights_of(term);
    return columns;
  }

  [[nodiscard]] double share_of_seconds() const {
    const double seconds = frame_->options.terms.budget_seconds;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - frame_->began;
    return seconds > 0.0 ? elapsed.count() / seconds : 0.0;
  }

  // Parts are searched by several threads, of which one at a time reports.
  void report(double done, const std::string& what, std::size_t columns) {
    if (!observer_.on_step) return;
    const std::lock_guard lock(reporting_);
    done_ = std::max(done_, done);
    observer_.on_step({std::min(1.0, done_), what, columns, least_mse_});
  }

  /// Huber's scale is that of the residuals so far, in all rows alike: MSE is no guide where there are outliers.
  static LossFunction scaled(Loss loss, const Rows& rows, std::span<const double> sums) {
    if (loss != Loss::huber) return LossFunction(loss);
    const double scale = robust_deviation(rows.y, sums, rows.weights);
    // More than half of the rows are fitted exactly: what is beyond rounding is an outlier.
    constexpr double rounding = 1e-9;
    return LossFunction(loss, scale > 0.0 ? scale : rounding);
  }

  [[nodiscard]] Found search_near(const Rows& rows, const LossFunction& loss, std::span<const double> sums,
                                  const GrowOptions& options, Need need) {
    const WorkingRows working = working_rows(rows, loss, sums);
    Found found{grow(working.rows, options, watched(working, loss, need)), loss, {}};
    if (need == Need::first_model) report(done_, "choosing the ridge", columns_of(found.grown));
    found.fitted = fit_terms_by_loss(rows, found.grown, working.mean_weight, how_to(loss, need), options.seed);
    return found;
  }

  [[nodiscard]] Found search_terms(const Rows& rows, Need need) {
    GrowOptions options = grow_;
    const bool is_first = need == Need::first_model;
    options.budget /= static_cast<double>(is_first ? most_searches : most_searches * most_parts_of_nested_error);
    const Loss kind = frame_->options.loss;
    const std::vector<double> constant(rows.size(), constant_sum(LossFunction(kind), rows.y, rows.weights));
    Found best = search_near(rows, scaled(kind, rows, constant), constant, options, need);
    if (is_first) offer(best.fitted.model);
    for (int k = 1; k < most_searches && !share_is_spent(); ++k) {
      const LossFunction loss = scaled(kind, rows, best.fitted.left_out_sums);
      Found next = search_near(rows, loss, best.fitted.left_out_sums, options, need);
      // Both under the same loss, of which Huber's has another scale now.
      const RowErrors before = losses_of(loss, rows, best.fitted.left_out_sums);
      constexpr double deviations = 0.5;
      if (!next.fitted.errors.clearly_below(before, deviations)) break;
      next.grown.work += best.grown.work;
      best = std::move(next);
      if (is_first) offer(best.fitted.model);
    }
    return best;
  }

  // Straight lines of inputs that have none, all under one ridge, and the levels of categories: of many small effects,
  // none may be found by itself.
  [[nodiscard]] std::vector<TermShape> lines_beside(const Rows& rows, const std::vector<TermShape>& terms) const {
    TermShape lines;
    std::vector<TermShape> others;
    for (std::uint32_t j = 0; j < rows.X.cols(); ++j) {
      const auto [lowest, highest] = range_of_present(rows.X.col(j));
      const bool excluded = std::ranges::find(grow_.exclude, Support{j}) != grow_.exclude.end();
      const bool has_one = std::ranges::any_of(terms, [&](const TermShape& term) {
        return (term.linear() || term.by_level()) && std::ranges::find(term.variables, j) != term.variables.end();
      });
      if (!(lowest < highest) || excluded || has_one) continue;
      if (rows.is_category(j)) {
        others.push_back({.variables = {j}, .scales = {}, .levels = rows.kinds->levels[j]});
      } else {
        lines.variables.push_back(j);
      }
    }
    if (!lines.variables.empty()) others.push_back(std::move(lines));
    return others;
  }

  [[nodiscard]] Found with_terms(const Rows& rows, const Found& found, std::vector<TermShape> terms) const {
    Found other{found.grown, found.loss, {}};
    other.grown.terms = std::move(terms);
    const double mean_weight = working_rows(rows, found.loss, found.fitted.sums).mean_weight;
    other.fitted = fit_terms_by_loss(rows, other.grown, mean_weight, how_to(found.loss, Need::improvement), grow_.seed);
    return other;
  }

  /// Lines are taken of inputs that have none, or of all.
  [[nodiscard]] Found of_kind(Kind kind, const Rows& rows, const Found& found) const {
    std::vector<TermShape> terms = kind == Kind::lines ? std::vector<TermShape>() : found.grown.terms;
    if (kind == Kind::terms) return found;
    std::ranges::move(lines_beside(rows, terms), std::back_inserter(terms));
    return with_terms(rows, found, std::move(terms));
  }

  [[nodiscard]] std::vector<Kind> kinds_to_try(const Rows& rows) const {
    constexpr std::size_t most_inputs = 500;
    constexpr std::size_t fewest_units = 15;
    const std::size_t inputs = rows.X.cols();
    const bool tries =
        grow_.max_terms == 0 && inputs >= 2 && inputs <= most_inputs && count_units(rows) >= fewest_units;
    if (!tries) return {Kind::terms};
    if (!grow_.include.empty()) return {Kind::terms, Kind::both};
    return {Kind::lines, Kind::terms, Kind::both};
  }

  // Errors of terms are of rows by which they were found, and too good beside those of lines, which nobody looked for.
  // So searches are made again without parts of the rows, and the kind is taken of the least loss on these.
  [[nodiscard]] Kind choose_kind(const Rows& rows) {
    constexpr std::size_t folds = 5;
    const std::vector<Kind> kinds = kinds_to_try(rows);
    if (kinds.size() == 1) return kinds.front();
    const std::vector<RowSplit> parts = fold(rows, folds, grow_.seed);
    std::vector<RowErrors> losses(kinds.size());
    for (RowErrors& own : losses) own.squares.resize(rows.size());
    parallel_for(parts.size(), [&](std::size_t k) {
      const Rows train = gather(rows, parts[k].train);
      const Rows held = gather(rows, parts[k].held_out);
      const Found found = search_terms(train, Need::improvement);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const Found other = of_kind(kinds[kind], train, found);
        const RowErrors own = losses_on(other, train, held);
        const double weight = held.total_weight() / static_cast<double>(held.size());
        for (std::size_t i = 0; i < held.size(); ++i) {
          losses[kind].squares[parts[k].held_out[i]] = weight * own.squares[i];
        }
        report(done_, "comparing with straight lines, without parts of the rows",
               other.fitted.model.coefficients.size());
      }
    });
    for (RowErrors& own : losses) {
      for (const double loss : own.squares) own.mean += loss / static_cast<double>(rows.size());
      own.group(rows.groups);
    }
    return kinds[simplest_of_the_best(losses)];
  }

  /// Kinds come from the simplest on; another must be clearly better.
  [[nodiscard]] static std::size_t simplest_of_the_best(const std::vector<RowErrors>& losses) {
    constexpr double deviations = 0.5;
    std::size_t best = 0;
    for (std::size_t k = 1; k < losses.size(); ++k) {
      if (losses[k].clearly_below(losses[best], deviations)) best = k;
    }
    return best;
  }

  [[nodiscard]] RowErrors losses_on(const Found& found, const Rows& train, const Rows& held) const {
    const Clipping clipping{frame_->options.terms.clip};
    const std::size_t units = count_units(train) + count_units(held);
    const std::vector<double> sums = predict_new_rows(found.fitted.model, train, held, clipping);
    return losses_to_choose_by(found.loss, held, sums, units);
  }

  [[nodiscard]] bool share_is_spent() const { return share_of_seconds() > share_of_search; }

  [[nodiscard]] Finished search_part(const Rows& part) {
    const Found found = of_kind(kind_, part, search_terms(part, Need::improvement));
    const LossToFinish how = how_to(found.loss, Need::improvement);
    Finished finished = finish_by_loss(part, nullptr, nullptr, found.grown, found.fitted.lambda, how, finish_);
    report(share_of_searching + (1.0 - share_of_searching) * static_cast<double>(++searched_parts_) / 6.0,
           "searching again without parts of the rows, for the error", finished.coefficients.size());
    return finished;
  }

  [[nodiscard]] PartErrors judge(const Finished& model, const Rows& fitted, const Rows& left_out,
                                 const LossFunction& loss) const {
    const Clipping clipping{frame_->options.terms.clip};
    const std::vector<double> sums = predict_new_rows(model, fitted, left_out, clipping);
    PartErrors part{losses_of(loss, left_out, sums), model.error, left_out.total_weight(), {}, left_out.y};
    for (std::size_t i = 0; i < sums.size(); ++i) part.gaps[i] -= loss.mean(sums[i]);
    return part;
  }

  // By rows set aside, those of a file, searches without parts of the rows, or, to save their time, the folds of the
  // pruning.
  void tell_errors(const Finished& finished, const Rows& rows, const Rows& set_aside, const LossToFinish& how) {
    error_ = {finished.error, finished.held.standard_error()};
    mse_ = finished.records[finished.chosen].validation_mse;
    if (validation_ == nullptr && held_out_.empty()) held_out_ = held_out_by_folds(*frame_);
    if (set_aside.size() > 0 || validation_ != nullptr) {
      const Rows& unseen = validation_ != nullptr ? *validation_ : set_aside;
      const PartErrors part = judge(finished, rows, unseen, how.loss);
      error_ = {part.errors.mean, part.errors.standard_error()};
      mse_ = mean_square(part.gaps, unseen.weights);
      took_no_part_ = validation_ == nullptr;
      left_out_ = {Matrix(unseen.X), part.gaps, unseen.weights, took_no_part_};
    } else if (!frame_->options.terms.quick_error) {
      improve([&] { search_without_parts(finished, rows, how); });
    }
    if (has_link(how.loss.kind())) left_out_ = {};
  }

  void search_without_parts(const Finished& finished, const Rows& rows, const LossToFinish& how) {
    const auto find = [&](const Rows& part) { return std::vector{search_part(part)}; };
    const auto judged = [&](const Finished& model, const Rows& fitted, const Rows& left_out) {
      return judge(model, fitted, left_out, how.loss);
    };
    const std::vector<std::vector<PartErrors>> parts = judge_parts(rows, 1, find, judged, frame_->options.seed);
    if (parts.empty()) return;
    error_ = honest_error(parts.front(), finished.error);
    left_out_ = left_out_rows(parts.front(), rows, finished.error);
    mse_ = mean_square(left_out_.gaps, left_out_.weights);
    took_no_part_ = true;
    held_out_ = rows_of(parts.front());
  }

  // Offers the model to save if the fit is interrupted now. While terms are searched, it is made when it is wanted,
  // from so many rows that this takes a moment.
  void offer(const Grown& grown, double mean_weight, const LossFunction& loss) const {
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, grown, mean_weight, loss] {
      const ThreadScope scope(frame->options.machine.threads);
      constexpr std::size_t rows_of_a_moment = 2000;
      const SampledRows sample(frame->rows, rows_of_a_moment, frame->options.seed);
      const Finished model = approximate_by_loss(sample.rows(), grown, mean_weight, loss, frame->options.seed);
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      return build_model(*frame, model.dictionary, model.coefficients, model.constant, unknown);
    });
  }

  void offer(const Finished& finished) {
    has_model_ = true;
    least_mse_ = unit() * finished.records[finished.chosen].validation_mse;
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, finished, mse = least_mse_] {
      return build_model(*frame, finished.dictionary, finished.coefficients, finished.constant, mse);
    });
  }

  /// On rows of a file.
  [[nodiscard]] double error_on(const Rows& rows, const Finished& model, const LossFunction& loss) const {
    const Clipping clipping{frame_->options.terms.clip};
    return squared_error_of_mean(loss, rows, predict_new_rows(model, frame_->rows, rows, clipping));
  }

  [[nodiscard]] double unit() const { return frame_->scaling.target_scale * frame_->scaling.target_scale; }

  [[nodiscard]] Choice choice_of(const Found& found, const Finished& finished) {
    Choice choice = choice_of_model(finished);
    choice.left_out = std::move(left_out_);
    choice.held_out = std::move(held_out_);
    choice.error = mse_;
    choice.target_correction = frame_->scaling.target_correction;
    tell_losses(found.loss, finished, choice.results);
    if (ended_early_) choice.warnings = {seconds_are_over_warning};
    return choice;
  }

  void tell_losses(const LossFunction& loss, const Finished& finished, std::map<std::string, double>& results) const {
    const LossName told = told_loss(loss.kind());
    const double factor = told.factor * (has_link(loss.kind()) ? 1.0 : unit());
    const std::vector<double> sums = predict_sums(finished, frame_->rows.X);
    results[fmt::format("train_{}", told.name)] = factor * mean_loss(loss, frame_->rows.y, sums, frame_->rows.weights);
    results[fmt::format("validation_{}", told.name)] = factor * error_.mean;
    if (took_no_part_) results[fmt::format("validation_{}_se", told.name)] = factor * error_.standard_error;
    if (loss.kind() == Loss::huber) results["huber_scale"] = frame_->scaling.target_scale * loss.scale();
  }

  std::shared_ptr<const ModelFrame> frame_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  GrowOptions grow_;
  FinishOptions finish_;
  std::optional<double> ridge_;
  Kind kind_ = Kind::terms;
  HonestError error_;  // A loss.
  double mse_ = 0.0;
  bool took_no_part_ = false;  // Whether the rows of the error did not in any choice.
  LeftOutRows left_out_;
  HeldOutParts held_out_;
  bool ended_early_ = false;
  std::mutex reporting_;
  double done_ = 0.0;
  bool has_model_ = false;                                       // Fitted under the loss, and offered.
  double least_mse_ = std::numeric_limits<double>::quiet_NaN();  // Of that model.
  std::atomic<int> searched_parts_ = 0;
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
  return counts;
}

LossName told_loss(Loss loss) {
  if (loss == Loss::logistic) return {"log_loss", 1.0};
  if (loss == Loss::poisson) return {"deviance", 2.0};
  return {"huber_loss", 1.0};
}

}  // namespace shrimp
