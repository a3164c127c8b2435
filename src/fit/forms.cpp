#include "fit/forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/grouped_rows.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "grow/input_spread.hpp"
#include "grow/kernel_evidence.hpp"
#include "grow/kernel_tuning.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The work grows with their third power, and forms differ by more than so many rows leave in doubt, or by little.
constexpr std::size_t most_rows_to_compare = 500;
constexpr std::size_t fewest_rows = 30;
// Of more inputs, a scale for each takes more rows than these.
constexpr std::size_t most_inputs = 200;
constexpr int most_steps = 25;

// Between the smallest and the largest: below it a logarithm is nearly a line.
constexpr double least_ratio = 5.0;

// A form of inputs must lower the error by so much, and by a standard error. A form of the target must lower it by
// more, since models are harder to read, and the evidence must be e^10 to one for it: where a few large rows make most
// of the error, no standard error tells forms apart.
constexpr double better_inputs = 0.97;
constexpr double sure_of_inputs = 1.0;
constexpr double better_target = 0.9;
constexpr double sure_of_target = 10.0;

using Kinds = std::vector<Warp::Kind>;

bool takes_log(std::span<const double> x) {
  if (!can_take_log(x)) return false;
  const auto [lowest, highest] = range_of_present(x);
  return std::max(std::abs(lowest), std::abs(highest)) > least_ratio * std::min(std::abs(lowest), std::abs(highest));
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size()) / (standard_deviation(a) * standard_deviation(b));
}

// Ranks of values that lie about evenly are the values once more, with the roughness of the sample.
bool takes_rank(std::span<const double> x) {
  constexpr double nearly_a_line = 0.98;
  const std::vector<double> there = present(x);
  std::vector<double> ranks = there;
  warp_in_place(rank_warp(there), ranks);
  return std::pow(correlation(there, ranks), 2) < nearly_a_line;
}

/// What a kernel in some form says of the rows.
struct Verdict {
  KernelShape shape;
  double evidence = -std::numeric_limits<double>::infinity();        // Of the target as it is.
  RowErrors errors = {{}, std::numeric_limits<double>::infinity()};  // In units of the target's variance.
};

class FormChooser {
 public:
  FormChooser(const Dataset& data, const FormOptions& options) : data_(data), options_(options) {
    which_ = permutation(data.y.size(), options.seed);
    which_.resize(std::min(most_rows_to_compare, which_.size()));
    std::ranges::sort(which_);
    if (!data.groups.empty()) {
      std::vector<std::uint32_t> groups;
      for (const std::size_t i : which_) groups.push_back(data.groups[i]);
      const GroupOrder grouped(groups);
      std::vector<std::size_t> sorted;
      for (const std::size_t k : grouped.order) sorted.push_back(which_[k]);
      which_ = std::move(sorted);
      starts_ = grouped.starts;
    }
    for (std::uint32_t j = 0; j < data.X.cols(); ++j) {
      const auto [lowest, highest] = range_of_present(data.X.col(j));
      const bool is_category = !data.columns.empty() && data.columns[j].is_category();
      if (lowest < highest && !is_category) inputs_.push_back(j);
    }
  }

  Forms run() {
    Forms forms;
    if (options_.target) forms.target = *options_.target;
    if (data_.y.size() < fewest_rows || inputs_.empty() || inputs_.size() > most_inputs) return forms;
    const Verdict plain = choose_target(forms.target);
    if (options_.choose_inputs && !is_over()) choose_inputs(plain, forms);
    return forms;
  }

 private:
  [[nodiscard]] bool is_over() const { return options_.is_over && options_.is_over(); }

  [[nodiscard]] Kinds plain_kinds() const { return Kinds(inputs_.size(), Warp::Kind::none); }

  /// The verdict on the inputs as they are and the target in the form that is chosen; without a choice, in that given.
  Verdict choose_target(TargetForm& chosen) const {
    std::vector<TargetForm> forms = {chosen};
    const auto [lowest, highest] = std::ranges::minmax(data_.y);
    for (const TargetForm form : {TargetForm::log, TargetForm::sqrt}) {
      if (!options_.target && can_take_form(data_.y, form) && highest > least_ratio * lowest) forms.push_back(form);
    }
    std::vector<Verdict> verdicts(forms.size());
    parallel_for(forms.size(), [&](std::size_t k) { verdicts[k] = best_of_laws(plain_kinds(), forms[k]); });
    std::size_t best = 0;
    for (std::size_t k = 1; k < forms.size(); ++k) {
      const bool clearly = verdicts[k].errors.mean < better_target * verdicts.front().errors.mean &&
                           verdicts[k].evidence > verdicts.front().evidence + sure_of_target;
      if (clearly && verdicts[k].errors.mean < verdicts[best].errors.mean) best = k;
    }
    chosen = forms[best];
    return std::move(verdicts[best]);
  }

