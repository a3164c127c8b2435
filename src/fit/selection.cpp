#include "fit/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "methods/method.hpp"
#include "path/refit.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

namespace {

std::string describe_orders(const std::vector<int>& orders) {
  return orders.size() == 1 ? fmt::format("order {}", orders.front())
                            : fmt::format("order {}-{}", orders.front(), orders.back());
}

// A Aᵀ of all rows, of which that of a fold's rows is a part. Made when first asked for.
class GramOfAllRows {
 public:
  explicit GramOfAllRows(const RowSpace& A) : A_(A) {}

  Matrix of_rows(std::span<const std::size_t> rows) {
    if (G_.empty()) G_ = A_.gram(all_columns(A_.cols()));
    Matrix G(rows.size(), rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = j; i < rows.size(); ++i) G(i, j) = G_(rows[i], rows[j]);
    }
    return G;
  }

 private:
  const RowSpace& A_;
  Matrix G_;
};

// By how much the rows' targets are above what a step says, in scaled units.
std::vector<double> gaps_of(const Equations& held, const PathStep& step) {
  std::vector<double> gaps = held.A->combine(step.columns, step.coefficients);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    gaps[i] = (held.y[i] - gaps[i]) / (held.roots.empty() || held.roots[i] == 0.0 ? 1.0 : held.roots[i]);
  }
  return gaps;
}

// Of more rows left out, quantiles are no surer than they need be.
constexpr std::size_t enough_left_out = 1000;

class Selection {
 public:
  Selection(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const Rows* test,
            const FitObserver& observer)
      : frame_(std::move(frame)),
        options_(frame_->options),
        method_(method_named(options_.method)),
        rates_(rates_of(method_, options_)),
        validation_(validation),
        test_(test),
        observer_(observer) {
    unit_ = frame_->scaling.target_scale * frame_->scaling.target_scale;
    constexpr double rounding = 2.0 * std::numeric_limits<double>::epsilon();
    for (const double y : frame_->rows.y) rounding_ += rounding * y * rounding * y;
    rounding_ /= static_cast<double>(frame_->rows.size());
    plan();
  }

  Choice run() {
    if (validation_ != nullptr || options_.choice.folds == 0) {
      choose_by_held_out_rows();
    } else {
      choose_by_folds();
    }
    if (!method_.prunes_by_rate) best_.rate = 0.0;
    return std::move(best_);
  }

 private:
  // Estimates the work, for progress.
  void plan() {
    const auto folds = static_cast<double>(options_.choice.folds);
    double largest = 0.0;
    for (const std::vector<int>& orders : options_.orders) {
      const std::size_t columns = method_.count_columns({frame_->rows.size(), frame_->inputs.size()}, orders, options_);
      for (const double rate : rates_) {
        const double work = work_of_branch(columns, rate);
        work_ += work * std::max(1.0, folds);
        largest = std::max(largest, work);
      }
    }
    if (runs_again()) work_ += largest;
  }

  // In columns where the work of a step grows with them.
  [[nodiscard]] double work_of_step(std::size_t columns) const {
    return method_.prunes_by_rate || method_.chooses_columns ? static_cast<double>(columns) : 1.0;
  }

  [[nodiscard]] double work_of_branch(std::size_t columns, double rate) const {
    if (!method_.prunes_by_rate) return work_of_step(columns);
    const std::vector<std::size_t> sizes = path_sizes(columns, rate);
    return std::accumulate(sizes.begin(), sizes.end(), 0.0);
  }

  // Whether the chosen candidate is found once more on all rows.
  [[nodiscard]] bool runs_again() const {
    return validation_ == nullptr && (options_.choice.folds > 0 || !method_.chooses_columns);
  }

  [[nodiscard]] std::shared_ptr<const Dictionary> draw(const Rows& rows, const std::vector<int>& orders) const {
    return std::make_shared<Dictionary>(method_.draw(rows.X, orders, options_));
  }

  [[nodiscard]] EquationMaker maker(const std::shared_ptr<const Dictionary>& dictionary, const Rows& rows) const {
    return {dictionary, rows, frame_->stores_A, frame_->device};
  }

  [[nodiscard]] Equations state_test(const std::shared_ptr<const Dictionary>& dictionary) const {
    return test_ != nullptr ? maker(dictionary, *test_).all() : Equations();
  }

  [[nodiscard]] Problem state(const Dictionary& dictionary, const Equations& equations, Columns centres) const {
    return {dictionary, equations,      std::move(centres), frame_->scaling.target_scale,
            {},         observer_.stop, frame_->device};
  }

