#include "grow/kernel_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grow/climb.hpp"
#include "grow/device_kernel.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

constexpr double smallest_scale = 1e-4;  // An input that changes nothing.
constexpr double smallest_amplitude = 0.05;
constexpr double largest_amplitude = 300.0;
constexpr double smallest_noise = 1e-5;  // Deviations.
constexpr double largest_noise = 3.0;

// Logarithms of scales and amplitude in advance: normal, so wide that they matter only where rows say nothing.
constexpr double usual_scale = 0.5;
constexpr double scale_spread = 2.0;
constexpr double amplitude_spread = 3.0;

// Of two shapes whose logarithms of evidence differ by less, neither is told to be the better.
constexpr double worthless_gain = 0.5;

struct Place {
  std::vector<double> at;
  std::vector<double> lowest;
  std::vector<double> highest;

  void add(double value, double low, double high) {
    at.push_back(std::log(value));
    lowest.push_back(std::log(std::min(value, low)));
    highest.push_back(std::log(std::max(value, high)));
  }
};

Place place_of(const KernelShape& shape, const KernelTuning& tuning) {
  Place place;
  for (std::size_t l = 0; l < shape.scales.size(); ++l) {
    place.add(shape.scales[l], smallest_scale, tuning.largest_scales[l]);
  }
  place.add(shape.amplitude, smallest_amplitude, largest_amplitude);
  const double deviation = std::sqrt(shape.noise);
  place.add(deviation, tuning.noise_is_fixed ? deviation : smallest_noise,
            tuning.noise_is_fixed ? deviation : largest_noise);
  return place;
}

void move(KernelShape& shape, std::span<const double> to) {
  const std::size_t count = shape.scales.size();
  for (std::size_t l = 0; l < count; ++l) shape.scales[l] = std::exp(to[l]);
  shape.amplitude = std::exp(to[count]);
  shape.noise = std::exp(2.0 * to[count + 1]);
}

Height height_of(const KernelRows& rows, const KernelShape& shape) {
  const std::optional<KernelEvidence> evidence = kernel_evidence(rows, shape);
  if (!evidence) return {-std::numeric_limits<double>::infinity(), {}};
  Height height{evidence->value, evidence->slopes};
  const auto expect = [&](std::size_t k, double distance, double spread) {
    height.value -= 0.5 * std::pow(distance / spread, 2);
    height.slope[k] -= distance / (spread * spread);
  };
  for (std::size_t l = 0; l < shape.scales.size(); ++l)
    expect(l, std::log(shape.scales[l] / usual_scale), scale_spread);
  expect(shape.scales.size(), std::log(shape.amplitude), amplitude_spread);
  return height;
}

KernelRows columns_of(const KernelRows& rows, std::span<const std::size_t> columns) {
  KernelRows kept{gather_columns(rows.U, columns), rows.y, rows.weights, {}, rows.starts};
  if (!rows.base.empty()) kept.base = copy_in_parallel(rows.base);
  if (rows.on_device != nullptr) put_on(rows.on_device->device(), kept);
  return kept;
}

KernelShape part_of(const KernelShape& shape, std::span<const std::size_t> columns) {
  KernelShape part = shape;
  part.variables.clear();
  part.scales.clear();
  for (const std::size_t l : columns) {
    part.variables.push_back(shape.variables[l]);
    part.scales.push_back(shape.scales[l]);
  }
  return part;
}

void keep(std::span<const std::size_t> columns, KernelRows& rows, KernelShape& shape, KernelTuning& tuning) {
  rows = columns_of(rows, columns);
  shape = part_of(shape, columns);
  std::vector<double> largest;
  for (const std::size_t l : columns) largest.push_back(tuning.largest_scales[l]);
  tuning.largest_scales = std::move(largest);
}

double evidence_at(const KernelRows& rows, const KernelShape& shape) {
  const std::optional<KernelEvidence> evidence = kernel_evidence(rows, shape);
  return evidence ? evidence->value : -std::numeric_limits<double>::infinity();
}

}  // namespace

KernelShape usual_shape(std::size_t columns, Law law) {
  KernelShape shape;
  shape.variables.resize(columns);
  std::iota(shape.variables.begin(), shape.variables.end(), 0U);
  shape.scales.assign(columns, 0.7 / std::sqrt(static_cast<double>(columns)));
  shape.law = law;
  return shape;
}

double tune_kernel(const KernelRows& rows, KernelShape& shape, const KernelTuning& tuning) {
  const Place place = place_of(shape, tuning);
  const auto height = [&](std::span<const double> at) {
    KernelShape moved = shape;
    move(moved, at);
    return height_of(rows, moved);
  };
  ClimbOptions options;
  options.first_step = 0.3;
  options.most_steps = tuning.most_steps;
  options.least_gain = worthless_gain;
  options.patience = 6;  // Many scales that move at once overshoot together before each finds its place.
  options.is_over = tuning.is_over;
  move(shape, climb(place.at, place.lowest, place.highest, height, options));
  return height_of(rows, shape).value;
}

void drop_idle_inputs(KernelRows& rows, KernelShape& shape, KernelTuning& tuning) {
  const double before = evidence_at(rows, shape);
  // Those of the smallest scales first; the largest such set that the evidence does not miss.
  for (const double threshold : {0.1, 0.05, 0.02, 0.01, 0.003}) {
    std::vector<std::size_t> kept;
    for (std::size_t l = 0; l < shape.scales.size(); ++l) {
      if (shape.scales[l] >= threshold) kept.push_back(l);
    }
    const auto dropped = static_cast<double>(shape.scales.size() - kept.size());
    if (dropped == 0.0) return;
    if (kept.empty()) continue;
    if (evidence_at(columns_of(rows, kept), part_of(shape, kept)) < before - worthless_gain * dropped) continue;
    keep(kept, rows, shape, tuning);
    return;
  }
}

void keep_largest(std::size_t count, KernelRows& rows, KernelShape& shape, KernelTuning& tuning) {
  if (shape.scales.size() <= count) return;
  std::vector<std::size_t> order(shape.scales.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t l) { return shape.scales[l]; });
  order.resize(count);
  std::ranges::sort(order);
  keep(order, rows, shape, tuning);
}

}  // namespace shrimp