  [[nodiscard]] Kinds rank_kinds() const {
    Kinds ranks = plain_kinds();
    for (std::size_t l = 0; l < ranks.size(); ++l) {
      if (takes_rank(data_.X.col(inputs_[l]))) ranks[l] = Warp::Kind::rank;
    }
    return ranks;
  }

  [[nodiscard]] bool has_other_forms(const Kinds& ranks) const {
    return std::ranges::find(ranks, Warp::Kind::rank) != ranks.end() ||
           std::ranges::any_of(inputs_, [&](std::uint32_t input) { return takes_log(data_.X.col(input)); });
  }

  void choose_inputs(const Verdict& plain, Forms& forms) const {
    const Kinds ranks = rank_kinds();
    if (!has_other_forms(ranks)) return;
    Verdict by_rank = best_of_laws(ranks, forms.target);
    const Law law = by_rank.errors.mean < plain.errors.mean ? by_rank.shape.law : plain.shape.law;
    const Kinds mixed = mixed_kinds(ranks, law, forms.target);
    const Verdict by_mixed = judge(mixed, law, forms.target);
    const bool takes_mixed = by_mixed.errors.mean < by_rank.errors.mean;
    const RowErrors& errors = takes_mixed ? by_mixed.errors : by_rank.errors;
    if (!(errors.mean < better_inputs * plain.errors.mean) || !errors.clearly_below(plain.errors, sure_of_inputs))
      return;
    const Kinds& kinds = takes_mixed ? mixed : ranks;
    forms.inputs.resize(data_.X.cols());
    for (std::size_t l = 0; l < kinds.size(); ++l) forms.inputs[inputs_[l]] = warp_of(inputs_[l], kinds[l]);
  }

  [[nodiscard]] Warp warp_of(std::uint32_t input, Warp::Kind kind) const {
    switch (kind) {
      case Warp::Kind::rank:
        return rank_warp(data_.X.col(input), data_.weights);
      case Warp::Kind::log:
        return log_warp(data_.X.col(input));
      default:
        return {};
    }
  }

  /// The input in this form, in the rows looked at, over its deviation; its largest scale goes to `largest`.
  [[nodiscard]] std::vector<double> column(std::uint32_t input, Warp::Kind kind, std::vector<double>& largest) const {
    const Warp warp = warp_of(input, kind);
    std::vector<double> x(data_.X.col(input).begin(), data_.X.col(input).end());
    warp_in_place(warp, x);
    const InputSpread spread = spread_of(x);
    largest.push_back(spread.largest_scale);
    std::vector<double> values;
    const double mean = mean_of(present(x));
    for (const std::size_t i : which_) values.push_back((is_missing(x[i]) ? mean : x[i]) / spread.deviation);
    return values;
  }

  struct Seen {
    KernelRows rows;
    KernelTuning tuning;
    double mean = 0.0;
    double deviation = 1.0;
  };

  [[nodiscard]] Seen see(const std::vector<std::pair<std::uint32_t, Warp::Kind>>& columns, TargetForm form) const {
    Seen seen;
    seen.rows.U = Matrix::uninitialized(which_.size(), columns.size());
    for (std::size_t l = 0; l < columns.size(); ++l) {
      const std::vector<double> values = column(columns[l].first, columns[l].second, seen.tuning.largest_scales);
      std::ranges::copy(values, seen.rows.U.col(l).begin());
    }
    for (const std::size_t i : which_) seen.rows.y.push_back(in_form(form, data_.y[i]));
    seen.deviation = standard_deviation(seen.rows.y);
    for (const double y : seen.rows.y) seen.mean += y / static_cast<double>(which_.size());
    for (double& y : seen.rows.y) y = (y - seen.mean) / seen.deviation;
    if (!data_.weights.empty()) {
      double total = 0.0;
      for (const std::size_t i : which_) total += data_.weights[i];
      for (const std::size_t i : which_) {
        seen.rows.weights.push_back(data_.weights[i] * static_cast<double>(which_.size()) / total);
      }
    }
    seen.rows.starts = starts_;
    seen.tuning.most_steps = most_steps;
    seen.tuning.is_over = [this] { return is_over(); };
    return seen;
  }

