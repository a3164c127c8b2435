#include "report/test_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

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

void count_covered(Coverage& coverage, const Model& model, MatrixView X, std::span<const double> y, int threads) {
  const PredictionIntervals intervals = predict_intervals(model, X, coverage.level, threads);
  for (std::size_t i = 0; i < y.size(); ++i) {
    coverage.within += intervals.lower[i] <= y[i] && y[i] <= intervals.upper[i] ? 1 : 0;
    coverage.width += intervals.upper[i] - intervals.lower[i];
  }
}

}  // namespace

std::vector<TestedRow> TestRows::Content::sample(std::size_t most) const {
  std::vector<TestedRow> chosen = kept;
  keep_smallest(chosen, std::min(most, most_kept));
  std::ranges::sort(chosen, {}, &TestedRow::row);
  return chosen;
}

TestRows::TestRows(const Model& model, std::string source) : content_(std::make_unique<Content>()) {
  content_->model = &model;
  content_->source = std::move(source);
  content_->clipped.by_input.resize(model.inputs.size());
  if (!model.uncertainty) return;
  for (const double level : {0.5, 0.8, 0.9, 0.95}) content_->coverage.push_back({.level = level});
}

TestRows::~TestRows() = default;
TestRows::TestRows(TestRows&& other) noexcept = default;
TestRows& TestRows::operator=(TestRows&& other) noexcept = default;

const ClippedRows& TestRows::clipped() const { return content_->clipped; }

void TestRows::add(MatrixView X, std::span<const double> y, int threads) {
  if (y.size() != X.rows) {
    throw std::invalid_argument(fmt::format("X has {} rows and y has {}.\nGive as many of both.", X.rows, y.size()));
  }
  Content& content = *content_;
  const std::vector<double> predicted = content.model->predict(X, threads);
  content.scores.add(predicted, y);
  const ClippedRows clipped = clipped_rows(*content.model, X);
  content.clipped.of += clipped.of;
  content.clipped.rows += clipped.rows;
  for (std::size_t j = 0; j < clipped.by_input.size(); ++j) content.clipped.by_input[j] += clipped.by_input[j];
  for (Coverage& coverage : content.coverage) count_covered(coverage, *content.model, X, y, threads);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = content.rows + i;
    content.kept.push_back({PhiloxStream(0, Stream::rows, row).next(), row, predicted[i], y[i]});
  }
  content.rows += y.size();
  if (content.kept.size() > 2 * most_kept) keep_smallest(content.kept, most_kept);
}

}  // namespace shrimp
