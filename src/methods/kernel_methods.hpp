// What salsa, ssam and krr share: kernels as dictionaries, and kernel ridge regression.
#pragma once

#include <memory>
#include <vector>

#include "methods/method.hpp"
#include "shrimp/kernels.hpp"

namespace shrimp {

/// γ of every input.
std::vector<double> kernel_gamma(MatrixView X, int order, const KernelOptions& options);

/// Kernel ridge regression: the kernel of all inputs at every row, for several λ.
std::size_t count_rows_as_columns(TableSize size, const std::vector<int>& orders, const FitOptions& options);
Dictionary draw_kernel(MatrixView X, const std::vector<int>& orders, const FitOptions& options);
Grid kernel_ridge_grid(const Problem& problem, const FitOptions& options);
std::unique_ptr<Candidates> kernel_ridge_candidates(const Problem& problem, const FitOptions& options,
                                                    const Grid& grid);

}  // namespace shrimp
