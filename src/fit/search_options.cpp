#include "fit/search_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "data/present.hpp"
#include "data/split.hpp"
#include "fit/term_names.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

std::vector<Support> find_terms(const char* option, const std::vector<std::vector<std::string>>& terms,
                                const std::vector<std::string>& inputs) {
  std::vector<Support> found;
  for (const std::vector<std::string>& term : terms) found.push_back(find_term(option, term, inputs));
  return found;
}

// An excluded input comes in no term: a function of a pair also holds effects of each of its inputs.
void check_wishes(const GrowOptions& grow, const std::vector<std::string>& inputs) {
  for (const Support& term : grow.include) {
    for (const Support& excluded : grow.exclude) {
      if (term == excluded) {
        throw OptionError("include and exclude name the same term.\nRemove it from one of the two.");
      }
      if (excluded.size() > 1 || std::ranges::find(term, excluded.front()) == term.end()) continue;
      throw OptionError(fmt::format(
          "exclude names \"{}\", but a term to include contains this input.\nRemove it from one of the two.",
          inputs[excluded.front()]));
    }
  }
}

}  // namespace

GrowOptions grow_options(const ModelFrame& frame) {
  GrowOptions grow;
  const FitOptions& options = frame.options;
  constexpr int highest_screened = 3;
  const int max_order = options.terms.max_order;
  grow.max_order = static_cast<std::size_t>(max_order == 0 ? highest_screened : std::min(max_order, highest_screened));
  grow.max_terms = options.terms.max_terms;
  grow.include = find_terms("include", options.terms.include, frame.inputs);
  grow.exclude = find_terms("exclude", options.terms.exclude, frame.inputs);
  check_wishes(grow, frame.inputs);
  if (options.draw.sigma2) grow.scale = std::sqrt(*options.draw.sigma2);
  if (options.draw.law == Law::student_t) grow.smoothness = options.draw.degrees_of_freedom;
  if (options.prune.ridge && *options.prune.ridge > 0.0) grow.ridge = options.prune.ridge;
  if (options.terms.budget_operations > 0.0) grow.budget = share_of_search * options.terms.budget_operations;
  if (options.terms.budget_seconds > 0.0) grow.budget = std::numeric_limits<double>::infinity();
  if (options.terms.one_standard_error) grow.drop_deviations = 1.0;
  grow.seed = options.seed;
  if (options.loss == Loss::squared) grow.device = frame.device;
  return grow;
}

FinishOptions finish_options(const ModelFrame& frame, const std::vector<Support>& include) {
  FinishOptions finish;
  const FitOptions& options = frame.options;
  finish.prune_rates = options.prune.rates;
  finish.rank_tolerance = options.prune.rank_tolerance;
  finish.most_columns = std::min({most_exact_columns, 2 * options.draw.features, 3 * frame.rows.size()});
  if (options.choice.folds > 0) finish.folds = options.choice.folds;
  finish.one_standard_error = options.terms.one_standard_error;
  finish.include = include;
  finish.seed = options.seed;
  finish.device = frame.device;
  return finish;
}

AllInputsOptions kernel_term_options(const ModelFrame& frame, const GrowOptions& grow, const Rows& rows,
                                     std::span<const std::uint32_t> in_terms) {
  constexpr std::size_t most_candidates = 200;
  AllInputsOptions options;
  for (std::uint32_t j = 0; j < rows.X.cols(); ++j) {
    const auto [lowest, highest] = range_of_present(rows.X.col(j));
    const bool has_order = !rows.is_category(j) || rows.kinds->levels[j] <= 2;
    const bool excluded = std::ranges::find(grow.exclude, Support{j}) != grow.exclude.end();
    const bool few = rows.X.cols() <= most_candidates || std::ranges::find(in_terms, j) != in_terms.end();
    if (lowest < highest && has_order && !excluded && few) options.candidates.push_back(j);
  }
  if (options.candidates.size() > most_candidates) options.candidates.clear();
  if (grow.smoothness) options.law = Law::student_t;
  options.most_inputs = static_cast<std::size_t>(frame.options.terms.max_order);
  options.noise = grow.ridge;
  options.seed = frame.options.seed;
  options.device = frame.device;
  return options;
}

bool may_take_kernel_term(const ModelFrame& frame, const GrowOptions& grow) {
  const bool excludes_sets = std::ranges::any_of(grow.exclude, [](const Support& set) { return set.size() > 1; });
  const int max_order = frame.options.terms.max_order;
  return !grow.scale && grow.max_terms == 0 && !excludes_sets && (max_order == 0 || max_order > 3);
}

HeldOutParts held_out_by_folds(const ModelFrame& frame) {
  const std::size_t folds = std::min(finish_options(frame, {}).folds, count_units(frame.rows));
  HeldOutParts parts;
  if (folds < 2) return parts;
  for (RowSplit& split : fold(frame.rows, folds, frame.options.seed)) parts.push_back(std::move(split.held_out));
  return parts;
}

Choice choice_of_model(const Finished& finished) {
  Choice choice;
  choice.found = true;
  std::set<int> orders;
  for (std::size_t j = 0; j < finished.dictionary.weights.size(); ++j) {
    orders.insert(static_cast<int>(finished.dictionary.weights.support(j).size()));
  }
  choice.orders.assign(orders.begin(), orders.end());
  if (choice.orders.empty()) choice.orders = {0};
  choice.rate = finished.rate;
  choice.step = finished.chosen;
  choice.dictionary = finished.dictionary;
  choice.coefficients = finished.coefficients;
  choice.constant = finished.constant;
  choice.ridge = finished.ridge;
  choice.scales = finished.scales;
  choice.records = finished.records;
  choice.features_drawn = finished.features_drawn;
  choice.basis_functions_drawn = finished.basis_functions_drawn;
  return choice;
}

}  // namespace shrimp
