#include "path/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "linalg/threads.hpp"
#include "model/terms.hpp"
#include "path/prune_paths.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp {

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders) {
  return {orders,        options.features, options.law, options.sigma2, options.degrees_of_freedom,
          options.basis, options.seed};
}

std::size_t columns_per_weight(Basis basis) { return basis == Basis::fourier ? 2 : 1; }

Model build_model(const ModelFrame& frame, Dictionary dictionary, std::vector<double> coefficients,
                  double validation_mse) {
  const ThreadScope scope(frame.options.threads);  // An observer may call from a thread of its own.
  Model model;
  model.inputs = frame.inputs;
  model.target = frame.target;
  model.scaling = frame.scaling;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string value = parameter.get(frame.options);
    if (parameter.name == "method") model.method = value;
    if (parameter.shapes_model) model.options[std::string(parameter.name)] = value;
  }
  if (frame.validated_by_file) model.options["validation"] = "file";
  model.terms = make_terms(dictionary, frame.rows.X, coefficients);
  const double unit = frame.scaling.target_scale * frame.scaling.target_scale;
  PathStep step;
  step.columns = all_columns(coefficients.size());
  step.coefficients = coefficients;
  const EquationMaker maker(std::make_shared<Dictionary>(dictionary), frame.rows, false);
  model.results["rows"] = static_cast<double>(frame.rows.size());
  model.results["train_mse"] = unit * maker.all().mean_squared_error(step);
  if (std::isfinite(validation_mse)) model.results["validation_mse"] = validation_mse;
  model.dictionary = std::move(dictionary);
  model.coefficients = std::move(coefficients);
  return model;
}

namespace {

// A number per column, the same for columns on the same support.
std::vector<std::uint32_t> support_numbers(const Dictionary& dictionary) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> row_numbers;
  for (std::size_t j = 0; j < dictionary.weights.size(); ++j) {
    const auto support = dictionary.weights.support(j);
    const std::vector<std::uint32_t> key(support.begin(), support.end());
    row_numbers.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  std::vector<std::uint32_t> result;
  for (const std::uint32_t row : dictionary.rows) result.push_back(row_numbers[row]);
  return result;
}

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

// The equations of a compressed problem over those of other rows, on the columns P.
Equations stack(const CompressedProblem& above, const Equations& below, const Columns& P) {
  const Matrix top = above.M->gather(P);
  const Matrix bottom = below.A ? below.A->gather(P) : Matrix(0, P.size());
  Matrix A = Matrix::uninitialized(top.rows() + bottom.rows(), P.size());
  for (std::size_t j = 0; j < P.size(); ++j) {
    for (std::size_t i = 0; i < top.rows(); ++i) A(i, j) = above.scale[i] * top(i, j);
    std::ranges::copy(bottom.col(j), A.col(j).begin() + static_cast<std::ptrdiff_t>(top.rows()));
  }
  Equations equations;
  for (std::size_t i = 0; i < top.rows(); ++i) equations.y.push_back(above.scale[i] * above.b[i]);
  equations.y.insert(equations.y.end(), below.y.begin(), below.y.end());
  equations.A = std::make_shared<DenseRows>(std::move(A));
  return equations;
}

class Selection {
 public:
  Selection(std::shared_ptr<const ModelFrame> frame, const Rows* validation, const Rows* test,
            const FitObserver& observer)
      : frame_(std::move(frame)), options_(frame_->options), validation_(validation), test_(test), observer_(observer) {
    unit_ = frame_->scaling.target_scale * frame_->scaling.target_scale;
    plan();
  }

