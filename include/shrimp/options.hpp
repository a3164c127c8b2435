// What steers a fit, grouped by what it steers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/features.hpp"

namespace shrimp {

/// Whether the dictionary's matrix A is kept in memory or its columns are computed anew whenever they are needed.
enum class Storage {
  automatic,  ///< Kept where it fits.
  keep,
  recompute,
};

enum class Method {
  automatic,     ///< Grows terms of any order by screening what is left to explain, then prunes their features.
  shrimp,        ///< Iterative magnitude pruning; the step with the least validation error is kept.
  min_l2,        ///< The minimum-norm solution on all features.
  srfe_s,        ///< The s largest coefficients of the minimiser of ‖c‖₁ with ‖A c − y‖₂ ≤ η√m.
  salsa,         ///< Kernel ridge regression with the elementary symmetric polynomial of order q of 1-D Gaussians.
  ssam,          ///< Lasso on kernel sections K_S(x_i, ·) of all supports S, by accelerated proximal gradients.
  lasso,         ///< Lasso by coordinate descent.
  imp_linear,    ///< shrimp on the inputs themselves, one column a step.
  stlsq,         ///< Sequentially thresholded least squares.
  naive_prune,   ///< Prunes the minimum-norm solution and never fits again.
  random_prune,  ///< shrimp with columns dropped at random.
  krr,           ///< Kernel ridge regression with the Gaussian kernel of all inputs.
  harfe,         ///< Hard thresholding pursuit with ridge on s columns.
};

/// What is left unset takes the value that suits the method (see complete_options).
struct FitOptions {
  Method method = Method::automatic;
  /// Candidate dictionaries; each lists the orders mixed in it. The validation error chooses.
  std::vector<std::vector<int>> orders;
  std::size_t features = 10000;     ///< N ≥ 1 weight vectors; the most kernel sections of ssam.
  std::vector<double> prune_rates;  ///< Candidates p, each 0 ≤ p < 1; 0 drops one column a step.
  std::optional<double> sigma2;     ///< σ² > 0 of the weights; none means 1/q.
  std::optional<Basis> basis;
  Law law = Law::normal;
  int degrees_of_freedom = 3;           ///< 1 … 100, for student_t.
  double validation_fraction = 0.1;     ///< 0 < F < 1: rows held out to choose by, unless folds or a file are given.
  std::size_t folds = 0;                ///< 0, or K ≥ 2: choose by K-fold cross-validation.
  std::optional<double> ridge;          ///< λ ≥ 0 of ‖A c − y‖² + λ‖c‖² at every step, on scaled data.
  bool ridge_by_gcv = false;            ///< Choose λ anew at every step by generalised cross-validation.
  std::vector<double> lambdas;          ///< Candidates λ ≥ 0 of lasso, ssam, salsa and krr, on scaled data.
  std::vector<double> thresholds;       ///< Candidates ≥ 0 of stlsq, on scaled data.
  std::vector<std::size_t> sparsities;  ///< Candidates s of srfe_s and harfe, at most the columns; 0: all columns.
  double eta = 0.0;                     ///< η ≥ 0 of srfe_s, in the target's own units.
  bool first_order = false;             ///< Whether srfe_s takes first-order steps alone, as SPGL1 does.
  bool refit = false;                   ///< Whether srfe_s fits the s columns again by least squares.
  std::optional<double> gamma;          ///< γ > 0 of kernels exp(−γ(x − x')²) on scaled data.
  bool gamma_by_order = false;          ///< γ = 1/(2q): the paper's fixed kernel.
  double tolerance = 1e-6;              ///< 0 < T < 1: duality gap at which l1 methods end, relative.
  std::size_t max_iterations = 0;       ///< Of iterative methods, for one candidate; 0: the method's own.
  double rank_tolerance = 0.0;          ///< 0 ≤ R < 1; 0 means max(m, N)·eps.
  bool standardize = true;              ///< Inputs and target to mean 0 and variance 1 first.
  std::uint64_t seed = 0;
  int threads = 0;      ///< ≥ 0; 0: every core.
  double memory = 0.0;  ///< GiB that may be used, ≥ 0; 0: what the machine has free.
  Storage storage = Storage::automatic;
  /// Of the automatic method: the most inputs of a term, 1 … 3.
  int max_order = 3;
  std::size_t max_terms = 0;         ///< Of the automatic method; 0: no limit.
  std::vector<std::string> include;  ///< Terms that it must have, as in x1*x3; names of inputs joined by *.
  std::vector<std::string> exclude;  ///< Inputs and terms that it must not have.
  /// Share of an input's range by which rows may lie outside of it before they are clipped, ≥ 0; none: never.
  std::optional<double> clip = 0.05;
  bool one_standard_error = false;  ///< The smallest model within one standard error of the best.
  double budget_operations = 0.0;   ///< About how many the automatic method spends on finding terms; 0: 8e11.
  double budget_seconds = 0.0;      ///< The same in seconds, which gives other models on other machines; 0: no limit.
  bool spectrum = false;            ///< Record λ_max and λ_min along the path.
};

/// The options with the method's own choice where they leave one, for data with d inputs. Throws OptionError where
/// they do not suit the method.
[[nodiscard]] FitOptions complete_options(FitOptions options, std::size_t d);

}  // namespace shrimp
