#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "data/target_form.hpp"
#include "model/model_loss.hpp"
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

void ModelSummary::Content::add_fold(std::uint64_t fold, TriangularSystem own) {
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
  std::map<std::uint64_t, TriangularSystem> before;
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

TriangularSystem ModelSummary::Content::all() const {
  TriangularSystem total(columns);
  for (const auto& [fold, own] : sums) total.merge(own);
  return total;
}

// The mean of the target, in the form that is fitted, lies between its lowest and highest value; rounding of the sums
// may move it by 1e-6 of their range, which is far above what double precision loses.
void ModelSummary::Content::require_plausible(const Model& model, const std::string& source) const {
  if (sums.empty()) return;
  const auto fail = [&](const char* what) {
    throw DataError(
        fmt::format("{} does not hold sufficient statistics for this model: {}.\nCompute them again with this model.",
                    source, what));
  };
  const Scaling& scaling = model.scaling;
  const Loss loss = loss_of(model);
  if (of_working_rows != (loss != Loss::squared)) fail("they are those of another loss");
  if (target_scale != scaling.target_scale) fail("its scale of the target differs");
  const double ends[] = {lowest, highest};
  if (of_working_rows) {
    if (!std::ranges::all_of(ends, objective_of(loss).target.contains)) fail("its targets are not those of the loss");
    return;
  }
  if (!can_take_form(ends, scaling.target_form))
    fail("its range of the target is outside the domain of the target's transform");
  const double low = in_form(scaling.target_form, lowest);
  const double high = in_form(scaling.target_form, highest);
  for (const auto& [fold, own] : sums) {
    const double mean = target_mean + target_scale * own.b[0] / own.R(0, 0);
    const double rounding = 1e-6 * (high - low + std::abs(low) + std::abs(high) + target_scale);
    if (!(mean >= low - rounding && mean <= high + rounding)) fail("a mean of the target lies outside its range");
  }
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

std::size_t ModelSummary::tables() const { return content_->tables.size(); }

bool ModelSummary::is_of_columns_of(const Model& model) const {
  return content_->columns == 1 + model.coefficients.size() && content_->columns_hash == hash_columns(model);
}

bool ModelSummary::may_belong_to(const Model& model) const {
  return content_->model_hash == 0 || content_->model_hash == hash_coefficients(model);
}

void ModelSummary::set_model(const Model& model) { content_->model_hash = hash_coefficients(model); }

std::size_t ModelSummary::tables_shared_with(const ModelSummary& other) const {
  std::vector<std::uint64_t> shared;
  std::ranges::set_intersection(content_->tables, other.content_->tables, std::back_inserter(shared));
  return shared.size();
}

void ModelSummary::merge(const ModelSummary& other) {
  Content& own = *content_;
  const Content& more = *other.content_;
  if (own.columns != more.columns || own.columns_hash != more.columns_hash) {
    throw std::invalid_argument("the sufficient statistics are of different basis functions.");
  }
  if (own.of_working_rows != more.of_working_rows) {
    throw std::invalid_argument("the sufficient statistics are of different losses.");
  }

  Content moved = more;
  moved.move_target_mean(own.target_mean);
  own.bits = std::min(own.bits, more.bits);
  own.lowest = std::min(own.lowest, more.lowest);
  own.highest = std::max(own.highest, more.highest);
  own.unit.merge(more.unit);
  own.model_hash = 0;
  std::vector<std::uint64_t> tables;
  std::ranges::set_union(own.tables, more.tables, std::back_inserter(tables));
  own.tables = std::move(tables);
  for (auto& [fold, sums] : moved.sums) own.add_fold(fold, std::move(sums));
}

}  // namespace shrimp