  [[nodiscard]] Verdict judge(const Kinds& kinds, Law law, TargetForm form) const {
    std::vector<std::pair<std::uint32_t, Warp::Kind>> columns;
    for (std::size_t l = 0; l < kinds.size(); ++l) columns.emplace_back(inputs_[l], kinds[l]);
    const Seen seen = see(columns, form);
    Verdict verdict;
    verdict.shape = usual_shape(columns.size(), law);
    verdict.evidence = tune_kernel(seen.rows, verdict.shape, seen.tuning) + log_density(form, seen.deviation);
    const std::optional<KernelLeftOut> left_out = kernel_left_out(seen.rows, verdict.shape);
    if (left_out) verdict.errors = in_own_units(*left_out, seen, form);
    return verdict;
  }

  /// Of the target as it is beside that of its form in units of its deviation: probabilities of one are those of the
  /// other times its slope (Box and Cox 1964).
  [[nodiscard]] double log_density(TargetForm form, double deviation) const {
    double sum = -static_cast<double>(which_.size()) * std::log(deviation);
    for (const std::size_t i : which_) {
      if (form == TargetForm::log) sum -= std::log(data_.y[i]);
      if (form == TargetForm::sqrt) sum -= std::log(2.0 * std::sqrt(data_.y[i]));
    }
    return sum;
  }

  /// Errors of predictions that are means of the target.
  [[nodiscard]] RowErrors in_own_units(const KernelLeftOut& left_out, const Seen& seen, TargetForm form) const {
    if (form == TargetForm::identity) return left_out.errors;
    Scaling scaling;
    scaling.target_mean = seen.mean;
    scaling.target_scale = seen.deviation;
    scaling.target_form = form;
    scaling.target_correction =
        target_correction(form, seen.rows.y, left_out.predictions, seen.rows.weights, seen.deviation);
    std::vector<double> own;
    for (const std::size_t i : which_) own.push_back(data_.y[i]);
    const double deviation = standard_deviation(own);
    RowErrors errors = left_out.errors;
    errors.mean = 0.0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const double error = (own[k] - target_value(scaling, left_out.predictions[k])) / deviation;
      errors.squares[k] = (seen.rows.weights.empty() ? 1.0 : seen.rows.weights[k]) * error * error;
      errors.mean += errors.squares[k] / static_cast<double>(own.size());
    }
    return errors;
  }

  [[nodiscard]] Verdict best_of_laws(const Kinds& kinds, TargetForm form) const {
    Verdict smooth;
    Verdict rough;
    parallel_for(
        2, [&](std::size_t k) { (k == 0 ? smooth : rough) = judge(kinds, k == 0 ? Law::normal : Law::cauchy, form); });
    return rough.errors.mean < smooth.errors.mean ? std::move(rough) : std::move(smooth);
  }

  /// All forms at once, and of each input the one with the largest scale.
  [[nodiscard]] Kinds mixed_kinds(const Kinds& ranks, Law law, TargetForm form) const {
    std::vector<std::pair<std::uint32_t, Warp::Kind>> columns;
    std::vector<std::size_t> places;
    for (std::size_t l = 0; l < inputs_.size(); ++l) {
      const auto x = data_.X.col(inputs_[l]);
      for (const Warp::Kind kind : {Warp::Kind::none, Warp::Kind::rank, Warp::Kind::log}) {
        if (kind == Warp::Kind::rank && ranks[l] != kind) continue;
        if (kind == Warp::Kind::log && !takes_log(x)) continue;
        columns.emplace_back(inputs_[l], kind);
        places.push_back(l);
      }
    }
    const Seen seen = see(columns, form);
    KernelShape shape = usual_shape(columns.size(), law);
    tune_kernel(seen.rows, shape, seen.tuning);
    Kinds kinds = plain_kinds();
    std::vector<double> largest(kinds.size(), 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!(shape.scales[k] > largest[places[k]])) continue;
      largest[places[k]] = shape.scales[k];
      kinds[places[k]] = columns[k].second;
    }
    return kinds;
  }

  const Dataset& data_;
  const FormOptions& options_;
  std::vector<std::size_t> which_;  // Rows looked at; those of a group beside each other.
  GroupStarts starts_;
  std::vector<std::uint32_t> inputs_;  // That are not constant.
};

}  // namespace

Forms choose_forms(const Dataset& data, const FormOptions& options) { return FormChooser(data, options).run(); }

}  // namespace shrimp
