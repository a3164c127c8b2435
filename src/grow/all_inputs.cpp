#include "grow/all_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/grouped_rows.hpp"
#include "data/marginals.hpp"
#include "data/present.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "grow/device_kernel.hpp"
#include "grow/input_spread.hpp"
#include "grow/kernel_evidence.hpp"
#include "grow/kernel_tuning.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

// Rows by which laws are compared, and by which scales are tuned then: the work grows with their third power, and what
// they tell hardly changes beyond.
constexpr std::size_t rows_for_laws = 500;
constexpr std::size_t rows_for_scales = 1000;
constexpr int steps_for_laws = 25;
constexpr int steps_for_scales = 20;
constexpr int steps_at_the_end = 8;

// So many rows beside those for tuning tell errors; of fewer, folds do.
constexpr std::size_t enough_others = 500;
constexpr std::size_t folds_to_judge = 5;
constexpr int steps_for_folds = 20;

// Fewer rows say too little about a scale for each input.
constexpr std::size_t fewest_rows = 20;

// A model that keeps its terms is the easier one to read: the other one must be better by so much.
constexpr double clearly_better = 0.97;

class Finder {
 public:
  Finder(const Rows& rows, const Finished& terms, const AllInputsOptions& options, const std::function<bool()>& is_over)
      : rows_(rows),
        terms_(terms),
        options_(options),
        is_over_(is_over),
        spreads_(spreads_of(rows.X)),
        mean_(0.0),
        deviation_(standard_deviation(rows.y)) {
    for (std::size_t i = 0; i < rows.size(); ++i) mean_ += weight(i) * rows.y[i] / rows.total_weight();
  }

  std::optional<AllInputs> run() {
    KernelShape shape = best_of_laws(options_.only_beside_terms);
    double gain = refine(shape, options_.only_beside_terms);
    std::optional<AllInputs> found = judge(shape, gain, options_.only_beside_terms);
    if (options_.only_beside_terms || terms_.coefficients.empty() || is_over_()) return found;
    KernelShape beside = usual(shape.law);
    tune(beside, rows_for_laws, steps_for_laws, true);
    gain = refine(beside, true);
    std::optional<AllInputs> second = judge(beside, gain, true);
    if (!found || (second && !(told_error(*found) < clearly_better * told_error(*second)))) return second;
    return found;
  }

