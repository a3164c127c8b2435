#include "grow/kernel_finish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/present.hpp"
#include "data/split.hpp"
#include "data/standardize.hpp"
#include "features/missing_cells.hpp"
#include "grow/device_kernel.hpp"
#include "grow/device_sections.hpp"
#include "grow/finish_parts.hpp"
#include "grow/nystrom.hpp"
#include "linalg/dense.hpp"
#include "ridge/lambda_search.hpp"
#include "shrimp/kernels.hpp"

namespace shrimp {
namespace {

double weight_of(const Rows& rows, std::size_t i) { return rows.weights.empty() ? 1.0 : rows.weights[i]; }

Finished model_of(const AllInputs& found, const Finished& terms, MatrixView centres) {
  Finished model;
  if (found.beside_terms) {
    model.dictionary = terms.dictionary.subset(all_columns(terms.dictionary.columns()));
    model.scales = terms.scales;
    model.scales.resize(terms.dictionary.columns(), 1.0);
  }
  model.dictionary.append(sections_of(found.shape, found.deviations, centres, found.kinds));
  model.scales.resize(model.dictionary.columns(), found.shape.amplitude);
  model.basis_functions_drawn = terms.basis_functions_drawn + centres.rows;
  model.features_drawn = terms.features_drawn + centres.rows;
  model.rate = terms.rate;
  return model;
}

/// Sums over rows of the columns 1, those of the terms and those of the sections, and what they are solved to.
class SectionSums {
 public:
  SectionSums(const AllInputs& found, const Finished& terms, Matrix centres, double mean, double deviation,
              std::shared_ptr<Device> device)
      : found_(found),
        terms_(terms),
        features_(found.shape, found.deviations, std::move(centres), found.kinds),
        mean_(mean),
        deviation_(deviation),
        device_(std::move(device)) {}

  [[nodiscard]] std::size_t centres() const { return features_.size(); }
  [[nodiscard]] std::size_t columns() const { return 1 + term_columns() + centres(); }

  // The processor does what a device has no room for.
  [[nodiscard]] NormalEquations sum_up(const Rows& rows, const std::function<bool()>& is_over) const {
    try {
      if (device_ != nullptr && rows.size() > 0) return sum_up_there(rows, is_over);
    } catch (const DeviceMemoryError&) {
    }
    NormalEquations sums(columns());
    in_blocks(rows, is_over, [&](std::size_t first, std::size_t end) { add_block(rows, first, end, sums); });
    return sums;
  }

  /// With the solution c of this λ, in the units of the rows.
  [[nodiscard]] Finished model(const std::vector<double>& c, double lambda) const {
    Finished model = model_of(found_, terms_, features_.landmarks());
    model.constant = mean_ + deviation_ * c[0];
    for (std::size_t j = 0; j < term_columns(); ++j) {
      model.coefficients.push_back(deviation_ * c[1 + j] * (terms_.scales.empty() ? 1.0 : terms_.scales[j]));
    }
    for (const double value : features_.section_coefficients(std::span(c).last(centres()), deviation_)) {
      model.coefficients.push_back(value);
    }
    model.ridge = lambda;
    sort_columns(model);
    return model;
  }

 private:
  [[nodiscard]] std::size_t term_columns() const { return found_.beside_terms ? terms_.dictionary.columns() : 0; }

  template <typename Body>
  static void in_blocks(const Rows& rows, const std::function<bool()>& is_over, const Body& body) {
    constexpr std::size_t block = 2048;
    for (std::size_t first = 0; first < rows.size(); first += block) {
      is_over();
      body(first, std::min(rows.size(), first + block));
    }
  }

  [[nodiscard]] NormalEquations sum_up_there(const Rows& rows, const std::function<bool()>& is_over) const {
    const Matrix own = found_.kinds ? at_means(features_.landmarks(), found_.kinds->marginals) : Matrix();
    DeviceSections sums(device_, device_kernel(found_.shape), seen_by_kernel(own.empty() ? features_.landmarks() : own),
                        features_.factor());
    in_blocks(rows, is_over, [&](std::size_t first, std::size_t end) { sums.add(rows_for_device(rows, first, end)); });
    return sums.take();
  }

