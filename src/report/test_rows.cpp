#include "report/test_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/model_loss.hpp"
#include "random/philox.hpp"
#include "shrimp/intervals.hpp"

namespace shrimp {
namespace {

// Enough for a histogram and means of tenths; dots are fewer still.
constexpr std::size_t most_kept = 20000;

void keep_smallest(std::vector<TestedRow>& rows, std::size_t most) {
  if (rows.size() <= most) return;
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(most), {}, &TestedRow::key);
  rows.resize(most);
}

void check_sizes(std::size_t rows, std::size_t values, const char* name) {
  if (rows == values) return;
  throw std::invalid_argument(fmt::format("X has {} rows, but {} has {}.\nGive equally many.", rows, name, values));
}

// Targets of classes and counts: their scores are undefined for other numbers.
void check_target(const Model& model, std::span<const double> y) {
  const TargetRange& range = objective_of(loss_of(model)).target;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (range.contains(y[i])) continue;
    throw std::invalid_argument(
        fmt::format("y, row {}: {} is not a {}.\nDrop the row.", i + 1, y[i], range.description));
  }
}

void count_covered(Coverage& coverage, const Model& model, MatrixView X, std::span<const double> y,
                   std::span<const double> exposure, int threads) {
  const PredictionIntervals intervals = predict_intervals(model, X, coverage.level, threads, exposure);
  for (std::size_t i = 0; i < y.size(); ++i) {
    coverage.within += intervals.lower[i] <= y[i] && y[i] <= intervals.upper[i] ? 1 : 0;
    coverage.width += intervals.upper[i] - intervals.lower[i];
  }
}

}  // namespace

bool has_scores_of_rows(const Model& model) {
  const Loss loss = loss_of(model);
  return loss == Loss::logistic || loss == Loss::multinomial || loss == Loss::poisson;
}

std::vector<TestedRow> TestRows::Content::sample(std::size_t most) const {
  std::vector<TestedRow> chosen = kept;
  keep_smallest(chosen, std::min(most, most_kept));
  std::ranges::sort(chosen, {}, &TestedRow::row);
  return chosen;
}

double TestRows::Content::baseline_rate() const {
  const double total =
      exposure.empty() ? static_cast<double>(rows) : std::accumulate(exposure.begin(), exposure.end(), 0.0);
  return std::accumulate(observed.begin(), observed.end(), 0.0) / total;
}

std::vector<double> TestRows::Content::baseline_counts() const {
  std::vector<double> counts(rows, baseline_rate());
  for (std::size_t i = 0; i < exposure.size(); ++i) counts[i] *= exposure[i];
  return counts;
}

TestRows::TestRows(const Model& model, std::string source) : content_(std::make_unique<Content>()) {
  content_->model = &model;
  content_->source = std::move(source);
  content_->clipped.by_input.resize(model.inputs.size());
  // Credible intervals are for probabilities, which are not observed.
  if (!model.uncertainty || objective_of(loss_of(model)).interval == IntervalKind::credible) return;
  for (const double level : {0.5, 0.8, 0.9, 0.95}) content_->coverage.push_back({.level = level});
}

TestRows::~TestRows() = default;
TestRows::TestRows(TestRows&& other) noexcept = default;
TestRows& TestRows::operator=(TestRows&& other) noexcept = default;

const ClippedRows& TestRows::clipped() const { return content_->clipped; }

void TestRows::add(MatrixView X, std::span<const double> y, int threads) {
  check_sizes(X.rows, y.size(), "y");
  check_target(*content_->model, y);
  content_->add(X, content_->model->predict(X, threads), y, {}, threads);
}

void TestRows::add(MatrixView X, std::span<const double> y, std::span<const double> exposure, int threads) {
  check_sizes(X.rows, y.size(), "y");
  check_sizes(X.rows, exposure.size(), "exposure");
  check_target(*content_->model, y);
  std::vector<double> expected = content_->model->predict(X, threads);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(exposure[i] > 0.0)) {
      throw std::invalid_argument(
          fmt::format("row {}: the exposure {} is not a number above 0.\nCorrect or drop the row.",
                      content_->rows + i + 1, exposure[i]));
    }
    expected[i] *= exposure[i];
  }
  content_->exposure.insert(content_->exposure.end(), exposure.begin(), exposure.end());
  content_->add(X, std::move(expected), y, exposure, threads);
}

void TestRows::Content::add(MatrixView X, std::vector<double> prediction, std::span<const double> y,
                            std::span<const double> own_exposure, int threads) {
  scores.add(prediction, y);
  const ClippedRows outside = clipped_rows(*model, X);
  clipped.of += outside.of;
  clipped.rows += outside.rows;
  for (std::size_t j = 0; j < outside.by_input.size(); ++j) clipped.by_input[j] += outside.by_input[j];
  for (Coverage& own : coverage) count_covered(own, *model, X, y, own_exposure, threads);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = rows + i;
    kept.push_back({PhiloxStream(0, Stream::rows, row).next(), row, prediction[i], y[i]});
  }
  if (has_scores_of_rows(*model)) {
    predicted.insert(predicted.end(), prediction.begin(), prediction.end());
    observed.insert(observed.end(), y.begin(), y.end());
  }
  rows += y.size();
  if (kept.size() > 2 * most_kept) keep_smallest(kept, most_kept);
}

}  // namespace shrimp