  /// Leave-one-out errors on rows for laws, minimised by coordinate steps over scale and noise of each law.
  [[nodiscard]] std::optional<KernelShape> isotropic() const {
    const Rows some = some_rows(rows_for_laws);
    const GroupOrder grouped(some.groups);
    KernelRows seen = view(grouped.starts ? gather(some, grouped.order) : some, options_.candidates, false);
    seen.starts = grouped.starts;
    std::optional<KernelShape> best;
    double least = std::numeric_limits<double>::infinity();
    for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
      if ((options_.law && law != *options_.law) || is_over_()) continue;
      KernelShape shape = usual(law);
      const double error = improve_by_steps(seen, shape);
      if (!(error < least)) continue;
      least = error;
      best = std::move(shape);
    }
    return best;
  }

 private:
  // Working responses of classes have noise of about their own variance. Little noise in a kernel would mean that it
  // interpolates classes. Chosen by hand.
  static constexpr double least_noise = 0.1;

  /// Moves the common scale and the noise by factors while leave-one-out errors fall, and returns the least.
  [[nodiscard]] double improve_by_steps(const KernelRows& seen, KernelShape& shape) const {
    constexpr int most_steps = 8;
    constexpr double scale_step = 2.0;
    constexpr double noise_step = 4.0;
    const auto error_of = [&](const KernelShape& other) {
      const std::optional<KernelLeftOut> left_out = kernel_left_out(seen, other);
      return left_out ? left_out->errors.mean : std::numeric_limits<double>::infinity();
    };
    double least = error_of(shape);
    for (bool moved = true; moved && !is_over_();) {
      moved = false;
      for (const bool moves_noise : {false, true}) {
        if (moves_noise && options_.noise) continue;
        for (const bool up : {true, false}) {
          const double step = moves_noise ? noise_step : scale_step;
          const double factor = up ? step : 1.0 / step;
          for (int k = 0; k < most_steps; ++k) {
            KernelShape other = shape;
            if (moves_noise) other.noise *= factor;
            if (other.noise < least_noise) break;
            for (double& scale : other.scales) scale *= moves_noise ? 1.0 : factor;
            const double error = error_of(other);
            if (!(error < least)) break;
            least = error;
            shape = std::move(other);
            moved = true;
          }
        }
      }
    }
    return least;
  }

  [[nodiscard]] double told_error(const AllInputs& found) const {
    return options_.judged ? found.judged_errors.mean : found.errors.mean;
  }

  [[nodiscard]] double weight(std::size_t i) const { return rows_.weights.empty() ? 1.0 : rows_.weights[i]; }

  [[nodiscard]] KernelShape usual(Law law) const {
    KernelShape shape = usual_shape(options_.candidates.size(), law);
    shape.variables = options_.candidates;
    if (options_.noise) shape.noise = *options_.noise;
    return shape;
  }

  /// The rows as the kernel on these inputs sees them.
  [[nodiscard]] KernelRows view(const Rows& rows, const Support& inputs, bool beside_terms) const {
    KernelRows seen;
    seen.U = Matrix::uninitialized(rows.size(), inputs.size());
    for (std::size_t l = 0; l < inputs.size(); ++l) {
      const auto x = rows.X.col(inputs[l]);
      const double mean = any_missing(x) ? mean_of(rows.kinds->marginals[inputs[l]]) : 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        seen.U(i, l) = (is_missing(x[i]) ? mean : x[i]) / spreads_[inputs[l]].deviation;
      }
    }
    for (const double y : rows.y) seen.y.push_back((y - mean_) / deviation_);
    seen.weights = rows.weights;
    const double mean_weight = rows_.total_weight() / static_cast<double>(rows_.size());
    for (double& value : seen.weights) value /= mean_weight;
    if (beside_terms) {
      const Matrix Phi = scaled_columns(terms_, rows.X);
      seen.base = Matrix(rows.size(), rows.size());
      add_gram(seen.base, 1.0, Phi);
    }
    put_on(options_.device, seen);
    return seen;
  }

  [[nodiscard]] std::vector<std::size_t> tuning_rows(std::size_t count) const {
    std::vector<std::size_t> which = permutation(rows_.size(), options_.seed);
    which.resize(std::min(count, which.size()));
    std::ranges::sort(which);
    return which;
  }

  [[nodiscard]] Rows some_rows(std::size_t count) const { return gather(rows_, tuning_rows(count)); }

  [[nodiscard]] KernelTuning tuning_of(const Support& inputs, int steps) const {
    KernelTuning tuning{{}, steps, options_.noise.has_value(), is_over_};
    for (const std::uint32_t input : inputs) tuning.largest_scales.push_back(spreads_[input].largest_scale);
    return tuning;
  }

  double tune(KernelShape& shape, std::size_t rows, int steps, bool beside_terms) const {
    return tune_kernel(view(some_rows(rows), shape.variables, beside_terms), shape, tuning_of(shape.variables, steps));
  }

  [[nodiscard]] KernelShape best_of_laws(bool beside_terms) const {
    std::optional<KernelShape> best;
    double most = 0.0;
    for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
      if (options_.law && law != *options_.law) continue;
      KernelShape shape = usual(law);
      const double evidence = tune(shape, rows_for_laws, steps_for_laws, beside_terms);
      if (best && !(evidence > most)) continue;
      best = std::move(shape);
      most = evidence;
    }
    return *best;
  }

  /// Returns by how much the evidence is above that of what there is without the shape.
  [[nodiscard]] double refine(KernelShape& shape, bool beside_terms) const {
    KernelRows seen = view(some_rows(rows_for_scales), shape.variables, beside_terms);
    KernelTuning tuning = tuning_of(shape.variables, steps_for_scales);
    tune_kernel(seen, shape, tuning);
    const std::size_t before = shape.variables.size();
    drop_idle_inputs(seen, shape, tuning);
    if (options_.most_inputs > 0) keep_largest(options_.most_inputs, seen, shape, tuning);
    tuning.most_steps = steps_at_the_end;
    if (shape.variables.size() < before) tune_kernel(seen, shape, tuning);
    const std::optional<KernelEvidence> evidence = kernel_evidence(seen, shape);
    return evidence ? evidence->value - evidence_without(seen, shape.noise) : 0.0;
  }

  /// Also moves the noise to where rows left out are predicted best.
  [[nodiscard]] std::optional<AllInputs> judge(KernelShape shape, double evidence_gain, bool beside_terms) const {
    const GroupOrder grouped(rows_.groups);
    KernelRows seen = grouped.starts ? view(gather(rows_, grouped.order), shape.variables, beside_terms)
                                     : view(rows_, shape.variables, beside_terms);
    seen.starts = grouped.starts;
    std::optional<KernelLeftOut> best = kernel_left_out(seen, shape);
    if (!best) return std::nullopt;
    const auto try_noise = [&](double factor) {
      KernelShape other = shape;
      other.noise *= factor;
      std::optional<KernelLeftOut> result = kernel_left_out(seen, other);
      if (!result || !(result->errors.mean < best->errors.mean)) return false;
      best = std::move(result);
      shape = other;
      return true;
    };
    constexpr double step = 4.0;
    if (!options_.noise && !is_over_() && !try_noise(step)) try_noise(1.0 / step);
    AllInputs found;
    found.evidence_gain = evidence_gain;
    found.shape = std::move(shape);
    for (const InputSpread& spread : spreads_) found.deviations.push_back(spread.deviation);
    found.kinds = rows_.kinds;
    found.beside_terms = beside_terms;
    found.errors = std::move(best->errors);
    found.errors.starts = nullptr;
    found.errors.mean *= deviation_ * deviation_;
    for (double& square : found.errors.squares) square *= deviation_ * deviation_;
    found.alpha = std::move(best->alpha);
    grouped.put_back(found.errors.squares);
    grouped.put_back(found.alpha);
    if (options_.judged) judge_by_rows_that_tuned_nothing(found);
    return found;
  }

  void judge_by_rows_that_tuned_nothing(AllInputs& found) const {
    std::vector<double> squares(rows_.size(), 0.0);
    std::vector<bool> tuned(rows_.size(), false);
    if (rows_.size() >= rows_for_scales + enough_others) {
      for (const std::size_t i : tuning_rows(rows_for_scales)) tuned[i] = true;
      squares = found.errors.squares;
    } else {
      squares = errors_of_folds(found.shape.law, found.beside_terms);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (tuned[i]) continue;
      found.judged_rows.push_back(i);
      found.judged_errors.squares.push_back(squares[i]);
      found.judged_errors.mean += squares[i];
    }
    found.judged_errors.mean /= static_cast<double>(found.judged_rows.size());
  }

  /// Squared errors of all rows, each of a fold by a shape that the other folds tell.
  [[nodiscard]] std::vector<double> errors_of_folds(Law law, bool beside_terms) const {
    const std::vector<RowSplit> folds = fold(rows_, std::min(folds_to_judge, count_units(rows_)), options_.seed);
    std::vector<std::uint32_t> numbers(rows_.size());
    for (std::uint32_t k = 0; k < folds.size(); ++k) {
      for (const std::size_t i : folds[k].held_out) numbers[i] = k;
    }
    const GroupOrder by_fold(numbers);
    KernelRows all = view(gather(rows_, by_fold.order), options_.candidates, beside_terms);
    all.starts = by_fold.starts;
    std::vector<double> squares(rows_.size(), 0.0);
    for (std::size_t k = 0; k < folds.size(); ++k) {
      KernelShape shape = usual(law);
      tune_kernel(view(gather(rows_, folds[k].train), shape.variables, beside_terms), shape,
                  tuning_of(shape.variables, steps_for_folds));
      const std::optional<KernelLeftOut> left_out = kernel_left_out(all, shape);
      for (std::size_t at = (*by_fold.starts)[k]; at < (*by_fold.starts)[k + 1]; ++at) {
        squares[by_fold.order[at]] =
            left_out ? deviation_ * deviation_ * left_out->errors.squares[at] : std::numeric_limits<double>::infinity();
      }
    }
    return squares;
  }

  /// The evidence of what there is already, with the noise that suits that best.
  [[nodiscard]] static double evidence_without(const KernelRows& rows, double noise) {
    KernelRows bare{Matrix(rows.size(), 0), rows.y, rows.weights, {}, {}};
    if (!rows.base.empty()) bare.base = copy_in_parallel(rows.base);
    if (rows.on_device != nullptr) put_on(rows.on_device->device(), bare);
    KernelShape nothing;
    nothing.amplitude = 0.0;
    // Halves the logarithms by the slope: a grid misses the best by more than what the gain must be.
    constexpr double largest = 3.0;
    constexpr int halvings = 12;
    double low = std::log(std::min(noise, largest));
    double high = std::log(largest);
    double most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < halvings; ++k) {
      nothing.noise = std::exp(k == 0 ? low : 0.5 * (low + high));
      const std::optional<KernelEvidence> evidence = kernel_evidence(bare, nothing);
      if (evidence) most = std::max(most, evidence->value);
      const bool rises = !evidence || evidence->slopes.back() > 0.0;
      if (k == 0 && !rises) break;
      if (k > 0) (rises ? low : high) = std::log(nothing.noise);
    }
    return most;
  }

  const Rows& rows_;
  const Finished& terms_;
  const AllInputsOptions& options_;
  const std::function<bool()>& is_over_;
  std::vector<InputSpread> spreads_;
  double mean_;
  double deviation_;
};

}  // namespace

Matrix scaled_columns(const Finished& terms, MatrixView X) {
  Matrix Phi = evaluate(terms.dictionary, X);
  for (std::size_t j = 0; j < terms.scales.size(); ++j) {
    for (double& value : Phi.col(j)) value *= terms.scales[j];
  }
  return Phi;
}

std::optional<KernelShape> find_isotropic_kernel(const Rows& rows, const AllInputsOptions& options,
                                                 const std::function<bool()>& is_over) {
  if (rows.size() < fewest_rows || options.candidates.empty()) return std::nullopt;
  return Finder(rows, Finished(), options, is_over).isotropic();
}

std::vector<double> kernel_units(MatrixView X) {
  std::vector<double> units;
  for (const InputSpread& spread : spreads_of(X)) units.push_back(spread.deviation);
  return units;
}

std::optional<AllInputs> find_all_inputs(const Rows& rows, const Finished& terms, const AllInputsOptions& options,
                                         const std::function<bool()>& is_over) {
  if (rows.size() < fewest_rows || options.candidates.empty()) return std::nullopt;
  return Finder(rows, terms, options, is_over).run();
}

}  // namespace shrimp