  /// Inputs over their deviations, those of the kernel; none where some are missing.
  [[nodiscard]] Matrix seen_by_kernel(MatrixView X) const {
    Matrix U = Matrix::uninitialized(X.rows, found_.shape.variables.size());
    for (std::size_t l = 0; l < U.cols(); ++l) {
      const std::uint32_t j = found_.shape.variables[l];
      if (any_missing(X.col(j))) return {};
      for (std::size_t i = 0; i < X.rows; ++i) U(i, l) = X(i, j) / found_.deviations[j];
    }
    return U;
  }

  [[nodiscard]] SectionRows rows_for_device(const Rows& rows, std::size_t first, std::size_t end) const {
    const std::size_t count = end - first;
    const MatrixView X{rows.X.data() + first, count, rows.X.cols(), rows.X.rows()};
    SectionRows own;
    own.U = seen_by_kernel(X);
    if (own.U.empty()) own.sections = features_.kernel_at(X);
    const Matrix Phi = term_columns() > 0 ? scaled_columns(terms_, X) : Matrix();
    for (std::size_t i = first; i < end; ++i) {
      own.weight += weight_of(rows, i);
      own.y.push_back((rows.y[i] - mean_) / deviation_);
      if (rows.weights.empty()) continue;
      own.roots.push_back(std::sqrt(rows.weights[i]));
      own.y.back() *= own.roots.back();
    }
    own.others = Matrix::uninitialized(count, 1 + term_columns());
    std::ranges::fill(own.others.col(0), 1.0);
    for (std::size_t j = 0; j < term_columns(); ++j) std::ranges::copy(Phi.col(j), own.others.col(1 + j).begin());
    if (!own.roots.empty()) scale_rows(own.others, own.roots);
    return own;
  }

  void add_block(const Rows& rows, std::size_t first, std::size_t end, NormalEquations& sums) const {
    const std::size_t count = end - first;
    const MatrixView X{rows.X.data() + first, count, rows.X.cols(), rows.X.rows()};
    const Matrix K = features_.transposed_at(X);
    const Matrix Phi = term_columns() > 0 ? scaled_columns(terms_, X) : Matrix();
    Matrix A = Matrix::uninitialized(columns(), count);  // A row in each column.
    std::vector<double> y(count);
    double weight = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double w = weight_of(rows, first + i);
      const double root = std::sqrt(w);
      weight += w;
      A(0, i) = root;
      for (std::size_t j = 0; j < term_columns(); ++j) A(1 + j, i) = root * Phi(i, j);
      const std::size_t offset = 1 + term_columns();
      for (std::size_t k = 0; k < centres(); ++k) A(offset + k, i) = root * K(k, i);
      y[i] = root * (rows.y[first + i] - mean_) / deviation_;
    }
    sums.add_transposed(A, y, weight);
  }

  const AllInputs& found_;
  const Finished& terms_;
  NystromFeatures features_;
  double mean_;
  double deviation_;
  std::shared_ptr<Device> device_;
};

/// Ridge regression for several λ. The first column is the intercept, whose penalty is negligible.
class SectionRidge {
 public:
  SectionRidge(const NormalEquations& sums, const std::shared_ptr<Device>& device) : sums_(sums) {
    try {
      if (device != nullptr) there_.emplace(device, sums);
    } catch (const DeviceMemoryError&) {
    }
  }

  [[nodiscard]] std::vector<double> solve(double& lambda) const {
    constexpr double negligible = 1e-9;  // Relative to the total weight. Chosen by hand.
    return *raise_lambda(lambda, [&](double raised) {
      std::vector<double> penalties(sums_.columns(), raised);
      penalties[0] = negligible * sums_.G(0, 0);
      try {
        if (there_) return there_->solve(penalties);
      } catch (const DeviceMemoryError&) {
      }
      return solve_penalised(sums_, penalties);
    });
  }

 private:
  const NormalEquations& sums_;
  std::optional<DeviceEquations> there_;
};

/// λ of least error on the held-out rows. Errors are in units of the target's variance.
TriedLambda best_ridge(const NormalEquations& train, const NormalEquations& held, double start,
                       const std::shared_ptr<Device>& device) {
  const SectionRidge ridge(train, device);
  const auto judge = [&](double lambda) {
    const std::vector<double> c = ridge.solve(lambda);
    return std::optional(TriedLambda{lambda, std::max(held.squared_error(c) / held.weight, 0.0)});
  };
  TriedLambda best = *judge(start);
  search_lambda(best, judge);
  return best;
}

}  // namespace

