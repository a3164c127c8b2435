#include "path/device_rows.hpp"

#include <algorithm>
#include <numeric>

#include "features/device_features.hpp"
#include "linalg/column_view.hpp"
#include "linalg/dense.hpp"

namespace shrimp {
namespace {

std::vector<double> to_vector(const Matrix& column) {
  return {column.data(), column.data() + column.rows() * column.cols()};
}

bool is_everything(const Columns& P, std::size_t columns) { return P.size() == columns; }

}  // namespace

DeviceRows::DeviceRows(std::shared_ptr<Device> device, std::shared_ptr<const Dictionary> dictionary, const Matrix& X,
                       const std::vector<double>& factors, bool store)
    : device_(std::move(device)),
      dictionary_(dictionary),
      host_(std::move(dictionary), Matrix(X), factors, false),
      X_(device_->upload(X)),
      factors_(factors.empty() ? DeviceMatrix() : device_->upload(column_of(factors))),
      stores_(store) {}

DeviceColumns DeviceRows::choose(Columns P) const {
  DeviceIndices indices = device_->upload(std::span<const std::size_t>(P));
  return {std::move(P), std::move(indices)};
}

void DeviceRows::evaluate(std::span<const std::size_t> P, std::size_t first_row, DeviceMatrix& A) const {
  const bool all = P.size() == cols();
  const DeviceFeatures features = device_features(all ? *dictionary_ : dictionary_->subset(P));
  device_->evaluate(features, X_, first_row, factors_, A);
}

// What a path needs beside A: Gram matrices of the smaller side, and blocks of columns.
DeviceMatrix DeviceRows::stored() const {
  const std::lock_guard lock(mutex_);
  if (!stores_ || !A_.empty()) return A_;
  const std::size_t small = std::min(rows(), cols());
  const std::size_t beside = sizeof(double) * (4 * small * small + rows() * std::min<std::size_t>(cols(), 1024));
  stores_ = device_->free_bytes() >= beside + sizeof(double) * rows() * cols();
  if (!stores_) return A_;
  try {
    DeviceMatrix A = device_->make(rows(), cols());
    evaluate(all_columns(cols()), 0, A);
    if (!device_->all_finite(A)) {
      DenseRows(host_.gather(all_columns(cols()))).check_entries();  // Names the entry.
    }
    A_ = std::move(A);
  } catch (const DeviceMemoryError&) {
    stores_ = false;
  }
  return A_;
}

DeviceMatrix DeviceRows::make_block(std::size_t columns) const {
  constexpr std::size_t fewest = 16;
  const std::size_t room = device_->free_bytes() / 4 / (sizeof(double) * rows());
  std::size_t count = std::min(columns, std::max(fewest, room));
  while (true) {
    try {
      return device_->make(rows(), count);
    } catch (const DeviceMemoryError&) {
      if (count <= fewest) throw;
      count /= 2;
    }
  }
}

void DeviceRows::fill_block(const DeviceColumns& P, std::size_t first, DeviceMatrix& block) const {
  const DeviceMatrix A = stored();
  if (!A.empty()) {
    device_->gather_columns(A, P.indices, first, block);
  } else {
    evaluate(std::span(P.numbers).subspan(first, block.cols), 0, block);
  }
}

DeviceMatrix DeviceRows::gather(const DeviceColumns& P) const {
  const DeviceMatrix A = stored();
  if (!A.empty() && is_everything(P.numbers, cols())) return A;
  DeviceMatrix part = device_->make(rows(), P.size());
  fill_block(P, 0, part);
  return part;
}

void DeviceRows::add_gram(DeviceMatrix& G, double alpha, const DeviceColumns& P) const {
  const DeviceMatrix A = stored();
  if (!A.empty() && is_everything(P.numbers, cols())) return device_->add_gram(G, alpha, A);
  DeviceMatrix block = P.size() == 0 ? DeviceMatrix() : make_block(P.size());
  for (std::size_t first = 0; first < P.size(); first += block.cols) {
    block.cols = std::min(block.cols, P.size() - first);  // Its memory is for more.
    fill_block(P, first, block);
    device_->add_gram(G, alpha, block);
  }
}

// From blocks of rows where not all of them fit at once.
DeviceMatrix DeviceRows::gram_of_columns(const DeviceColumns& P) const {
  DeviceMatrix H = device_->make(P.size(), P.size());
  device_->fill(H, 0.0);
  const std::size_t room = device_->free_bytes() / 2 / (sizeof(double) * P.size());
  if (room >= rows()) {
    device_->add_gram_of_columns(H, gather(P));
    return H;
  }
  const std::size_t block_rows = std::max<std::size_t>(room, 1);
  for (std::size_t first = 0; first < rows(); first += block_rows) {
    DeviceMatrix block = device_->make(std::min(block_rows, rows() - first), P.size());
    evaluate(P.numbers, first, block);
    device_->add_gram_of_columns(H, block);
  }
  return H;
}

DeviceMatrix DeviceRows::project(const DeviceColumns& P, const DeviceMatrix& z) const {
  DeviceMatrix c = device_->make(P.size(), 1);
  if (const DeviceMatrix A = stored(); !A.empty()) {
    device_->project(A, P.indices, z, c);
    return c;
  }
  DeviceMatrix block = make_block(P.size());
  for (std::size_t first = 0; first < P.size(); first += block.cols) {
    block.cols = std::min(block.cols, P.size() - first);
    fill_block(P, first, block);
    DeviceMatrix part = device_->make(block.cols, 1);
    device_->project(block, choose(all_columns(block.cols)).indices, z, part);
    device_->copy(part, 0, c, first, block.cols);
  }
  return c;
}

DeviceMatrix DeviceRows::combine(const DeviceColumns& P, const DeviceMatrix& c) const {
  DeviceMatrix sum = device_->make(rows(), 1);
  if (const DeviceMatrix A = stored(); !A.empty() && P.size() > 0) {
    device_->combine(A, P.indices, c, sum);
    return sum;
  }
  device_->fill(sum, 0.0);
  DeviceMatrix block = P.size() == 0 ? DeviceMatrix() : make_block(P.size());
  DeviceMatrix more = device_->make(rows(), 1);
  for (std::size_t first = 0; first < P.size(); first += block.cols) {
    block.cols = std::min(block.cols, P.size() - first);
    fill_block(P, first, block);
    DeviceMatrix part = device_->make(block.cols, 1);
    device_->copy(c, first, part, 0, block.cols);
    device_->combine(block, choose(all_columns(block.cols)).indices, part, more);
    device_->add_scaled(sum, 1.0, more);
  }
  return sum;
}

Reduction DeviceRows::reduce(const DeviceColumns& P, const DeviceMatrix& y) const {
  DeviceTriangle triangle = device_->reduce(gather(P), y);
  Reduction result;
  result.M = std::make_shared<const Matrix>(std::move(triangle.R));
  result.order = all_columns(P.size());
  result.b = std::move(triangle.b);
  result.rest = triangle.rest;
  result.triangular = true;
  return result;
}

// The host's questions, which it can answer itself where the device has no room.

std::vector<double> DeviceRows::combine(const Columns& P, std::span<const double> c) const {
  if (P.empty()) return std::vector<double>(rows());
  try {
    return to_vector(device_->download(combine(choose(P), device_->upload(column_of(c)))));
  } catch (const DeviceMemoryError&) {
    return host_.combine(P, c);
  }
}

std::vector<double> DeviceRows::project(const Columns& P, std::span<const double> z) const {
  if (P.empty()) return {};
  try {
    return to_vector(device_->download(project(choose(P), device_->upload(column_of(z)))));
  } catch (const DeviceMemoryError&) {
    return host_.project(P, z);
  }
}

void DeviceRows::add_gram(Matrix& G, double alpha, const Columns& P) const {
  if (P.empty()) return;
  try {
    DeviceMatrix sum = device_->make(rows(), rows());
    device_->fill(sum, 0.0);
    add_gram(sum, alpha, choose(P));
    const Matrix more = device_->download(sum);
    for (std::size_t j = 0; j < G.cols(); ++j) add_scaled(G.col(j).subspan(j), 1.0, more.col(j).subspan(j));
  } catch (const DeviceMemoryError&) {
    host_.add_gram(G, alpha, P);
  }
}

Matrix DeviceRows::gather(std::span<const std::size_t> P) const {
  if (P.empty()) return Matrix(rows(), 0);
  try {
    // Blocks are of ascending columns alone; these come in any order.
    DeviceMatrix part = device_->make(rows(), P.size());
    if (const DeviceMatrix A = stored(); !A.empty()) {
      device_->gather_columns(A, device_->upload(P), 0, part);
    } else {
      evaluate(P, 0, part);
    }
    return device_->download(part);
  } catch (const DeviceMemoryError&) {
    return host_.gather(P);
  }
}

Reduction DeviceRows::reduce(std::span<const double> y) const {
  try {
    return reduce(choose(all_columns(cols())), device_->upload(column_of(y)));
  } catch (const DeviceMemoryError&) {
    return host_.reduce(y);
  }
}

}  // namespace shrimp
