// A method as the selection sees it: which dictionary it draws, what it tries, and how its choice is fitted again.
#pragma once

#include <memory>
#include <vector>

#include "methods/candidates.hpp"
#include "shrimp/options.hpp"

namespace shrimp {

class Recipe {
 public:
  /// Completed options, which must outlive this.
  explicit Recipe(const FitOptions& options) : options_(options) {}

  /// Pruning rates to try, lowest first; one entry where the method does not prune by rate.
  [[nodiscard]] std::vector<double> rates() const;
  [[nodiscard]] bool prunes_by_rate() const;

  /// Whether the choice is a set of columns, which least squares fits again to all rows; else the whole method is run
  /// again.
  [[nodiscard]] bool chooses_columns() const;

  /// Whether A must be in memory.
  [[nodiscard]] bool needs_stored_A() const;

  /// Columns that `draw` would make of m rows of d inputs. Throws OptionError if an order is out of range.
  [[nodiscard]] std::size_t count_columns(std::size_t m, std::size_t d, const std::vector<int>& orders) const;
  [[nodiscard]] Dictionary draw(MatrixView X, const std::vector<int>& orders) const;

  /// The work of one branch, in the units of work_of.
  [[nodiscard]] double work(std::size_t columns, double rate) const;
  [[nodiscard]] double work_of(std::size_t columns) const;

  [[nodiscard]] Grid grid(const Problem& problem) const;
  [[nodiscard]] std::unique_ptr<Candidates> candidates(const Problem& problem, const Grid& grid) const;

 private:
  [[nodiscard]] bool uses_kernel() const;
  [[nodiscard]] std::size_t count_sections(std::size_t m, std::size_t d, const std::vector<int>& orders) const;
  [[nodiscard]] std::vector<double> own_lambdas(const Problem& problem) const;
  [[nodiscard]] std::vector<double> kernel_gamma(MatrixView X, int order) const;
  [[nodiscard]] std::vector<std::size_t> sizes(std::size_t rows, std::size_t columns) const;

  const FitOptions& options_;
};

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders);

}  // namespace shrimp