Finished finish_on_all_rows(const Rows& rows, const AllInputs& found, const Finished& terms) {
  Finished model = model_of(found, terms, rows.X);
  const double deviation = standard_deviation(rows.y);
  model.constant = weighted_mean(rows.y, rows.weights);
  for (const double alpha : found.alpha) model.constant += deviation * alpha;
  if (found.beside_terms) {
    model.coefficients = multiply_transposed(scaled_columns(terms, rows.X), found.alpha);
    for (std::size_t j = 0; j < model.coefficients.size(); ++j) {
      model.coefficients[j] *= deviation * (terms.scales.empty() ? 1.0 : terms.scales[j]);
    }
  }
  const double variance = found.shape.amplitude * found.shape.amplitude;
  for (const double alpha : found.alpha) model.coefficients.push_back(deviation * variance * alpha);
  model.ridge = found.shape.noise;
  model.error = found.errors.mean;
  model.held = found.errors;
  PathRecord record;
  record.basis_functions = record.rank = model.coefficients.size();
  record.ridge = model.ridge;
  record.validation_mse = model.error;
  model.records = {record};
  sort_columns(model);
  return model;
}

SectionModels finish_with_sections(const Rows& rows, const Rows* more, const AllInputs& found, const Finished& terms,
                                   const SectionOptions& options, const std::function<bool()>& is_over) {
  constexpr double worth_doubling = 0.99;
  const RowSplit split = hold_out(rows, std::min(0.1, 5000.0 / static_cast<double>(rows.size())), options.seed);
  const Rows train = gather(rows, split.train);
  const Rows held = gather(rows, split.held_out);
  const double mean = weighted_mean(rows.y, rows.weights);
  const double deviation = standard_deviation(rows.y);
  const std::vector<std::size_t> order = permutation(train.size(), options.seed);
  SectionModels models;
  TriedLambda best{0.0, std::numeric_limits<double>::infinity()};
  for (std::size_t n = std::min(options.fewest_centres, train.size());
       n <= std::min(options.most_centres, train.size()); n *= 2) {
    const double work = 2.0 * static_cast<double>(rows.size()) * static_cast<double>(n) * static_cast<double>(n);
    if (best.lambda > 0.0 && (is_over() || work > options.most_work)) break;
    const SectionSums sections(found, terms, gather_rows(train.X, std::span(order).first(n)), mean, deviation,
                               options.device);
    NormalEquations sums = sections.sum_up(train, is_over);
    const NormalEquations of_held = sections.sum_up(held, is_over);
    const double start = best.lambda > 0.0 ? best.lambda : found.shape.noise;
    const TriedLambda judged = best_ridge(sums, of_held, start, options.device);
    if (!(judged.error < best.error)) break;
    const bool was_worth_it = judged.error < worth_doubling * best.error;
    best = judged;
    std::vector<PathRecord> records = std::move(models.judged.records);
    sums.merge(of_held);
    double lambda = judged.lambda;
    const std::vector<double> c = SectionRidge(sums, options.device).solve(lambda);
    models.judged = sections.model(c, lambda);
    models.judged.error = judged.error * deviation * deviation;
    PathRecord record;
    record.step = records.size();
    record.basis_functions = sections.columns() - 1;
    record.rank = record.basis_functions;
    record.ridge = lambda;
    record.validation_mse = models.judged.error;
    record.train_mse = sums.squared_error(c) / sums.weight * deviation * deviation;
    records.push_back(record);
    models.judged.records = std::move(records);
    models.judged.chosen = models.judged.records.size() - 1;
    if (more != nullptr) {
      sums.merge(sections.sum_up(*more, is_over));
      double lambda_of_all = judged.lambda;
      const std::vector<double> of_all = SectionRidge(sums, options.device).solve(lambda_of_all);
      models.all = sections.model(of_all, lambda_of_all);
    }
    if (!was_worth_it) break;
  }
  return models;
}

}  // namespace shrimp
