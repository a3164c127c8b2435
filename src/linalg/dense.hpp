// The few dense operations everything uses. Matrices are column-major.
#pragma once

#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// A x
std::vector<double> multiply(MatrixView A, std::span<const double> x);

/// Aᵀ x
std::vector<double> multiply_transposed(MatrixView A, std::span<const double> x);

/// A B
Matrix multiply(MatrixView A, MatrixView B);

/// Aᵀ B
Matrix multiply_transposed(MatrixView A, MatrixView B);

/// G ← G + α A Aᵀ, the lower triangle only.
void add_gram(Matrix& G, double alpha, MatrixView A);

/// G ← G + AᵀA, the lower triangle only.
void add_gram_of_columns(Matrix& G, MatrixView A);

/// Y ← (Y − B C) R⁻¹, a step of block Gram–Schmidt; R is an upper triangle.
void orthogonalize(Matrix& Y, MatrixView B, const Matrix& C, const Matrix& R);

/// Σ_k c_k a_{columns[k]}, and the dot products a_{columns[k]}ᵀ z, without copying columns.
std::vector<double> combine_columns(MatrixView A, std::span<const std::size_t> columns, std::span<const double> c);
std::vector<double> project_columns(MatrixView A, std::span<const std::size_t> columns, std::span<const double> z);

/// c ← c + A_Pᵀ z; returns A_P c. Both in one passage through A, which is longer than any cache.
std::vector<double> project_and_combine(MatrixView A, std::span<const std::size_t> columns, std::span<const double> z,
                                        std::span<double> c);

/// A copy made by all threads: half of the time goes into memory that is touched for the first time.
Matrix copy_in_parallel(MatrixView A);

/// The same of the lower triangle alone; what is above it may be anything.
Matrix copy_lower_triangle(MatrixView A);

/// The columns of A in the order given.
Matrix gather_columns(MatrixView A, std::span<const std::size_t> columns);

/// The rows of A in the order given.
Matrix gather_rows(MatrixView A, std::span<const std::size_t> rows);

/// [A; B]
Matrix stack_rows(MatrixView A, MatrixView B);

Matrix transpose(MatrixView A);

/// Row i of A times factors[i].
void scale_rows(Matrix& A, std::span<const double> factors);

/// y ← y + α x
void add_scaled(std::span<double> y, double alpha, std::span<const double> x);

/// ‖x‖²
double squared_norm(std::span<const double> x);

/// ‖x‖
double norm(std::span<const double> x);

[[nodiscard]] bool all_finite(std::span<const double> x);

/// The least-norm minimiser of ‖T z − b‖ for T (n×n, n ≥ 1), directions below tolerance·σ_max cut off (LAPACK dgelsy).
/// It takes the place of b; returns the rank. T is used up.
std::size_t solve_square_least_norm(Matrix T, std::span<double> b, double tolerance);

/// Singular values, largest first.
std::vector<double> singular_values(Matrix A);

}  // namespace shrimp
