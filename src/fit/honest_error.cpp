#include "fit/honest_error.hpp"

#include <algorithm>
#include <cmath>

#include "data/present.hpp"
#include "data/split.hpp"
#include "fit/own_units.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Below it, parts are a row or two, and searches without them say little.
constexpr std::size_t fewest_units = 15;

// Of more rows, so many are enough to know an error by: its standard error is then a few hundredths for errors of usual
// laws, and each part costs a search.
constexpr std::size_t enough_rows = 1000;

void hold_in_range(std::span<double> values, std::span<const double> seen, double clip) {
  const auto [lowest, highest] = range_of_present(seen);
  const double margin = clip * (highest - lowest);
  for (double& value : values) value = std::clamp(value, lowest - margin, highest + margin);
}

double weight_of(const std::vector<PartErrors>& parts) {
  double total = 0.0;
  for (const PartErrors& part : parts) total += part.weight;
  return total;
}

// E / mean(E_k)
double gain_of_all_rows(const std::vector<PartErrors>& parts, double error) {
  const double total = weight_of(parts);
  double believed = 0.0;
  for (const PartErrors& part : parts) believed += part.weight / total * part.believed;
  const double ratio = error / believed;
  return std::isfinite(ratio) && ratio > 0.0 ? ratio : 1.0;
}

}  // namespace

Matrix clipped_inputs(const Rows& fitted, const Rows& judged, const Clipping& clipping) {
  Matrix X(judged.X);
  for (std::size_t j = 0; j < X.cols() && clipping.clip; ++j) {
    hold_in_range(X.col(j), fitted.X.col(j), *clipping.clip);
  }
  return X;
}

std::vector<double> predict_new_rows(const Finished& model, const Rows& fitted, const Rows& judged,
                                     const Clipping& clipping) {
  std::vector<double> predicted = predict_sums(model, clipped_inputs(fitted, judged, clipping));
  if (clipping.target && clipping.clip) hold_in_range(predicted, fitted.y, *clipping.clip);
  return predicted;
}

RowErrors errors_on_new_rows(const Finished& model, const Rows& fitted, const Rows& judged, const Clipping& clipping) {
  const std::vector<double> predicted = predict_new_rows(model, fitted, judged, clipping);
  Scaling scaling = clipping.scaling;
  scaling.target_correction = correction_of(model, fitted, scaling);
  RowErrors errors;
  const double rows = static_cast<double>(judged.size());
  const double total = judged.total_weight();
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const double weight = judged.weights.empty() ? 1.0 : judged.weights[i] * rows / total;
    errors.squares.push_back(weight * own_squared_error(scaling, judged.y[i], predicted[i]));
    errors.mean += errors.squares.back() / rows;
  }
  errors.group(judged.groups);
  return errors;
}

std::vector<std::vector<PartErrors>> judge_parts(
    const Rows& rows, std::size_t kinds,
    const std::function<std::vector<PartErrors>(const Rows& train, const Rows& held_out)>& evaluate,
    std::uint64_t seed) {
  if (count_units(rows) < fewest_units) return {};
  std::vector<RowSplit> parts = fold(rows, most_parts_of_nested_error, seed);
  std::size_t held_out = 0;
  std::size_t used = 0;
  while (used < parts.size() && held_out < enough_rows) held_out += parts[used++].held_out.size();
  parts.resize(used);
  std::vector<std::vector<PartErrors>> results(kinds, std::vector<PartErrors>(parts.size()));
  parallel_for(parts.size(), [&](std::size_t k) {
    const Rows train = gather(rows, parts[k].train);
    const Rows held = gather(rows, parts[k].held_out);
    std::vector<PartErrors> errors = evaluate(train, held);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      results[kind][k] = std::move(errors[kind]);
      results[kind][k].rows = parts[k].held_out;
    }
  });
  return results;
}

std::vector<std::vector<PartErrors>> judge_parts(const Rows& rows, std::size_t kinds,
                                                 const std::function<std::vector<Finished>(const Rows&)>& search,
                                                 const Judge& judge, std::uint64_t seed) {
  const auto evaluate = [&](const Rows& train, const Rows& held) {
    std::vector<PartErrors> errors;
    for (const Finished& model : search(train)) errors.push_back(judge(model, train, held));
    return errors;
  };
  return judge_parts(rows, kinds, evaluate, seed);
}

std::vector<std::vector<PartErrors>> errors_of_parts(const Rows& rows, std::size_t kinds,
                                                     const std::function<std::vector<Finished>(const Rows&)>& search,
                                                     const Clipping& clipping, std::uint64_t seed) {
  const auto judge = [&](const Finished& model, const Rows& train, const Rows& held) {
    PartErrors part{errors_on_new_rows(model, train, held, clipping), model.error, held.total_weight(), {}, held.y};
    add_scaled(part.gaps, -1.0, predict_new_rows(model, train, held, clipping));
    return part;
  };
  return judge_parts(rows, kinds, search, judge, seed);
}

std::vector<std::vector<std::size_t>> rows_of(const std::vector<PartErrors>& parts) {
  std::vector<std::vector<std::size_t>> rows;
  for (const PartErrors& part : parts) rows.push_back(part.rows);
  return rows;
}

RowErrors errors_of_all(const std::vector<PartErrors>& parts, RowErrors PartErrors::*which) {
  RowErrors all;
  std::vector<std::size_t> starts;
  for (const PartErrors& part : parts) {
    const std::size_t before = all.squares.size();
    const RowErrors& own = part.*which;
    all.squares.insert(all.squares.end(), own.squares.begin(), own.squares.end());
    if (!own.starts) continue;
    if (!starts.empty()) starts.pop_back();
    for (const std::size_t start : *own.starts) starts.push_back(before + start);
  }
  for (const double square : all.squares) all.mean += square / static_cast<double>(all.squares.size());
  if (!starts.empty()) all.starts = std::make_shared<const std::vector<std::size_t>>(std::move(starts));
  return all;
}

HonestError honest_error(const std::vector<PartErrors>& parts, double error) {
  const double total = weight_of(parts);
  const double ratio = gain_of_all_rows(parts, error);
  HonestError honest;
  double variance = 0.0;
  for (const PartErrors& part : parts) {
    const double share = part.weight / total;
    honest.mean += share * part.errors.mean;
    variance += std::pow(share * part.errors.standard_error(), 2);
  }
  honest.mean *= ratio;
  honest.standard_error = ratio * std::sqrt(variance);
  return honest;
}

LeftOutRows left_out_rows(const std::vector<PartErrors>& parts, const Rows& rows, double error) {
  const double factor = std::sqrt(gain_of_all_rows(parts, error));
  std::vector<std::size_t> which;
  LeftOutRows left_out;
  left_out.fitted = true;
  for (const PartErrors& part : parts) {
    which.insert(which.end(), part.rows.begin(), part.rows.end());
    for (const double gap : part.gaps) left_out.gaps.push_back(factor * gap);
  }
  Rows own = gather(rows, which);
  left_out.X = std::move(own.X);
  left_out.weights = std::move(own.weights);
  left_out.y = std::move(own.y);
  left_out.factor = factor;
  return left_out;
}

}  // namespace shrimp
