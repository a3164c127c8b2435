// A method is one file and one row: its name, what steers it, which dictionary it draws, what it tries on it, and how
// its choice is fitted again.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "methods/candidates.hpp"
#include "shrimp/options.hpp"

namespace shrimp {

struct TableSize {
  std::size_t m = 0;
  std::size_t d = 0;
};

/// What a method does not choose otherwise: Fourier features of order 2, or of order 1 where there is one input; the
/// linear basis has order 1.
void complete_common(FitOptions& options, std::size_t d);

/// Features by draw_weights and make_dictionary.
std::size_t count_random_features(TableSize size, const std::vector<int>& orders, const FitOptions& options);
Dictionary draw_random_features(MatrixView X, const std::vector<int>& orders, const FitOptions& options);

/// What is said of the weights to draw.
FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders);

/// The sizes that --sparsity names, none where it is left to the method.
std::vector<std::size_t> asked_sizes(const FitOptions& options, std::size_t columns);

/// For methods that go by pruning rates, or have one fit.
Grid no_grid(const Problem& problem, const FitOptions& options);

/// What a fit holds at its peak, as measured (bench/memory_estimate.py).
struct MemoryUse {
  double copies = 0.0;   ///< Matrices of the size of A.
  double squares = 0.0;  ///< Square ones of its smaller side.
  double blocks = 0.0;   ///< Blocks of rows, where A is reduced without being stored.
  double kept = 0.0;     ///< Matrices of as many columns as are kept at once.
};

/// By the shape of A. Columns of few dimensions are those of prune paths: see src/path.
struct MemoryUses {
  MemoryUse tall = {};
  MemoryUse wide = {};
  std::optional<MemoryUse> reduced = std::nullopt;         ///< Tall, of waves of one or two inputs.
  std::optional<MemoryUse> dependent = std::nullopt;       ///< Wide, of fewer dimensions than rows.
  std::optional<MemoryUse> very_dependent = std::nullopt;  ///< The same, and very wide.
};

struct Method {
  std::string_view name;
  std::string_view help;
  /// Names of the parameters that it uses beside those that every method does; others are refused.
  std::vector<std::string_view> takes;
  /// Sets what was left unset for data with d inputs. Throws OptionError where options do not suit the method.
  void (*complete)(FitOptions& options, std::size_t d) = complete_common;
  /// How many columns `draw` would make. Throws OptionError if an order is out of range.
  std::size_t (*count_columns)(TableSize size, const std::vector<int>& orders,
                               const FitOptions& options) = count_random_features;
  Dictionary (*draw)(MatrixView X, const std::vector<int>& orders, const FitOptions& options) = draw_random_features;
  Grid (*grid)(const Problem& problem, const FitOptions& options) = no_grid;
  /// Null: the terms are found by growing (src/grow), and nothing below counts.
  std::unique_ptr<Candidates> (*candidates)(const Problem& problem, const FitOptions& options,
                                            const Grid& grid) = nullptr;
  /// Whether every pruning rate is a branch of candidates of its own.
  bool prunes_by_rate = false;
  /// Whether the choice is a set of columns, which least squares fits again to all rows; else the whole method is run
  /// again.
  bool chooses_columns = false;
  /// Whether the coefficients are those of least squares, or of ridge regression, on the model's columns alone, so that
  /// sums over rows give them (src/update).
  bool refits_by_sums = false;
  /// Whether a device can do the products of its paths, its steps, or its sums over the rows of long tables.
  bool runs_on_device = false;
  /// Whether A must be in memory.
  bool needs_stored_A = false;
  /// Whether every column is one of the rows, so that fewer independent ones are worth a warning.
  bool has_a_column_for_every_row = false;
  MemoryUses memory = {};
  /// How many columns are kept at once, of those of so many rows; all of them where it is null.
  std::size_t (*most_kept)(std::size_t rows, std::size_t columns, const FitOptions& options) = nullptr;
};

/// The default method first.
std::vector<const Method*> all_methods();

/// Throws OptionError, which names the methods, if there is none of this name.
const Method& method_named(std::string_view name);

/// Pruning rates to try, lowest first; one entry where the method does not prune by rate.
std::vector<double> rates_of(const Method& method, const FitOptions& options);

}  // namespace shrimp
