#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/memory.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "linalg/dense.hpp"
#include "model/model_loss.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"
#include "update/fingerprint.hpp"
#include "update/summary_content.hpp"

namespace shrimp {
namespace {

// Two triangles a fold while they are merged, the rows that are factorised, and a copy of these.
void require_memory(std::size_t columns, std::size_t block, std::size_t folds, const std::string& source) {
  const auto n = static_cast<double>(columns);
  const double needed = 8.0 * n * (2.0 * static_cast<double>(folds) * n + 3.0 * (n + static_cast<double>(block)));
  const double free = available_memory(0.0);
  if (needed <= free) return;
  throw DataError(
      fmt::format("{}: sufficient statistics of {} basis functions need about {}, but only {} of memory is free.\nUse "
                  "a model with fewer basis functions, or a machine with more memory.",
                  source, columns, format_bytes(needed), format_bytes(free)));
}

/// Rows of one fold that wait to be factorised, row after row: inputs, target, weight.
struct WaitingRows {
  std::vector<double> values;
  TriangularSystem sums;
  Hash hash;

  explicit WaitingRows(std::size_t columns) : sums(columns) {}
};

}  // namespace

class SummaryMaker::Sums {
 public:
  Sums(const Model& model, SummaryOptions options)
      : model_(model),
        loss_(loss_function_of(model).with_scale_in(model.results, model.scaling.target_scale)),
        options_(std::move(options)),
        columns_(1 + model.coefficients.size()),
        block_(std::max<std::size_t>(2048, 2 * columns_)),
        folds_(std::max<std::size_t>(1, options_.folds), WaitingRows(columns_)) {
    require_refit(model, options_.source.empty() ? "the model" : "the model for " + options_.source);
    require_memory(columns_, block_, folds_.size(), options_.source);
    content_ = std::make_unique<ModelSummary::Content>();
    content_->columns = columns_;
    content_->columns_hash = hash_columns(model);
    content_->target_mean = model.scaling.target_mean;
    content_->target_scale = model.scaling.target_scale;
    content_->of_working_rows = loss_.kind() != Loss::squared;
  }

  void add(MatrixView X, std::span<const double> y, std::span<const double> weights,
           std::span<const std::uint32_t> groups) {
    check_sizes(X, y, weights, groups);
    for (std::size_t i = 0; i < y.size(); ++i, ++row_) {
      const double weight = weights.empty() ? 1.0 : weights[i];
      check(y[i], weight);
      if (weight == 0.0) continue;
      add_to_identity(X, y[i], weight, i);
      WaitingRows& fold = folds_[(groups.empty() ? row_ : groups[i]) % folds_.size()];
      for (std::size_t j = 0; j < X.cols; ++j) put(fold, X(i, j));
      put(fold, y[i]);
      put(fold, weight);
      content_->unit.add(weight);
      content_->lowest = std::min(content_->lowest, y[i]);
      content_->highest = std::max(content_->highest, y[i]);
      if (fold.values.size() == block_ * (X.cols + 2)) factorise(fold);
    }
  }

  ModelSummary finish() {
    for (WaitingRows& fold : folds_) {
      factorise(fold);
      if (fold.sums.rows > 0) content_->add_fold(name_of(fold), std::move(fold.sums));
    }
    if (!content_->sums.empty()) content_->tables = {identity()};
    return ModelSummary(std::move(content_));
  }

 private:
  // A sum, so that the order of the rows and the folds that they go to make no difference.
  void add_to_identity(MatrixView X, double y, double weight, std::size_t i) {
    Hash row;
    for (std::size_t j = 0; j < X.cols; ++j) row.add(X(i, j));
    row.add(y);
    row.add(weight);
    sum_of_hashes_ += row.value();
  }

  [[nodiscard]] std::uint64_t identity() const {
    Hash hash;
    hash.add(sum_of_hashes_);
    return hash.value();
  }

  static void put(WaitingRows& fold, double value) {
    fold.values.push_back(value);
    fold.hash.add(value);
  }

  // A fold that has no name is known by its rows: the same part twice is one fold, and does not predict itself.
  [[nodiscard]] std::uint64_t name_of(const WaitingRows& fold) const {
    if (options_.fold.empty()) return fold.hash.value();
    Hash hash;
    hash.add(options_.fold);
    hash.add(static_cast<std::uint64_t>(&fold - folds_.data()));
    return hash.value();
  }

  void check_sizes(MatrixView X, std::span<const double> y, std::span<const double> weights,
                   std::span<const std::uint32_t> groups) const {
    const bool fits = X.rows == y.size() && X.cols == model_.inputs.size() &&
                      (weights.empty() || weights.size() == y.size()) && (groups.empty() || groups.size() == y.size());
    if (!fits) throw std::invalid_argument("inputs, targets, weights and groups differ in their number of rows.");
  }