  [[nodiscard]] std::string name_of(const std::vector<int>& orders, double rate) const {
    return describe_orders(orders) + (rates_.size() > 1 ? fmt::format(", prune {}", rate) : "");
  }

  // Those that a branch is fitted to, and those that it is judged by; either of these may have no rows.
  struct Sides {
    const Equations& train;
    const Equations& held;
    const Equations& test;
  };

  // Walks one branch; the errors are measured on rows that it was not fitted to.
  template <typename OnStep>
  std::vector<PathRecord> walk(Candidates& candidates, std::size_t branch, const Sides& sides, const std::string& what,
                               const OnStep& on_step) {
    std::vector<PathRecord> records;
    candidates.visit(branch, [&](const PathStep& step) {
      PathRecord record = sides.train.record(records.size(), step);
      if (!sides.held.y.empty()) record.validation_mse = sides.held.mean_squared_error(step);
      if (!sides.test.y.empty()) record.test_mse = sides.test.mean_squared_error(step);
      records.push_back(record);
      const bool goes_on = on_step(step, record);
      report(what, record);
      return goes_on;
    });
    return records;
  }

  void report(const std::string& what, const PathRecord& record) {
    done_ += work_of_step(record.basis_functions);
    if (observer_.on_step) {
      observer_.on_step({std::min(1.0, done_ / work_), what, record.basis_functions, unit_ * record.validation_mse});
    }
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  // Less error wins; equal error goes to the smaller model. Errors that are nothing but rounding of the target are
  // equal, and one that is no number counts as infinite.
  [[nodiscard]] bool is_better(double error, std::size_t columns) const {
    if (!best_.found) return true;
    const auto counted = [&](double e) {
      return std::isnan(e) ? std::numeric_limits<double>::infinity() : std::max(e, rounding_);
    };
    const double old = counted(best_.error);
    return counted(error) < old || (counted(error) == old && columns < best_.columns);
  }

  void keep(const Dictionary& dictionary, const PathStep& step, const PathRecord& record,
            const std::vector<int>& orders, double rate) {
    best_.found = true;
    best_.error = record.validation_mse;
    best_.columns = record.basis_functions;
    best_.orders = orders;
    best_.rate = rate;
    best_.step = record.step;
    best_.features_drawn = dictionary.weights.size();
    best_.basis_functions_drawn = dictionary.columns();
    keep_coefficients(dictionary, step);
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, kept = best_.dictionary, c = best_.coefficients, error = unit_ * best_.error] {
      return build_model(*frame, kept, c, 0.0, error);
    });
  }

  void keep_coefficients(const Dictionary& dictionary, const PathStep& step) {
    best_.kept = step.columns;
    best_.dictionary = dictionary.subset(step.columns);
    best_.coefficients = step.coefficients;
    best_.train_mse.reset();
    best_.ridge = step.ridge;
    best_.penalty = step.penalty;
    best_.converged = step.converged;
    best_.duality_gap = step.duality_gap;
    best_.rank = step.rank;
  }

  void choose_by_held_out_rows() {
    Rows arranged;
    const Rows* rows = &frame_->rows;
    std::size_t fitted = rows->size();
    if (validation_ == nullptr) {
      const RowSplit split = hold_out(*rows, options_.choice.fraction, options_.seed);
      best_.held_out = {split.held_out};
      std::vector<std::size_t> order = split.train;
      order.insert(order.end(), split.held_out.begin(), split.held_out.end());
      arranged = gather(*rows, order);
      rows = &arranged;
      fitted = split.train.size();
    }
    Grid chosen_grid;
    std::size_t without_gain = 0;
    for (const std::vector<int>& orders : options_.orders) {
      const auto dictionary = draw(*rows, orders);
      const EquationMaker own = maker(dictionary, *rows);
      const Equations train = own.range(0, fitted);
      const Equations held =
          validation_ != nullptr ? maker(dictionary, *validation_).all() : own.range(fitted, rows->size() - fitted);
      const Equations tested = state_test(dictionary);
      const Problem problem = state(*dictionary, train, all_columns(fitted));
      const Grid grid = method_.grid(problem, options_);
      const auto candidates = method_.candidates(problem, options_, grid);
      bool chosen_here = false;
      for (std::size_t branch = 0; branch < rates_.size(); ++branch) {
        const double rate = rates_[branch];
        bool improved = false;
        const auto on_step = [&](const PathStep& step, const PathRecord& record) {
          if (is_better(record.validation_mse, record.basis_functions)) {
            keep(*dictionary, step, record, orders, rate);
            best_.left_out.gaps = gaps_of(held, step);
            improved = true;
          }
          return true;
        };
        auto records = walk(*candidates, branch, {train, held, tested}, name_of(orders, rate), on_step);
        if (improved) best_.records = std::move(records);
        chosen_here = chosen_here || improved;
      }
      if (chosen_here) chosen_grid = grid;
      if (chosen_here && method_.chooses_columns) polish(*candidates, validation_ == nullptr ? held : Equations());
      without_gain = chosen_here ? 0 : without_gain + 1;
      if (frame_->orders_upward && without_gain == enough_without_gain) break;
    }
    if (validation_ != nullptr) {
      take_left_out(*validation_, all_columns(validation_->size()));
    } else {
      std::vector<std::size_t> held(rows->size() - fitted);
      std::iota(held.begin(), held.end(), fitted);
      take_left_out(*rows, held);
    }
    if (runs_again()) run_chosen_again_on_all_rows(chosen_grid);
  }

  // The rows whose gaps are known.
  void take_left_out(const Rows& rows, std::span<const std::size_t> which) {
    Rows own = gather(rows, which);
    best_.left_out.X = std::move(own.X);
    best_.left_out.weights = std::move(own.weights);
    best_.left_out.fitted = validation_ == nullptr;
    if (which.size() != best_.left_out.gaps.size()) best_.left_out = {};
  }

  // Fits the chosen columns again from the start, to all rows: what rounding the path gathered is gone. Training rows
  // that were reduced to fewer equations need not be touched again.
  void polish(const Candidates& candidates, const Equations& held) {
    Equations all;
    double rest = 0.0;
    if (auto reduced = candidates.with_rows(held, best_.kept)) {
      all.y = reduced->b;
      rest = reduced->rest;
      all.A = std::make_shared<ReducedRows>(*std::move(reduced));
    } else {
      all = maker(std::make_shared<Dictionary>(best_.dictionary), frame_->rows).all();
    }
    const auto error_of = [&](const std::vector<double>& c) {
      PathStep step;
      step.columns = all_columns(c.size());
      step.coefficients = c;
      return all.squared_error(step) + rest;
    };
    std::vector<double> fitted = fit_columns(best_.dictionary, all, options_.prune.rank_tolerance, best_.ridge);
    double error = error_of(fitted);
    // Where a fit to all rows leaves more of them than the path's coefficients do, its cut-off took away too much.
    const double path_error = best_.ridge == 0.0 ? error_of(best_.coefficients) : error;
    if (path_error < error) {
      error = path_error;
    } else {
      best_.coefficients = std::move(fitted);
    }
    best_.train_mse = error / frame_->rows.total_weight();
  }

  using StepErrors = std::vector<double>;

  struct FoldErrors {
    std::vector<double> errors;             ///< Mean validation error of every candidate.
    std::vector<std::size_t> columns;       ///< Of the first fold's candidates.
    std::vector<std::vector<double>> gaps;  ///< By candidate, those of the rows left out in the first folds.
  };

  // One entry a rate. Folds prune different columns but run through the same candidates.
  std::vector<FoldErrors> validate_by_folds(const Dictionary& dictionary, const EquationMaker& maker,
                                            const Equations& all, const Grid& grid, const std::vector<int>& orders) {
    const Equations none;
    GramOfAllRows gram(*all.A);
    const std::vector<RowSplit> splits = fold(frame_->rows, options_.choice.folds, options_.seed);
    std::vector<FoldErrors> results(rates_.size());
    for (std::size_t k = 0; k < splits.size(); ++k) {
      const Equations train = maker.some(splits[k].train);
      const Equations held = maker.some(splits[k].held_out);
      Problem problem = state(dictionary, train, splits[k].train);
      problem.gram = [&] { return gram.of_rows(splits[k].train); };
      const auto candidates = method_.candidates(problem, options_, grid);
      for (std::size_t branch = 0; branch < rates_.size(); ++branch) {
        const std::string what =
            fmt::format("{}, fold {} of {}", name_of(orders, rates_[branch]), k + 1, splits.size());
        FoldErrors& result = results[branch];
        const auto on_step = [&](const PathStep& step, const PathRecord& record) {
          result.gaps.resize(std::max(result.gaps.size(), record.step + 1));
          std::vector<double>& gaps = result.gaps[record.step];
          if (gaps.size() < enough_left_out) {
            const std::vector<double> more = gaps_of(held, step);
            gaps.insert(gaps.end(), more.begin(), more.end());
          }
          return true;
        };
        const auto records = walk(*candidates, branch, {train, held, none}, what, on_step);
        result.errors.resize(records.size(), 0.0);
        for (std::size_t t = 0; t < records.size(); ++t) {
          result.errors[t] += records[t].validation_mse * held.total_weight / all.total_weight;
          if (k == 0) result.columns.push_back(records[t].basis_functions);
        }
      }
    }
    return results;
  }

  void choose_by_folds() {
    std::vector<double> chosen_errors;
    Grid chosen_grid;
    std::size_t without_gain = 0;
    for (const std::vector<int>& orders : options_.orders) {
      const auto dictionary = draw(frame_->rows, orders);
      const EquationMaker own = maker(dictionary, frame_->rows);
      const Equations all = own.all();
      const Grid grid = method_.grid(state(*dictionary, all, all_columns(frame_->rows.size())), options_);
      const std::vector<FoldErrors> results = validate_by_folds(*dictionary, own, all, grid, orders);
      bool chosen_here = false;
      for (std::size_t branch = 0; branch < results.size(); ++branch) {
        for (std::size_t t = 0; t < results[branch].errors.size(); ++t) {
          if (!is_better(results[branch].errors[t], results[branch].columns[t])) continue;
          best_.found = true;
          best_.error = results[branch].errors[t];
          best_.columns = results[branch].columns[t];
          best_.orders = orders;
          best_.rate = rates_[branch];
          best_.step = t;
          best_.left_out.gaps = results[branch].gaps[t];
          chosen_errors = results[branch].errors;
          chosen_grid = grid;
          chosen_here = true;
        }
      }
      without_gain = chosen_here ? 0 : without_gain + 1;
      if (frame_->orders_upward && without_gain == enough_without_gain) break;
    }
    std::vector<std::size_t> held;
    for (const RowSplit& split : fold(frame_->rows, options_.choice.folds, options_.seed)) {
      best_.held_out.push_back(split.held_out);
      if (held.size() < best_.left_out.gaps.size())
        held.insert(held.end(), split.held_out.begin(), split.held_out.end());
    }
    take_left_out(frame_->rows, held);
    run_chosen_again_on_all_rows(chosen_grid, &chosen_errors);
  }

  // Goes through the chosen branch on all rows up to the chosen candidate. With the folds' errors the records become
  // those of this run, which goes on to its end.
  void run_chosen_again_on_all_rows(const Grid& grid, const std::vector<double>* errors = nullptr) {
    const std::vector<int> orders = best_.orders;
    const double rate = best_.rate;
    const std::size_t chosen = best_.step;
    const auto branch = static_cast<std::size_t>(std::ranges::find(rates_, rate) - rates_.begin());
    const auto dictionary = draw(frame_->rows, orders);
    const Equations equations = maker(dictionary, frame_->rows).all();
    const Equations none;
    const Equations tested = errors != nullptr ? state_test(dictionary) : Equations();
    const Problem problem = state(*dictionary, equations, all_columns(frame_->rows.size()));
    const auto candidates = method_.candidates(problem, options_, grid);
    const auto on_step = [&](const PathStep& step, PathRecord record) {
      if (record.step != chosen) return record.step < chosen || errors != nullptr;
      record.validation_mse = best_.error;
      keep(*dictionary, step, record, orders, rate);
      return errors != nullptr;
    };
    auto records = walk(*candidates, branch, {equations, none, tested}, name_of(orders, rate) + ", all rows", on_step);
    if (errors == nullptr) return;
    for (PathRecord& record : records) record.validation_mse = (*errors)[record.step];
    best_.records = std::move(records);
  }

  static constexpr std::size_t enough_without_gain = 3;

  std::shared_ptr<const ModelFrame> frame_;
  const FitOptions& options_;
  const Method& method_;
  std::vector<double> rates_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  double unit_ = 1.0;      // Squared errors in the target's own units per squared error in scaled ones.
  double rounding_ = 0.0;  // What of a scaled squared error may be rounding of the target.
  double work_ = 0.0;
  double done_ = 0.0;
  Choice best_;
};

}  // namespace

Choice select(const std::shared_ptr<const ModelFrame>& frame, const Rows* validation, const Rows* test,
              const FitObserver& observer) {
  return Selection(frame, validation, test, observer).run();
}

}  // namespace shrimp
