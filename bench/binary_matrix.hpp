// Matrices that the Python side hands over bit by bit: rows and columns as 64-bit integers, then column-major doubles.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#include "shrimp/matrix.hpp"

inline shrimp::Matrix read_binary_matrix(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t shape[2] = {};
  file.read(reinterpret_cast<char*>(shape), sizeof shape);
  if (!file) throw std::runtime_error(path + " holds no matrix");
  shrimp::Matrix matrix = shrimp::Matrix::uninitialized(shape[0], shape[1]);
  file.read(reinterpret_cast<char*>(matrix.data()), static_cast<std::streamsize>(shape[0] * shape[1] * sizeof(double)));
  if (!file) throw std::runtime_error(path + " is cut short");
  return matrix;
}

inline void write_binary_matrix(const std::string& path, const shrimp::Matrix& matrix) {
  std::ofstream file(path, std::ios::binary);
  const std::uint64_t shape[2] = {matrix.rows(), matrix.cols()};
  file.write(reinterpret_cast<const char*>(shape), sizeof shape);
  file.write(reinterpret_cast<const char*>(matrix.data()),
             static_cast<std::streamsize>(matrix.rows() * matrix.cols() * sizeof(double)));
  if (!file.flush()) throw std::runtime_error(path + " could not be written");
}