  void check(double y, double weight) const {
    const auto refuse = [&](const std::string& what, const char* way_out) {
      throw DataError(fmt::format("{}{}row {}: {}.\n{}", options_.source, options_.source.empty() ? "" : ", ", row_ + 1,
                                  what, way_out));
    };
    if (!(weight >= 0.0 && std::isfinite(weight))) {
      refuse(fmt::format("the weight {} is not a number of 0 or more", weight), "Correct or remove the row.");
    }
    if (loss_.kind() != Loss::squared) {
      const TargetRange& range = loss_.objective().target;
      if (!range.contains(y)) {
        refuse(fmt::format("the target {} is not a {}", y, range.description), "Correct or remove the row.");
      }
      return;
    }
    const TargetForm form = model_.scaling.target_form;
    if (!can_take_form({&y, 1}, form)) {
      refuse(fmt::format("the target {} has no {}, which the model needs", y,
                         form == TargetForm::log ? "logarithm" : "square root"),
             "Remove the row, or fit a model with --target-transform identity.");
    }
  }

  // Rows times the roots of their weights: the constant's column and the model's.
  void factorise(WaitingRows& fold) const {
    const std::size_t inputs = model_.inputs.size();
    const std::size_t count = fold.values.size() / (inputs + 2);
    if (count == 0) return;
    const ThreadScope scope(options_.threads);
    Matrix X = Matrix::uninitialized(count, inputs);
    std::vector<double> y(count);
    std::vector<double> roots(count);
    double weight = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double* row = fold.values.data() + i * (inputs + 2);
      for (std::size_t j = 0; j < inputs; ++j) X(i, j) = row[j];
      y[i] = row[inputs];
      weight += row[inputs + 1];
      roots[i] = std::sqrt(row[inputs + 1]);
    }
    fold.values.clear();
    Matrix A = Matrix::uninitialized(count, columns_);
    std::ranges::fill(A.col(0), 1.0);
    if (columns_ > 1) {
      const Matrix Phi = evaluate(model_.dictionary, scale_inputs(X, model_.scaling));
      for (std::size_t k = 0; k < Phi.cols(); ++k) std::ranges::copy(Phi.col(k), A.col(k + 1).begin());
    }
    if (loss_.kind() == Loss::squared) {
      y = scale_target(y, model_.scaling);
    } else {
      fold.sums.rest += take_working_rows(A, y, roots);
    }
    for (std::size_t i = 0; i < count; ++i) y[i] *= roots[i];
    scale_rows(A, roots);
    fold.sums.add(std::move(A), y, weight);
  }

  // Replaces targets by working responses near the model, less its constant, and multiplies their weights by the
  // working weights. Returns the sum of 2 l − w (z − f)² over rows: with it, squared errors of a fit are twice its
  // loss.
  [[nodiscard]] double take_working_rows(const Matrix& A, std::vector<double>& y, std::vector<double>& roots) const {
    const Scaling& scaling = model_.scaling;
    const bool is_log = loss_.objective().link == TargetForm::log;
    // Under a log link, in units of the mean at the constant, in which the loss is this many times as small.
    const double unit = is_log ? std::exp(scaling.target_mean) : 1.0;
    const double unit_of_loss = is_log ? std::pow(unit, loss_.objective().degree(loss_.parameters())) : 1.0;
    const double constant = loss_.objective().link == TargetForm::logit ? scaling.target_mean : 0.0;
    std::vector<double> f(y.size(), constant);
    for (std::size_t k = 0; k < model_.coefficients.size(); ++k) {
      add_scaled(f, model_.coefficients[k], A.col(k + 1));
    }
    if (!has_link(loss_.kind())) y = scale_target(y, scaling);
    for (double& value : y) value /= unit;
    const std::vector<double> losses = loss_.values(y, f);
    const std::vector<WorkingRow> rows = loss_.working_rows(y, f);
    double rest = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double gap = rows[i].response - f[i];
      rest += unit_of_loss * roots[i] * roots[i] * (2.0 * losses[i] - rows[i].weight * gap * gap);
      roots[i] *= std::sqrt(unit_of_loss * rows[i].weight);
      y[i] = rows[i].response - constant;
    }
    return rest;
  }

  const Model& model_;
  LossFunction loss_;
  SummaryOptions options_;
  std::size_t columns_;
  std::size_t block_;  // Rows that are factorised at once.
  std::vector<WaitingRows> folds_;
  std::unique_ptr<ModelSummary::Content> content_;
  std::size_t row_ = 0;
  std::uint64_t sum_of_hashes_ = 0;  // Of the rows.
};

SummaryMaker::SummaryMaker(const Model& model, SummaryOptions options)
    : sums_(std::make_unique<Sums>(model, std::move(options))) {}
SummaryMaker::SummaryMaker(SummaryMaker&&) noexcept = default;
SummaryMaker::~SummaryMaker() = default;

void SummaryMaker::add(MatrixView X, std::span<const double> y, std::span<const double> weights,
                       std::span<const std::uint32_t> groups) {
  sums_->add(X, y, weights, groups);
}

ModelSummary SummaryMaker::finish() { return sums_->finish(); }

}  // namespace shrimp
