// A of a dictionary: stored when it is first asked for, or computed anew, a block at a time, whenever it is needed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "path/row_space.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

class DictionaryRows : public RowSpace {
 public:
  /// Rows of X through the dictionary, row i multiplied by factors[i] (no factors: by 1).
  DictionaryRows(std::shared_ptr<const Dictionary> dictionary, Matrix X, std::vector<double> factors, bool store)
      : dictionary_(std::move(dictionary)), X_(std::move(X)), factors_(std::move(factors)), stores_(store) {}

  [[nodiscard]] std::size_t rows() const override { return X_.rows(); }
  [[nodiscard]] std::size_t cols() const override { return dictionary_->columns(); }
  [[nodiscard]] std::vector<double> combine(const Columns& P, std::span<const double> c) const override;
  [[nodiscard]] std::vector<double> project(const Columns& P, std::span<const double> z) const override;
  [[nodiscard]] std::vector<double> project_and_combine(const Columns& P, std::span<const double> z,
                                                        std::span<double> c) const override;
  void add_gram(Matrix& G, double alpha, const Columns& P) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> P) const override;
  [[nodiscard]] std::optional<MatrixView> dense() const override;
  /// Columns of cosines and sines of few inputs need not be stored for it.
  [[nodiscard]] Reduction reduce(std::span<const double> y) const override;
  [[nodiscard]] Matrix columns_of(const Dictionary& other, std::size_t first, std::size_t count) const override;

 private:
  /// Null where A is not to be stored.
  [[nodiscard]] const DenseRows* stored() const;
  [[nodiscard]] Reduction reduce_by_blocks(std::span<const double> y) const;

  std::shared_ptr<const Dictionary> dictionary_;
  Matrix X_;
  std::vector<double> factors_;
  bool stores_;
  mutable std::once_flag once_;
  mutable std::optional<DenseRows> A_;
};

}  // namespace shrimp