  Choice run() {
    if (validation_ != nullptr || options_.folds == 0) {
      choose_by_held_out_rows();
    } else {
      choose_by_folds();
    }
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool prunes() const { return options_.method != Method::min_l2; }

  // Rates to try, lowest first; a method that does not prune needs one.
  [[nodiscard]] std::vector<double> rates() const {
    if (!prunes()) return {options_.prune_rates.front()};
    std::vector<double> ascending = options_.prune_rates;
    std::ranges::sort(ascending);
    return ascending;
  }

  // Estimates the work, for progress: a path costs about the sum of its sizes.
  void plan() {
    const auto folds = static_cast<double>(options_.folds);
    double largest = 0.0;
    for (const std::vector<int>& orders : options_.orders) {
      const std::size_t columns =
          columns_per_weight(options_.basis) * count_weights(frame_->inputs.size(), feature_options(options_, orders));
      for (const double rate : rates()) {
        const std::vector<std::size_t> sizes = path_sizes(columns, rate);
        const double work = prunes() ? std::accumulate(sizes.begin(), sizes.end(), 0.0) : static_cast<double>(columns);
        work_ += work * std::max(1.0, folds);
        largest = std::max(largest, work);
      }
    }
    if (folds > 0) work_ += largest;
  }

  [[nodiscard]] std::shared_ptr<const Dictionary> draw(const std::vector<int>& orders) const {
    return std::make_shared<Dictionary>(
        make_dictionary(draw_weights(frame_->inputs.size(), feature_options(options_, orders)), options_.basis));
  }

  [[nodiscard]] EquationMaker maker(const std::shared_ptr<const Dictionary>& dictionary, const Rows& rows) const {
    return {dictionary, rows, frame_->stores_A};
  }

  [[nodiscard]] Equations state_test(const std::shared_ptr<const Dictionary>& dictionary) const {
    return test_ != nullptr ? maker(dictionary, *test_).all() : Equations();
  }

  [[nodiscard]] PathOptions path_options(std::span<const std::uint32_t> groups) const {
    PathOptions path;
    path.rank_tolerance = options_.rank_tolerance;
    path.ridge = options_.ridge;
    path.ridge_by_gcv = options_.ridge_by_gcv;
    path.spectrum = options_.spectrum;
    path.groups = groups;
    return path;
  }

  [[nodiscard]] std::string name_of(const std::vector<int>& orders, double rate) const {
    return describe_orders(orders) + (options_.prune_rates.size() > 1 ? fmt::format(", prune {}", rate) : "");
  }

  // Walks one path; the step's errors are measured on rows that it was not fitted to.
  template <typename OnStep>
  std::vector<PathRecord> walk(PrunePaths& paths, const Equations& train, const Equations& held, const Equations& test,
                               double rate, const std::string& what, const OnStep& on_step) {
    std::vector<PathRecord> records;
    paths.visit(
        rate,
        [&](const PathStep& step) {
          PathRecord record;
          record.step = records.size();
          record.columns = step.columns.size();
          record.rank = step.rank;
          record.train_mse = step.train_mse * static_cast<double>(train.y.size()) / train.total_weight;
          record.ridge = step.ridge;
          record.lambda_max = step.lambda_max;
          record.lambda_min = step.lambda_min;
          if (!held.y.empty()) record.validation_mse = held.mean_squared_error(step);
          if (!test.y.empty()) record.test_mse = test.mean_squared_error(step);
          records.push_back(record);
          on_step(step, record);
          report(what, record);
          return prunes();
        },
        rate < rates().back());
    return records;
  }

  void report(const std::string& what, const PathRecord& record) {
    done_ += static_cast<double>(record.columns);
    if (observer_.on_step) {
      observer_.on_step({std::min(1.0, done_ / work_), what, record.columns, unit_ * record.validation_mse});
    }
    if (observer_.stop != nullptr && observer_.stop->load()) throw Interrupted();
  }

  // Less error wins; equal error goes to the smaller model. An error that is no number counts as infinite.
  [[nodiscard]] bool is_better(double error, std::size_t columns) const {
    if (best_.columns == 0) return true;
    const auto finite = [](double e) { return std::isnan(e) ? std::numeric_limits<double>::infinity() : e; };
    return finite(error) < finite(best_.error) || (error == best_.error && columns < best_.columns);
  }

  void keep(const Dictionary& dictionary, const PathStep& step, const PathRecord& record,
            const std::vector<int>& orders, double rate) {
    best_.error = record.validation_mse;
    best_.columns = record.columns;
    best_.orders = orders;
    best_.rate = rate;
    best_.step = record.step;
    best_.kept = step.columns;
    best_.dictionary = dictionary.subset(step.columns);
    best_.coefficients = step.coefficients;
    best_.ridge = step.ridge;
    best_.features_drawn = dictionary.weights.size();
    best_.columns_drawn = dictionary.columns();
    if (!observer_.on_better) return;
    observer_.on_better([frame = frame_, kept = best_.dictionary, c = best_.coefficients, error = unit_ * best_.error] {
      return build_model(*frame, kept, c, error);
    });
  }

  // Training rows first and held-out rows last, so that both are views of one A.
  void choose_by_held_out_rows() {
    Rows arranged;
    const Rows* rows = &frame_->rows;
    std::size_t fitted = rows->size();
    if (validation_ == nullptr) {
      const RowSplit split = hold_out(rows->size(), options_.validation_fraction, options_.seed);
      std::vector<std::size_t> order = split.train;
      order.insert(order.end(), split.held_out.begin(), split.held_out.end());
      arranged = gather(*rows, order);
      rows = &arranged;
      fitted = split.train.size();
    }
    for (const std::vector<int>& orders : options_.orders) {
      const auto dictionary = draw(orders);
      const std::vector<std::uint32_t> groups = support_numbers(*dictionary);
      const EquationMaker own = maker(dictionary, *rows);
      const Equations train = own.range(0, fitted);
      const Equations held =
          validation_ != nullptr ? maker(dictionary, *validation_).all() : own.range(fitted, rows->size() - fitted);
      const Equations tested = state_test(dictionary);
      PrunePaths paths(train.A, train.y, path_options(groups));
      bool chosen_here = false;
      for (const double rate : rates()) {
        bool improved = false;
        const auto on_step = [&](const PathStep& step, const PathRecord& record) {
          if (!is_better(record.validation_mse, record.columns)) return;
          keep(*dictionary, step, record, orders, rate);
          improved = true;
        };
        auto records = walk(paths, train, held, tested, rate, name_of(orders, rate), on_step);
        if (improved) best_.records = std::move(records);
        chosen_here = chosen_here || improved;
      }
      if (chosen_here) polish(paths.base(), validation_ == nullptr ? held : Equations());
    }
  }

  // Fits the chosen columns again from the start, to all rows: what rounding the path gathered is gone. The training
  // rows may have been reduced to a triangle, which stands for them beside the held-out rows.
  void polish(const CompressedProblem& train, const Equations& held) {
    Equations all;
    if (train.M->rows() < train.equations) {
      all = stack(train, held, best_.kept);
    } else {
      all = maker(std::make_shared<Dictionary>(best_.dictionary), frame_->rows).all();
    }
    const std::vector<std::uint32_t> groups = support_numbers(best_.dictionary);
    PathOptions path = path_options(groups);
    path.ridge = best_.ridge;
    path.ridge_by_gcv = false;
    path.spectrum = false;
    PrunePaths(all.A, all.y, path).visit(options_.prune_rates.front(), [&](const PathStep& step) {
      best_.coefficients = step.coefficients;
      return false;
    });
  }

  using StepErrors = std::vector<double>;

  // Mean validation error of every step of every rate; folds prune different columns but run through the same sizes.
  std::vector<StepErrors> fold_errors(const Dictionary& dictionary, const EquationMaker& maker,
                                      const std::vector<int>& orders) {
    const std::vector<std::uint32_t> groups = support_numbers(dictionary);
    const Equations equations = maker.all();
    GramOfAllRows gram(*equations.A);
    const std::vector<RowSplit> splits = fold(frame_->rows.size(), options_.folds, options_.seed);
    std::vector<StepErrors> errors(rates().size());
    for (std::size_t k = 0; k < splits.size(); ++k) {
      const Equations train = maker.some(splits[k].train);
      const Equations held = maker.some(splits[k].held_out);
      PrunePaths paths(train.A, train.y, path_options(groups), [&] { return gram.of_rows(splits[k].train); });
      for (std::size_t l = 0; l < errors.size(); ++l) {
        const double rate = rates()[l];
        const std::string what = fmt::format("{}, fold {} of {}", name_of(orders, rate), k + 1, splits.size());
        const auto records = walk(paths, train, held, {}, rate, what, [](const auto&, const auto&) {});
        errors[l].resize(records.size(), 0.0);
        for (std::size_t t = 0; t < records.size(); ++t) {
          errors[l][t] += records[t].validation_mse * held.total_weight / equations.total_weight;
        }
      }
    }
    return errors;
  }

  void choose_by_folds() {
    std::vector<double> chosen_errors;
    for (const std::vector<int>& orders : options_.orders) {
      const auto dictionary = draw(orders);
      const std::vector<StepErrors> errors = fold_errors(*dictionary, maker(dictionary, frame_->rows), orders);
      for (std::size_t l = 0; l < errors.size(); ++l) {
        const std::vector<std::size_t> sizes = path_sizes(dictionary->columns(), rates()[l]);
        for (std::size_t t = 0; t < errors[l].size(); ++t) {
          if (!is_better(errors[l][t], sizes[t])) continue;
          best_.error = errors[l][t];
          best_.columns = sizes[t];
          best_.orders = orders;
          best_.rate = rates()[l];
          best_.step = t;
          chosen_errors = errors[l];
        }
      }
    }
    run_chosen_path_on_all_rows(chosen_errors);
  }

  void run_chosen_path_on_all_rows(const std::vector<double>& errors) {
    const std::vector<int> orders = best_.orders;
    const double rate = best_.rate;
    const std::size_t chosen = best_.step;
    const auto dictionary = draw(orders);
    const std::vector<std::uint32_t> groups = support_numbers(*dictionary);
    const Equations equations = maker(dictionary, frame_->rows).all();
    const Equations tested = state_test(dictionary);
    PrunePaths paths(equations.A, equations.y, path_options(groups));
    const auto on_step = [&](const PathStep& step, PathRecord record) {
      record.validation_mse = errors[record.step];
      if (record.step == chosen) keep(*dictionary, step, record, orders, rate);
    };
    best_.records = walk(paths, equations, {}, tested, rate, name_of(orders, rate) + ", all rows", on_step);
    for (PathRecord& record : best_.records) record.validation_mse = errors[record.step];
  }

  std::shared_ptr<const ModelFrame> frame_;
  const FitOptions& options_;
  const Rows* validation_;
  const Rows* test_;
  const FitObserver& observer_;
  double unit_ = 1.0;  // Squared errors in the target's own units per squared error in scaled ones.
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
