// The published numbers.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace shrimp::experiments {

/// Test MSE of f1 … f7, mean of three runs; `size` is the mean number of basis functions that SHRIMP keeps.
struct PrintedSetting {
  std::array<double, 7> srfe_s;
  std::array<double, 7> min_l2;
  std::array<double, 7> salsa;
  std::array<double, 7> shrimp;
  std::array<double, 7> size;
};

inline constexpr PrintedSetting printed_low_sparse = {
    {7.85e-04, 1.98e-05, 1.15e-01, 1.27e-01, 7.52e-03, 1.11, 7.49e-02},
    {4.37e-20, 5.45e-24, 8.20e-02, 5.94e-02, 7.36e-03, 7.18, 2.98e-02},
    {1.59e-12, 1.26e-15, 8.80e-02, 6.14e-02, 7.32e-03, 6.99, 2.72e-02},
    {1.37e-22, 7.90e-32, 4.98e-12, 2.54e-12, 6.39e-04, 2.58e-02, 2.83e-05},
    {3100.33, 29, 147, 171.67, 39, 80.33, 187}};
inline constexpr PrintedSetting printed_low_dense = {{5.35e-02, 1.47e-03, 5.56e-02, 1.64e-01, 4.11e-03, 12.7, 9.17e-02},
                                                     {1.71e-02, 1.93e-03, 3.50e-02, 1.01e-01, 4.62e-03, 14.5, 6.15e-02},
                                                     {1.68e-02, 1.91e-03, 3.38e-02, 9.67e-02, 4.62e-03, 14.4, 6.05e-02},
                                                     {1.70e-02, 1.63e-03, 3.51e-02, 9.81e-02, 6.57e-03, 16.0, 5.91e-02},
                                                     {6726, 77.67, 1872, 12020, 450.33, 5342.33, 39.33}};
inline constexpr PrintedSetting printed_high_sparse = {
    {1.52e-03, 8.71e-06, 1.99, 4.54, 1.16e-01, 4.59, 4.40e-01},
    {1.68e-20, 3.51e-24, 2.01, 4.75, 1.16e-01, 8.34, 1.49e-01},
    {1.99e-11, 2.54e-13, 1.60, 3.16, 8.49e-02, 7.35, 1.34e-01},
    {1.61e-22, 1.11e-30, 1.26e-02, 5.11e-01, 1.50e-02, 2.68, 5.82e-02},
    {3355, 19, 61.33, 64, 42.67, 13, 229}};
inline constexpr PrintedSetting printed_high_dense = {{1.43e-01, 2.35e-02, 1.55, 3.05, 8.20e-02, 16.9, 2.06e-01},
                                                      {6.01e-02, 2.33e-02, 1.55, 3.05, 8.20e-02, 14.0, 8.33e-02},
                                                      {26200, 1230, 4630, 33400, 320, 24400, 46600},
                                                      {6.07e-02, 2.35e-02, 1.55, 3.07, 9.33e-02, 14.1, 8.32e-02},
                                                      {6663, 14933.33, 8199, 6908.67, 717, 14730.67, 8328.67}};

/// Test MSE on standardised real data.
struct PrintedDataSet {
  std::string_view name;
  double shrimp;
  int shrimp_order;
  int shrimp_columns;
  double salsa;
  int salsa_order;
  std::optional<double> ssam;
  double lasso;
};

inline constexpr PrintedDataSet printed_data_sets[] = {
    {"propulsion", 1.02e-06, 2, 84, 8.81e-03, 8, std::nullopt, 2.48e-02},
    {"galaxy", 5.41e-06, 3, 575, 1.35e-04, 4, std::nullopt, 2.39e-02},
    {"airfoil", 2.65e-01, 2, 30, 5.18e-01, 5, 4.87e-01, 5.20e-01},
    {"ccpp", 6.55e-02, 2, 49, 6.78e-02, 2, 6.94e-02, 7.40e-02},
    {"insulin", 1.24, 1, 60, 1.02, 3, 1.01, 1.11},
    {"telemonit", 6.00e-02, 4, 86, 3.47e-02, 9, 6.89e-02, 8.63e-02},
    {"housing", 3.94e-01, 7, 15, 2.62e-01, 1, 3.79e-01, 4.4e-01},
    {"skillcraft", 5.81e-01, 8, 21, 5.47e-01, 1, 5.43e-01, 6.65e-01}};

/// Test MSE at σ² = 1/q, 1, 100.
struct PrintedVariance {
  std::string_view function;
  std::array<double, 3> min_l2;
  std::array<double, 3> shrimp;
};

inline constexpr PrintedVariance printed_variances[] = {{"f_a1", {0.041, 0.034, 2.452}, {1.19e-05, 2.99e-04, 0.137}},
                                                        {"f_a2", {55.205, 40.023, 9.734}, {14.411, 12.778, 4.935}},
                                                        {"f_a3", {186.283, 184.581, 47.864}, {73.381, 50.650, 10.334}}};

}  // namespace shrimp::experiments
