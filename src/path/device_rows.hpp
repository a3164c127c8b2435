// A of a dictionary on a device: made there from the rows and the weights, stored where it fits, else computed anew a
// block of columns at a time whenever it is needed.
//
// Where memory runs out, the blocks become smaller; where even small ones do not fit, DeviceMemoryError is for those
// who asked for results on the device, and the host answers the others.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "linalg/device.hpp"
#include "path/dictionary_rows.hpp"
#include "path/row_space.hpp"

namespace shrimp {

/// Columns of A by their numbers, here and there.
struct DeviceColumns {
  Columns numbers;  ///< Ascending.
  DeviceIndices indices;

  [[nodiscard]] std::size_t size() const { return numbers.size(); }
};

class DeviceRows : public RowSpace {
 public:
  /// As DictionaryRows, for a dictionary that has_device_features. `store`: whether A is stored at all.
  DeviceRows(std::shared_ptr<Device> device, std::shared_ptr<const Dictionary> dictionary, const Matrix& X,
             const std::vector<double>& factors, bool store);

  [[nodiscard]] std::size_t rows() const override { return host_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return host_.cols(); }
  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override;
  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override;
  void add_gram(Matrix& G, double alpha, const Columns& P) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override;
  [[nodiscard]] Reduction reduce(std::span<const double> y) const override;
  [[nodiscard]] Matrix columns_of(const Dictionary& other, std::size_t first, std::size_t count) const override {
    return host_.columns_of(other, first, count);
  }
  [[nodiscard]] const DeviceRows* on_device() const override { return this; }

  // The same with results that stay on the device. They throw DeviceMemoryError.

  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] DeviceColumns choose(Columns P) const;
  void add_gram(DeviceMatrix& G, double alpha, const DeviceColumns& P) const;
  /// A_Pᵀ A_P
  [[nodiscard]] DeviceMatrix gram_of_columns(const DeviceColumns& P) const;
  /// A_Pᵀ z and A_P c
  [[nodiscard]] DeviceMatrix project(const DeviceColumns& P, const DeviceMatrix& z) const;
  [[nodiscard]] DeviceMatrix combine(const DeviceColumns& P, const DeviceMatrix& c) const;
  /// A_P c ≈ y by reflections, for at least as many rows as columns.
  [[nodiscard]] Reduction reduce(const DeviceColumns& P, const DeviceMatrix& y) const;

 private:
  /// Empty where A is not stored.
  [[nodiscard]] DeviceMatrix stored() const;
  /// For as many columns as there is room for, at most so many. Smaller ones are tried before it throws.
  [[nodiscard]] DeviceMatrix make_block(std::size_t columns) const;
  /// The columns of P from `first` on, as many as the block has.
  void fill_block(const DeviceColumns& P, std::size_t first, DeviceMatrix& block) const;
  [[nodiscard]] DeviceMatrix gather(const DeviceColumns& P) const;
  void evaluate(std::span<const std::size_t> P, std::size_t first_row, DeviceMatrix& A) const;

  std::shared_ptr<Device> device_;
  std::shared_ptr<const Dictionary> dictionary_;
  DictionaryRows host_;
  DeviceMatrix X_;
  DeviceMatrix factors_;
  mutable std::mutex mutex_;
  mutable bool stores_;     // Until there turns out to be no room.
  mutable DeviceMatrix A_;  // Made when it is first needed.
};

}  // namespace shrimp
