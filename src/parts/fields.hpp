// What travels of each structure.
#pragma once

#include <concepts>
#include <type_traits>

#include "data/encode.hpp"
#include "data/long_table.hpp"
#include "shrimp/columns.hpp"
#include "shrimp/features.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

template <typename T, typename Plain>
concept Of = std::same_as<std::remove_const_t<T>, Plain>;

template <typename Archive>
void fields(Archive& archive, Of<InputColumn> auto& column) {
  archive(column.kind, column.part, column.column, column.levels, column.pooled, column.date_parts);
}

template <typename Archive>
void fields(Archive& archive, Of<InputPlan> auto& plan) {
  archive(plan.inputs, plan.columns);
}

template <typename Archive>
void fields(Archive& archive, Of<Warp> auto& warp) {
  archive(warp.kind, warp.negative, warp.values, warp.ranks);
}

template <typename Archive>
void fields(Archive& archive, Of<Scaling> auto& scaling) {
  archive(scaling.input_mean, scaling.input_scale, scaling.target_mean, scaling.target_scale, scaling.input_lowest,
          scaling.input_highest, scaling.target_lowest, scaling.target_highest, scaling.input_warps,
          scaling.target_form, scaling.target_correction);
}

template <typename Archive>
void fields(Archive& archive, Of<Marginal> auto& marginal) {
  archive(marginal.values, marginal.masses);
}

template <typename Archive>
void fields(Archive& archive, Of<FeatureWeights> auto& weights) {
  archive(weights.offsets, weights.variables, weights.values, weights.phases);
}

template <typename Archive>
void fields(Archive& archive, Of<Dictionary> auto& dictionary) {
  archive(dictionary.weights, dictionary.rows, dictionary.functions, dictionary.gamma, dictionary.kernel_order,
          dictionary.kernel_law, dictionary.marginals);
}

template <typename Archive>
void fields(Archive& archive, Of<LongTableOptions> auto& options) {
  archive(options.most_searched, options.most_held_out, options.seed, options.blocks);
}

}  // namespace shrimp
