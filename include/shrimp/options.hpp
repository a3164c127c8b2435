// Options of a fit, grouped by purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/loss.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// Random features.
struct DrawOptions {
  std::size_t features = 10000;  ///< N ≥ 1 weight vectors; for ssam, the maximum number of kernel functions.
  std::optional<double> sigma2;  ///< Variance σ² > 0 of the frequencies; none means 1/q.
  std::optional<Basis> basis;
  Law law = Law::normal;
  int degrees_of_freedom = 3;  ///< 1 … 100, for student_t.
};

/// Least squares and pruning.
struct PruneOptions {
  std::vector<double> rates;       ///< Candidate rates p, each 0 ≤ p < 1; 0 prunes one column per step.
  std::vector<double> thresholds;  ///< Candidate thresholds ≥ 0 of stlsq, on standardised data.
  std::optional<double> ridge;     ///< λ ≥ 0 of ‖A c − y‖² + λ‖c‖² at every step, on standardised data.
  bool ridge_by_gcv = false;       ///< Select λ at every step by generalised cross-validation.
  double rank_tolerance = 0.0;     ///< 0 ≤ R < 1; 0 means max(m, N)·eps.
  bool spectrum = false;           ///< Record λ_max and λ_min along the path.
};

/// Methods with sparsity or kernel penalties, most of them iterative.
struct SparseOptions {
  std::vector<double> lambdas;  ///< Candidates λ ≥ 0 of lasso, ssam, salsa and krr, on standardised data.
  std::vector<std::size_t>
      sparsities;                  ///< Candidates s of srfe-s and harfe, at most the number of columns; 0 means all.
  double eta = 0.0;                ///< η ≥ 0 of srfe-s, in units of the target.
  bool first_order = false;        ///< Whether srfe-s uses first-order steps only, as SPGL1 does.
  bool refit = false;              ///< Whether srfe-s refits the s columns by least squares.
  double tolerance = 1e-6;         ///< 0 < T < 1, relative duality gap at which l1 methods stop.
  std::size_t max_iterations = 0;  ///< For one candidate; 0 means the method's default.
};

/// Kernels exp(−γ(x − x')²) of each input, on standardised data.
struct KernelOptions {
  std::optional<double> gamma;  ///< γ > 0
  bool by_order = false;        ///< γ = 1/(2q), the paper's fixed kernel.
};

/// Term selection by the default method.
struct TermOptions {
  int max_order = 0;          ///< Maximum interaction order, ≥ 1; 0 means automatic.
  std::size_t max_terms = 0;  ///< Maximum number of terms; 0 means no limit.
  /// Terms to include, each by the names of its inputs. A single name that is not an input is split at stars: {"x1*x3"}
  /// means {"x1", "x3"} unless there is an input x1*x3.
  std::vector<std::vector<std::string>> include;
  std::vector<std::vector<std::string>> exclude;  ///< Inputs and terms to exclude, in the same notation.
  bool warps_inputs = true;                       ///< Whether rank and log transforms of inputs are allowed.
  std::optional<TargetForm> target_form;          ///< Transform of the target; none means automatic.
  /// Margin beyond the training range before inputs are clipped, as a fraction of the range, ≥ 0; none disables
  /// clipping.
  std::optional<double> clip = 0.05;
  /// Whether to report the model-selection error, which is slightly optimistic, instead of an estimate by nested
  /// cross-validation, which needs several searches.
  bool quick_error = false;
  bool one_standard_error = false;  ///< Select the smallest model within one standard error of the best.
  /// Approximate limit of operations (FLOPs), half for term selection and half for error estimation; ≥ 1e6. Infinity
  /// means no limit, and 0 means 8e11.
  double budget_operations = 0.0;
  double budget_seconds = 0.0;  ///< Limit in seconds, which is not reproducible across machines; 0 means no limit.
};

/// Rows for model selection.
struct ChoiceOptions {
  double fraction = 0.1;  ///< 0 < F < 1, fraction of validation rows, unless folds or a file are given.
  std::size_t folds = 0;  ///< 0, or K ≥ 2 for K-fold cross-validation.
  bool blocks = false;    ///< Hold out contiguous blocks of rows, for time series.
};

/// Whether the dictionary's matrix A is stored, or its columns are recomputed when needed.
enum class Storage {
  automatic,  ///< Stored if it fits in memory.
  keep,
  recompute,
};

/// Device for large matrix products.
enum class DeviceChoice {
  cpu,
  cuda,       ///< An NVIDIA GPU; an error if there is none.
  automatic,  ///< A GPU if one is usable.
};

struct MachineOptions {
  int threads = 0;      ///< ≥ 0; 0 means OMP_NUM_THREADS if it is set, otherwise all cores.
  double memory = 0.0;  ///< Memory limit in GiB, ≥ 0; 0 means the free memory.
  Storage storage = Storage::automatic;
  DeviceChoice device = DeviceChoice::cpu;
  double device_memory = 0.0;  ///< GPU memory limit in GiB, ≥ 0; 0 means the free memory of the GPU.
};

/// Unset options have the method's defaults (see complete_options). Options that a method does not use must keep these
/// values.
struct FitOptions {
  std::string method = "auto";  ///< Name of a method (shrimp/methods.hpp).
  /// Candidate dictionaries; each lists the orders mixed in it. The validation error selects one.
  std::vector<std::vector<int>> orders;
  Loss loss = Loss::squared;   ///< Losses other than squared need method auto.
  double tweedie_power = 1.5;  ///< Power of the variance function for loss tweedie, in (1, 2).
  double quantile = 0.5;       ///< Level for loss quantile, in (0, 1).
  /// The function for loss custom; must not be null for it, and is null for others.
  std::shared_ptr<const CustomLoss> custom_loss = {};
  bool standardize = true;  ///< Scale inputs and target to mean 0 and variance 1.
  std::uint64_t seed = 0;
  DrawOptions draw;
  PruneOptions prune;
  SparseOptions sparse;
  KernelOptions kernel;
  TermOptions terms;
  ChoiceOptions choice;
  MachineOptions machine;
};

}  // namespace shrimp
