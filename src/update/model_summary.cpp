#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "shrimp/errors.hpp"
#include "update/fingerprint.hpp"
#include "update/summary_content.hpp"

namespace shrimp {
namespace {

std::uint64_t leading(std::uint64_t hash, std::uint32_t bits) {
  return bits >= 64 ? hash : hash & ~(~std::uint64_t{0} >> bits);
}

}  // namespace

void WeightUnit::add(double weight) {
  constexpr double largest_count = 9007199254740992.0;  // 2⁵³: above it, every number is whole.
  if (weight != std::floor(weight) || weight > largest_count) {
    whole = false;
  } else {
    divisor = std::gcd(divisor, static_cast<std::uint64_t>(weight));
  }
}

void WeightUnit::merge(const WeightUnit& other) {
  whole = whole && other.whole;
  divisor = std::gcd(divisor, other.divisor);
}

double WeightUnit::value(double mean_weight) const {
  return whole && divisor > 0 ? static_cast<double>(divisor) : mean_weight;
}

std::size_t most_folds(std::size_t columns) {
  constexpr double bytes = 256.0 * 1024 * 1024;
  const double triangle = 4.0 * static_cast<double>(columns) * static_cast<double>(columns);
  return static_cast<std::size_t>(std::clamp(bytes / triangle, 5.0, 32.0));
}

void ModelSummary::Content::add_fold(std::uint64_t fold, TriangleSummary own) {
  const auto [place, is_new] = sums.try_emplace(leading(fold, bits), columns);
  if (is_new) {
    place->second = std::move(own);
  } else {
    place->second.merge(std::move(own));
  }
  while (sums.size() > most_folds(columns)) drop_bits();
}

void ModelSummary::Content::drop_bits() {
  --bits;
  std::map<std::uint64_t, TriangleSummary> before;
  before.swap(sums);
  for (auto& [fold, own] : before) {
    const auto [place, is_new] = sums.try_emplace(leading(fold, bits), columns);
    if (is_new) {
      place->second = std::move(own);
    } else {
      place->second.merge(std::move(own));
    }
  }
}

// The constant's column is the first, and has one entry in R.
void ModelSummary::Content::move_target_mean(double mean) {
  const double shift = (target_mean - mean) / target_scale;
  for (auto& [fold, own] : sums) {
    if (!own.b.empty()) own.b[0] += shift * own.R(0, 0);
  }
  target_mean = mean;
}

TriangleSummary ModelSummary::Content::all() const {
  TriangleSummary total(columns);
  for (const auto& [fold, own] : sums) total.merge(own);
  return total;
}

ModelSummary::ModelSummary(std::unique_ptr<Content> content) : content_(std::move(content)) {}
ModelSummary::ModelSummary(ModelSummary&&) noexcept = default;
ModelSummary& ModelSummary::operator=(ModelSummary&&) noexcept = default;
ModelSummary::~ModelSummary() = default;

std::size_t ModelSummary::rows() const {
  std::size_t count = 0;
  for (const auto& [fold, own] : content_->sums) count += own.rows;
  return count;
}

double ModelSummary::weight() const {
  double sum = 0.0;
  for (const auto& [fold, own] : content_->sums) sum += own.weight;
  return sum;
}

std::size_t ModelSummary::folds() const { return content_->sums.size(); }

bool ModelSummary::is_of_columns_of(const Model& model) const {
  return content_->columns == 1 + model.coefficients.size() && content_->columns_hash == hash_columns(model);
}

bool ModelSummary::may_belong_to(const Model& model) const {
  return content_->model_hash == 0 || content_->model_hash == hash_coefficients(model);
}

void ModelSummary::set_model(const Model& model) { content_->model_hash = hash_coefficients(model); }

void ModelSummary::merge(const ModelSummary& other) {
  Content& own = *content_;
  const Content& more = *other.content_;
  if (own.columns != more.columns || own.columns_hash != more.columns_hash) {
    throw std::invalid_argument("the summaries are of other columns.");
  }
  Content moved = more;
  moved.move_target_mean(own.target_mean);
  own.bits = std::min(own.bits, more.bits);
  own.lowest = std::min(own.lowest, more.lowest);
  own.highest = std::max(own.highest, more.highest);
  own.unit.merge(more.unit);
  own.model_hash = 0;
  for (auto& [fold, sums] : moved.sums) own.add_fold(fold, std::move(sums));
}

}  // namespace shrimp
