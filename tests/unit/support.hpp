// What several tests need: random data, LAPACK as oracle, temporary folders, a full disk, messages of exceptions.
#pragma once

#include <gtest/gtest.h>
#include <lapacke.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/dense.hpp"
#include "shrimp/shrimp.hpp"

namespace shrimp::test {

/// Uniform on (−1, 1), the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-52 - 1.0; }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<double> random_vector(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(size);
  std::ranges::generate(values, [&] { return random(); });
  return values;
}

inline Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix A(rows, cols);
  std::ranges::copy(random_vector(rows * cols, seed), A.data());
  return A;
}

inline std::vector<double> times(MatrixView A, std::span<const double> x) {
  std::vector<double> product(A.rows, 0.0);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t i = 0; i < A.rows; ++i) product[i] += A(i, j) * x[j];
  }
  return product;
}

/// A rows × cols matrix of the given rank, as a product of two random ones.
inline Matrix random_matrix_of_rank(std::size_t rows, std::size_t cols, std::size_t rank, std::uint64_t seed) {
  const Matrix left = random_matrix(rows, rank, seed);
  const Matrix right = random_matrix(rank, cols, seed + 1);
  Matrix A(rows, cols);
  for (std::size_t j = 0; j < cols; ++j) std::ranges::copy(times(left, right.col(j)), A.col(j).begin());
  return A;
}

inline Matrix columns_of(MatrixView A, std::span<const std::size_t> columns) {
  Matrix part(A.rows, columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) std::ranges::copy(A.col(columns[k]), part.col(k).begin());
  return part;
}

inline std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> result(a.begin(), a.end());
  for (std::size_t i = 0; i < b.size(); ++i) result[i] -= b[i];
  return result;
}

inline double mean_squared_error(std::span<const double> a, std::span<const double> b) {
  return std::pow(norm(difference(a, b)), 2) / static_cast<double>(a.size());
}

struct LeastSquares {
  std::vector<double> coefficients;
  std::size_t rank = 0;
  double residual = 0.0;  ///< ‖A c − y‖
};

/// The minimum-norm least-squares solution straight from LAPACK's dgelsy on A.
inline LeastSquares gelsy(MatrixView A, std::span<const double> y, double rank_tolerance = 0.0) {
  Matrix copy(A);
  std::vector<double> b(y.begin(), y.end());
  b.resize(std::max(A.rows, A.cols), 0.0);
  std::vector<lapack_int> pivots(A.cols, 0);
  const auto m = static_cast<lapack_int>(A.rows);
  const auto n = static_cast<lapack_int>(A.cols);
  if (rank_tolerance == 0.0) rank_tolerance = std::max(m, n) * std::numeric_limits<double>::epsilon();
  lapack_int rank = 0;
  const lapack_int info = LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, copy.data(), m, b.data(), std::max(m, n),
                                         pivots.data(), rank_tolerance, &rank);
  EXPECT_EQ(info, 0);
  b.resize(A.cols);
  return {b, static_cast<std::size_t>(rank), norm(difference(times(A, b), y))};
}

inline void expect_near(std::span<const double> actual, std::span<const double> expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "entry " << i;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_PRED2(contains, text, std::string(part));
}

/// What the exception says that `action` throws; any other outcome fails the test.
template <typename Error, typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// A folder of its own for one test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "shrimp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

/// While it lives, no file may grow beyond `bytes`: writing more fails as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_;
};

inline void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

inline std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// y = sin(2 x1) + x2 x3 + noise, every input uniform on (−1, 1).
inline Dataset make_dataset(std::size_t rows, std::size_t inputs, std::uint64_t seed, double noise = 0.05) {
  Dataset data;
  for (std::size_t j = 0; j < inputs; ++j) data.inputs.push_back("x" + std::to_string(j + 1));
  data.target = "y";
  data.X = random_matrix(rows, inputs, seed);
  Random random(seed + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(std::sin(2.0 * data.X(i, 0)) + data.X(i, 1) * data.X(i, 2) + noise * random());
  }
  return data;
}

}  // namespace shrimp::test
