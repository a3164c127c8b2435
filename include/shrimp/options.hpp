// What steers a fit, grouped by what it steers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/loss.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// How features are drawn.
struct DrawOptions {
  std::size_t features = 10000;  ///< N ≥ 1 weight vectors; the most kernel sections of ssam.
  std::optional<double> sigma2;  ///< σ² > 0 of the weights; none means 1/q.
  std::optional<Basis> basis;
  Law law = Law::normal;
  int degrees_of_freedom = 3;  ///< 1 … 100, for student_t.
};

/// Least squares, and which columns leave.
struct PruneOptions {
  std::vector<double> rates;       ///< Candidates p, each 0 ≤ p < 1; 0 drops one column a step.
  std::vector<double> thresholds;  ///< Candidates ≥ 0 of stlsq, on scaled data.
  std::optional<double> ridge;     ///< λ ≥ 0 of ‖A c − y‖² + λ‖c‖² at every step, on scaled data.
  bool ridge_by_gcv = false;       ///< Choose λ anew at every step by generalised cross-validation.
  double rank_tolerance = 0.0;     ///< 0 ≤ R < 1; 0 means max(m, N)·eps.
  bool spectrum = false;           ///< Record λ_max and λ_min along the path.
};

/// Methods that penalise or count coefficients, most of them in many small steps.
struct SparseOptions {
  std::vector<double> lambdas;          ///< Candidates λ ≥ 0 of lasso, ssam, salsa and krr, on scaled data.
  std::vector<std::size_t> sparsities;  ///< Candidates s of srfe-s and harfe, at most the columns; 0: all columns.
  double eta = 0.0;                     ///< η ≥ 0 of srfe-s, in the target's own units.
  bool first_order = false;             ///< Whether srfe-s takes first-order steps alone, as SPGL1 does.
  bool refit = false;                   ///< Whether srfe-s fits the s columns again by least squares.
  double tolerance = 1e-6;              ///< 0 < T < 1: duality gap at which l1 methods end, relative.
  std::size_t max_iterations = 0;       ///< For one candidate; 0: the method's own.
};

/// Kernels exp(−γ(x − x')²) of each input, on scaled data.
struct KernelOptions {
  std::optional<double> gamma;  ///< γ > 0
  bool by_order = false;        ///< γ = 1/(2q): the paper's fixed kernel.
};

/// The default method's search for terms.
struct TermOptions {
  int max_order = 0;          ///< The most inputs of a term, ≥ 1; 0: as many as help.
  std::size_t max_terms = 0;  ///< 0: no limit.
  /// Terms that it must have, each by the names of its inputs. A single name that is no input's is taken for names
  /// joined by stars: {"x1*x3"} is {"x1", "x3"} unless there is an input x1*x3.
  std::vector<std::vector<std::string>> include;
  std::vector<std::vector<std::string>> exclude;  ///< Inputs and terms that it must not have, in the same way.
  bool warps_inputs = true;                       ///< Whether inputs may enter by ranks or logarithms.
  std::optional<TargetForm> target_form;          ///< In which the target is fitted; none: chosen.
  /// Share of an input's range by which rows may lie outside of it before they are clipped, ≥ 0; none: never.
  std::optional<double> clip = 0.05;
  /// Whether the error is that of the rows by which the model was chosen, which is a little too good, and not of rows
  /// that took no part in the search, which takes several searches.
  bool quick_error = false;
  bool one_standard_error = false;  ///< The smallest model within one standard error of the best.
  /// About how many are spent on finding terms, and on finding out the error, half of them for each, ≥ 1e6, infinity
  /// for no limit; 0: 8e11.
  double budget_operations = 0.0;
  double budget_seconds = 0.0;  ///< The same in seconds, which gives other models on other machines; 0: no limit.
};

/// Which rows choose among what a method offers.
struct ChoiceOptions {
  double fraction = 0.1;  ///< 0 < F < 1: rows held out to choose by, unless folds or a file are given.
  std::size_t folds = 0;  ///< 0, or K ≥ 2: choose by K-fold cross-validation.
  bool blocks = false;    ///< Rows are in an order, as in a time series: consecutive ones are held out together.
};

/// Whether the dictionary's matrix A is kept in memory or its columns are computed anew whenever they are needed.
enum class Storage {
  automatic,  ///< Kept where it fits.
  keep,
  recompute,
};

/// Which of the machine's processors do the large products.
enum class DeviceChoice {
  cpu,
  cuda,       ///< The NVIDIA card; a machine without one is an error.
  automatic,  ///< The card where there is one that can be used.
};

struct MachineOptions {
  int threads = 0;      ///< ≥ 0; 0: OMP_NUM_THREADS, else every core.
  double memory = 0.0;  ///< GiB that may be used, ≥ 0; 0: what the machine has free.
  Storage storage = Storage::automatic;
  DeviceChoice device = DeviceChoice::cpu;
  double device_memory = 0.0;  ///< GiB of the card's that may be used, ≥ 0; 0: what it has free.
};

/// What is left unset takes the value that suits the method (see complete_options). What a method does not use must be
/// left as it is here.
struct FitOptions {
  std::string method = "auto";  ///< A name of the table of methods (shrimp/methods.hpp).
  /// Candidate dictionaries; each lists the orders mixed in it. The validation error chooses.
  std::vector<std::vector<int>> orders;
  Loss loss = Loss::squared;  ///< Others are for method auto.
  bool standardize = true;    ///< Inputs and target to mean 0 and variance 1 first.
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
